import { DAY_MS, startOfDay } from '../../core/domain/day.ts';

/** Milliseconds after midnight. A timer may fire early, and the clock may be set back slightly. */
const AFTER_MS = 5_000;

/** Returns the milliseconds from a moment (ms UTC) to the next midnight UTC. At midnight, returns a whole day. */
export function untilMidnight(nowMs: number): number {
  return startOfDay(nowMs) + DAY_MS - nowMs;
}

/**
 * Runs `work` shortly after each midnight UTC, until `stop()`. Passes errors to `onError` and continues.
 * The timer does not keep the process alive.
 */
export function eachDay(work: () => Promise<unknown>, onError: (error: unknown) => void): { stop(): void } {
  const armed: { timer?: NodeJS.Timeout } = {};
  const arm = (): void => {
    armed.timer = setTimeout(
      () => {
        arm();
        work().catch(onError);
      },
      untilMidnight(Date.now()) + AFTER_MS,
    );
    armed.timer.unref();
  };
  arm();
  return { stop: () => clearTimeout(armed.timer) };
}
