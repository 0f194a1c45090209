import { setTimeout as wait } from 'node:timers/promises';

/** The clocks and timers of background work. A test replaces them. */
export interface Time {
  /** Milliseconds since 1970, UTC. May jump. */
  clock(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Resolves after some milliseconds, and rejects when `signal` aborts. Does not keep the process running. */
  pause(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

export const SYSTEM_TIME: Time = {
  clock: () => Date.now(),
  monotonic: () => performance.now(),
  pause: (milliseconds, signal) => wait(milliseconds, undefined, { signal, ref: false }),
};
