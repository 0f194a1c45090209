import { setTimeout as pause } from 'node:timers/promises';
import type { OpenStore } from '../../src/service/data-folder/open-store.ts';
import type { Time } from '../../src/service/data-folder/sealed/time.ts';

/** The minute between two publications takes half a second, and the day after which one ends takes 12 minutes. */
const PUBLISHER = 120;
/** The minute that a replacement of the sealing key waits takes three seconds. */
const ENGINE = 20;
/** Real milliseconds that a pause takes at least, so that nothing asks without a rest. */
const MIN_MS = 50;

/** The clocks of processes that publish and replace keys fast. */
export interface FastTime {
  readonly publisher: Time;
  readonly engine: { monotonic(): number; wait(milliseconds: number): Promise<void> };
  /** Gives a store whose clock all processes share the speed of `engine`. */
  around(store: OpenStore): OpenStore;
}

/** Returns the clocks. They agree in all processes that have the same `start` (ms, UTC). */
export function createFastTime(start: number): FastTime {
  /** Never goes back. */
  const faster = (speed: number) => () =>
    Math.floor(start + (performance.timeOrigin + performance.now() - start) * speed);
  const published = faster(PUBLISHER);
  return {
    publisher: {
      clock: published,
      monotonic: published,
      pause: (milliseconds, signal) =>
        pause(Math.max(MIN_MS, milliseconds / PUBLISHER), undefined, { signal, ref: false }),
    },
    engine: { monotonic: faster(ENGINE), wait: (milliseconds) => pause(Math.max(MIN_MS, milliseconds / ENGINE)) },
    around(store) {
      const shared = store.shared!;
      const nowMs = async (): Promise<number> => Math.floor(start + ((await shared.nowMs()) - start) * ENGINE);
      return { ...store, shared: { ...shared, nowMs } };
    },
  };
}
