import { setImmediate as turn } from 'node:timers/promises';
import type { Time } from '../../src/service/data-folder/sealed/time.ts';

/** A time that passes only when a test says so. */
export interface VirtualTime extends Time {
  /** Resolves when the work pauses. */
  untilPaused(): Promise<void>;
  /** Lets milliseconds pass, pause after pause. The work pauses then. */
  advance(milliseconds: number): Promise<void>;
  /** Sets the clock by milliseconds, as a person or NTP does. No time passes. */
  jump(milliseconds: number): void;
}

/** Returns a time for one background work, which begins at `start` (ms, UTC). */
export function createVirtualTime(start: number): VirtualTime {
  let passed = 0;
  let offset = start;
  let pausing: { readonly until: number; readonly wake: () => void } | undefined;
  const time: VirtualTime = {
    clock: () => offset + passed,
    monotonic: () => passed,
    pause: (milliseconds, signal) =>
      new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const abort = (): void => reject(signal.reason as Error);
        signal.addEventListener('abort', abort, { once: true });
        const wake = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        pausing = { until: passed + milliseconds, wake };
      }),
    async untilPaused() {
      while (pausing === undefined) await turn();
    },
    async advance(milliseconds) {
      const end = passed + milliseconds;
      for (await time.untilPaused(); pausing !== undefined && pausing.until <= end; await time.untilPaused()) {
        const { until, wake } = pausing;
        passed = until;
        pausing = undefined;
        wake();
      }
      passed = end;
    },
    jump(milliseconds) {
      offset += milliseconds;
    },
  };
  return time;
}
