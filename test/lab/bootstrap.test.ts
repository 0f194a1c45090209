import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/lab/metrics/bootstrap.ts';
import { evaluate } from '../../src/lab/metrics/evaluate.ts';
import { drawn, samplesWithTies } from './samples.ts';

describe('the bootstrap', () => {
  const samples = drawn(11, 400);

  it('gives the same bytes for the same seed, and different ones for another seed', () => {
    expect(JSON.stringify(evaluate(samples, { seed: 5 }))).toBe(JSON.stringify(evaluate(samples, { seed: 5 })));
    const [one, other] = [evaluate(samples, { seed: 5 }), evaluate(samples, { seed: 6 })];
    expect(other.rocAuc.value).toBe(one.rocAuc.value);
    expect(other.rocAuc.low).not.toBe(one.rocAuc.low);
  });

  it('has the value inside the interval of each figure', () => {
    fc.assert(
      fc.property(samplesWithTies, fc.nat(), (given, seed) => {
        const { rocAuc, prAuc, prAucOfZeros, ece, brier } = evaluate(
          given.map((sample) => ({ ...sample, chance: sample.score / 30 })),
          { seed, resamples: 20 },
        );
        for (const { value, low, high } of [rocAuc, prAuc, prAucOfZeros, ece!, brier!])
          expect(low <= value && value <= high).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('draws each sample once on average, and as many samples as there are', () => {
    const labels = Uint8Array.from({ length: 20 }, (_, at) => at % 2);
    const seen = new Float64Array(20);
    bootstrap(
      labels,
      (times) => {
        expect(times.reduce((a, b) => a + b)).toBe(20);
        for (const [at, count] of times.entries()) seen[at]! += count;
        return { none: 0 };
      },
      { seed: 1, resamples: 4000 },
    );
    for (const count of seen) expect(count / 4001).toBeCloseTo(1, 1);
  });

  it('draws the samples of a group together', () => {
    const labels = Uint8Array.from({ length: 20 }, (_, at) => at % 2);
    const groups = Uint32Array.from(labels, (_, at) => (at < 14 ? 0 : at % 4));
    bootstrap(
      labels,
      (times) => {
        const of = new Map(Array.from(groups, (group, at) => [group, times[at]]));
        expect(Array.from(groups, (group) => of.get(group))).toEqual([...times]);
        return { none: 0 };
      },
      { seed: 1, resamples: 50, groups },
    );
  });

  it('has an interval of the theoretical width for a mean', () => {
    const labels = Uint8Array.from({ length: 400 }, (_, at) => (at < 100 ? 1 : 0));
    const share = (times: Float64Array): { share: number } => ({
      share: times.reduce((sum, count, at) => sum + count * labels[at]!, 0) / 400,
    });
    const { value, low, high } = bootstrap(labels, share, { seed: 2, resamples: 4000 }).share;
    // 1.96 · √(.25 · .75 / 400) to each side.
    expect(value).toBe(0.25);
    expect(low).toBeCloseTo(0.2076, 2);
    expect(high).toBeCloseTo(0.2924, 2);
  });

  it('contains the true AUC of a known distribution in about 95 of 100 samples', () => {
    // Labels follow a uniform chance: ones have density 2x, zeros 2(1 − x), so a one is above a zero with probability
    // 5/6.
    const hits = Array.from(
      { length: 100 },
      (_, seed) => evaluate(drawn(seed, 200), { seed, resamples: 100 }).rocAuc,
    ).filter(({ low, high }) => low <= 5 / 6 && 5 / 6 <= high).length;
    expect(hits).toBeGreaterThanOrEqual(88);
    expect(hits).toBeLessThan(100);
  });

  it('redraws a resample of one label', () => {
    const { rocAuc } = evaluate(
      [
        { label: 1, score: 1 },
        { label: 0, score: 0 },
      ],
      { seed: 1 },
    );
    expect(rocAuc).toEqual({ value: 1, low: 1, high: 1 });
  });
});
