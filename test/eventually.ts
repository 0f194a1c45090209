import { vi } from 'vitest';

/**
 * Repeats assertions every 10 ms until they hold, for at most a minute, as `expect.poll` does for one value (its limit
 * is in vitest.config.ts). Then it fails with the last error.
 */
export const eventually = <T>(assertions: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(assertions, { timeout: 60_000, interval: 10 });
