import { requireWhole } from '../domain/options.ts';

/** Maximum seconds of a timer. */
export const MAX_TIMER_SECONDS = 2_147_483;

/**
 * Throws TypeError or RangeError unless `eraseWithinSeconds` is a whole number from 0 to {@link MAX_TIMER_SECONDS}.
 */
export function requireEraseWithin(seconds: unknown): void {
  requireWhole('eraseWithinSeconds', seconds, 0, MAX_TIMER_SECONDS);
}

/**
 * Runs `task` once after a delay. Does not keep the process alive: Node needs `unref`, a browser's timer is a number.
 * Returns a function that cancels it.
 */
export function later(milliseconds: number, task: () => void): () => void {
  const timer: ReturnType<typeof setTimeout> & { unref?: () => unknown } = setTimeout(task, milliseconds);
  timer.unref?.();
  return () => clearTimeout(timer);
}
