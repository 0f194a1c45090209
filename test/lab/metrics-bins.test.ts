import { describe, expect, it } from 'vitest';
import { brierScore, calibrationBins, calibrationError, histogram } from '../../src/lab/metrics/bins.ts';
import { liftCurve } from '../../src/lab/metrics/curves.ts';

const once = (count: number): Float64Array => new Float64Array(count).fill(1);

describe('calibration in bins', () => {
  it('includes the lower end of each bin, and 1 in the last', () => {
    const bins = calibrationBins(
      Float64Array.of(0, 0.1, 0.3, 0.6, 0.7, 0.9, 1),
      Uint8Array.of(0, 0, 1, 1, 1, 1, 1),
      once(7),
    );
    expect(bins.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(bins.at(-1)).toEqual({ stated: 0.95, observed: 1, count: 2 });
  });

  it('weighs bins by their samples', () => {
    const bins = calibrationBins(Float64Array.of(0.2, 0.2, 0.2, 0.2, 0.8), Uint8Array.of(1, 0, 0, 0, 0), once(5));
    expect(bins).toEqual([
      { stated: 0.2, observed: 0.25, count: 4 },
      { stated: 0.8, observed: 0, count: 1 },
    ]);
    expect(calibrationError(bins)).toBeCloseTo((4 * 0.05 + 0.8) / 5, 12);
  });

  it('counts a sample as often as it was drawn', () => {
    const twice = calibrationBins(Float64Array.of(0.2, 0.2, 0.5), Uint8Array.of(1, 1, 0), once(3));
    expect(calibrationBins(Float64Array.of(0.2, 0.5, 0.9), Uint8Array.of(1, 0, 1), Float64Array.of(2, 1, 0))).toEqual(
      twice,
    );
  });

  it('gives a constant .5 a Brier score of .25, and certainty 0 or 1', () => {
    expect(brierScore(Float64Array.of(0.5, 0.5), Uint8Array.of(0, 1), once(2))).toBe(0.25);
    expect(brierScore(Float64Array.of(0, 1), Uint8Array.of(0, 1), once(2))).toBe(0);
    expect(brierScore(Float64Array.of(1, 0), Uint8Array.of(0, 1), once(2))).toBe(1);
    expect(brierScore(Float64Array.of(1, 0), Uint8Array.of(0, 0), Float64Array.of(1, 3))).toBe(0.25);
  });
});

describe('the histogram of scores', () => {
  it('reaches to 1 for probabilities and to the highest score otherwise', () => {
    expect(histogram([{ label: 1, score: 0.3 }]).most).toBe(1);
    expect(histogram([{ label: 0, score: 0 }]).most).toBe(1);
    expect(
      histogram([
        { label: 1, score: 87.5 },
        { label: 0, score: 3 },
      ]).most,
    ).toBe(87.5);
  });

  it('counts each label in 20 bins, also in bins without a score', () => {
    const only = (...bins: number[]) => Array.from({ length: 20 }, (_, bin) => Number(bins.includes(bin)));
    expect(histogram([])).toEqual({ most: 1, ones: only(), zeros: only() });
    expect(
      histogram([
        { label: 1, score: 0.07 },
        { label: 1, score: 0.98 },
      ]),
    ).toEqual({ most: 1, ones: only(1, 19), zeros: only() });
    expect(histogram([{ label: 0, score: 0.5 }])).toEqual({ most: 1, ones: only(), zeros: only(10) });
  });

  it('puts whole points into bins of five, and 100 into the last', () => {
    const { ones, zeros } = histogram(
      Array.from({ length: 101 }, (_, score) => ({ label: score % 2 === 0 ? 1 : 0, score })),
    );
    expect(ones.map((count, bin) => count + zeros[bin]!)).toEqual([...Array.from({ length: 19 }, () => 5), 6]);
    expect(ones[0]).toBe(3);
    expect(zeros[0]).toBe(2);
  });

  it('accepts the largest number', () => {
    expect(
      histogram([
        { label: 1, score: Number.MAX_VALUE },
        { label: 0, score: 1 },
      ]),
    ).toMatchObject({ most: Number.MAX_VALUE });
  });
});

describe('lift', () => {
  it('is the share of ones at the top over the overall share', () => {
    // 2 ones in 8: the top quarter has both, four times the overall share.
    expect(liftCurve({ ones: Float64Array.of(2, 0, 0), zeros: Float64Array.of(0, 2, 4) })).toEqual([
      [0.25, 4],
      [0.5, 2],
      [1, 1],
    ]);
  });

  it('is 0 at a top without ones', () => {
    expect(liftCurve({ ones: Float64Array.of(0, 1), zeros: Float64Array.of(1, 0) })).toEqual([
      [0.5, 0],
      [1, 1],
    ]);
  });
});
