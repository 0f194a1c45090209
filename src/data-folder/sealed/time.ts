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

/** Time without a jump after which a clock is taken for right, and the difference that is no jump. */
const STEADY_MS = 3_600_000;
const TOLERANCE_MS = 60_000;

/**
 * Returns a function that says whether the clock has not jumped for an hour. A wrong clock is often set soon after a
 * start. Call the function often: it only sees the jumps between two calls.
 */
export function watchClock({ clock, monotonic }: Time): () => boolean {
  let since = { clock: clock(), monotonic: monotonic() };
  return () => {
    const passed = monotonic() - since.monotonic;
    if (Math.abs(clock() - since.clock - passed) <= TOLERANCE_MS) return passed >= STEADY_MS;
    since = { clock: clock(), monotonic: monotonic() };
    return false;
  };
}

export const SYSTEM_TIME: Time = {
  clock: () => Date.now(),
  monotonic: () => performance.now(),
  pause: (milliseconds, signal) => wait(milliseconds, undefined, { signal, ref: false }),
};
