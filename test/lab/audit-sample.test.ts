import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuditSample } from '../../src/lab/audit-sample.ts';
import type { AnsweredQuery } from '../../src/lab/replayed.ts';

const query = (number: number, chance: number | undefined, reported = 1): AnsweredQuery => ({
  number,
  line: 2 * number,
  at: 1000 * number,
  group: undefined,
  reported,
  answers: [{ chance, verdict: { points: 10, reported, reliability: 3 } }],
});
const sampled = (chances: readonly number[], size: number, seed = 1): readonly number[] => {
  const sample = createAuditSample({ size, seed });
  for (const [at, chance] of chances.entries()) sample.offer(query(at, chance));
  return sample.choose().map(({ number }) => number);
};
const binOf = (chance: number): number => Math.min(9, Math.floor(10 * chance));

describe('a sample of queries to label', () => {
  it('has the same number of each bin, as far as there are enough', () => {
    const chances = [...Array<number>(500).fill(0.05), ...Array<number>(3).fill(0.35), ...Array<number>(200).fill(1)];
    const bins = sampled(chances, 43).map((number) => chances[number]!);
    expect([0.05, 0.35, 1].map((chance) => bins.filter((one) => one === chance).length)).toEqual([20, 3, 20]);
  });

  it('leaves out queries without a match, and answers without a chance', () => {
    const sample = createAuditSample({ size: 10, seed: 1 });
    sample.offer(query(1, 0, 0));
    sample.offer(query(2, undefined));
    sample.offer(query(3, 0.5));
    expect(sample.choose()).toEqual([{ number: 3, line: 6, at: 3000, group: undefined, points: 10, reliability: 3 }]);
    expect(sample.counts()).toEqual({ matched: 1, bins: 1 });
  });

  it('has distinct queries by number, as many as wanted or all, and no bin two fewer than another with more left', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        (chances, size, seed) => {
          const numbers = sampled(chances, size, seed);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          expect(numbers).toHaveLength(Math.min(size, chances.length));
          expect(sampled(chances, size, seed)).toEqual(numbers);
          const count = (list: readonly number[], bin: number): number =>
            list.filter((chance) => binOf(chance) === bin).length;
          const chosen = numbers.map((number) => chances[number]!);
          const most = Math.max(0, ...chosen.map((chance) => count(chosen, binOf(chance))));
          for (let bin = 0; bin < 10; bin++)
            if (count(chances, bin) > count(chosen, bin)) expect(count(chosen, bin)).toBeGreaterThanOrEqual(most - 1);
        },
      ),
    );
  });

  it('gives each query of a bin the same probability, first or last', () => {
    const times = Array<number>(20).fill(0);
    for (let seed = 0; seed < 4000; seed++)
      for (const number of sampled([...Array<number>(20).fill(0.5), ...Array<number>(20).fill(0.9)], 8, seed))
        if (number < 20) times[number]!++;
    // 4 of 20 in each of 4,000 samples: 800 with a standard deviation of 25.
    for (const count of times) expect(Math.abs(count - 800)).toBeLessThan(120);
  });

  it('refuses invalid options', () => {
    expect(() => createAuditSample({ size: 0, seed: 1 })).toThrow(RangeError);
    expect(() => createAuditSample({ size: 1, seed: -1 })).toThrow(RangeError);
  });
});
