/** True under `npm run test:long`, which also runs the files `long-*`. */
export const isLong = process.env['LONG'] === '1';

/** Returns how often to repeat something: `times`, or ten times as often under `npm run test:long`. */
export function budget(times: number): number {
  return isLong ? 10 * times : times;
}

/**
 * Settings of a law for fast-check: it runs for `seconds`, or ten times as long under `npm run test:long`. A failure
 * prints its seed. Only for laws of which one case takes a small part of that: without a whole case, the law fails.
 */
export function lawFor(seconds: number): { numRuns: number; interruptAfterTimeLimit: number } {
  return { numRuns: 1_000_000, interruptAfterTimeLimit: budget(seconds) * 1_000 };
}
