import { expect } from 'vitest';
import { intervalOf, measure, surely, Z, type Times } from './alike.ts';
import { describePairs } from './pairs.ts';

// Times are compared with each other here, and never with a limit of speed. told-apart.test.ts compares the replies of
// fewer requests.

/** Requests of each kind: 100,000 for a pair. */
const EACH = 50_000;
/** What a leak of the control takes, in nanoseconds: an early exit saves as much. */
const LEAK_NS = { engine: 1_000, http: 10_000 };
/**
 * Differences in the engine that count as none, in nanoseconds: caches of the processor, which any repeated value
 * warms. Over HTTP, none is allowed for.
 */
const MARGIN_NS = { engine: 250, http: 0 };

const differs = (times: Times, margin: number): boolean => surely(times, margin) > Z || surely(times, -margin) < -Z;
const spin = (ns: number): void => {
  const end = process.hrtime.bigint() + BigInt(ns);
  while (process.hrtime.bigint() < end);
};

describePairs('the same replies, and times that cannot be told apart', 2_000, async (pair) => {
  const { name, way, ask, unknown, special } = pair;
  const replies = new Set<string>();
  const noting = (value: string) => {
    const asked = ask(value);
    return async () => void replies.add(JSON.stringify(await asked()));
  };
  const run = (each: number, leakNs = 0): Promise<Times> =>
    measure(each, Math.random, [
      () => noting(unknown()),
      () => {
        const asked = noting(special());
        return leakNs === 0 ? asked : () => (spin(leakNs), asked());
      },
    ]);
  // A difference is real if a second measurement finds it too.
  const first = await run(EACH);
  const margin = MARGIN_NS[way];
  const isDifferent = differs(first, margin) && differs(await run(EACH), margin);
  const [from, to] = intervalOf(first);
  console.info(`${name}: the medians differ by ${from} to ${to} ns`);
  expect(isDifferent, `${from} to ${to} ns`).toBe(false);
  expect(replies.size).toBe(1);
  // The same test finds a leak in a fifth of the requests.
  expect(differs(await run(EACH / 5, LEAK_NS[way]), margin)).toBe(true);
});
