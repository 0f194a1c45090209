/** True under `npm run test:long`, which also runs the files `long-*`. */
export const isLong = process.env['LONG'] === '1';

/** Returns how often to repeat something: `times`, or ten times as often under `npm run test:long`. */
export function budget(times: number): number {
  return isLong ? 10 * times : times;
}

/**
 * Settings of a law for fast-check: it runs for `seconds`, or ten times as long under `npm run test:long`. A failure
 * prints its seed. Without a whole case, the law fails. So a law has `{ numRuns: budget(n) }` instead if fewer than
 * some twenty cases fit, or if the test counts what the cases of one seed meet.
 */
export function lawFor(seconds: number): { numRuns: number; interruptAfterTimeLimit: number } {
  return { numRuns: 1_000_000, interruptAfterTimeLimit: budget(seconds) * 1_000 };
}
