import { describe, expect, it } from 'vitest';
import { brierScore, calibrationBins, calibrationError } from '../../src/lab/metrics/calibration.ts';
import { histogram } from '../../src/lab/metrics/histogram.ts';
import { liftCurve } from '../../src/lab/metrics/lift.ts';

const once = (count: number): Float64Array => new Float64Array(count).fill(1);

describe('calibration in bins', () => {
  it('takes a bin’s lower end in, and 1 into the last', () => {
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

  it('scores a coin .25 and certainty 0 or 1 (Brier)', () => {
    expect(brierScore(Float64Array.of(0.5, 0.5), Uint8Array.of(0, 1), once(2))).toBe(0.25);
    expect(brierScore(Float64Array.of(0, 1), Uint8Array.of(0, 1), once(2))).toBe(0);
    expect(brierScore(Float64Array.of(1, 0), Uint8Array.of(0, 1), once(2))).toBe(1);
    expect(brierScore(Float64Array.of(1, 0), Uint8Array.of(0, 0), Float64Array.of(1, 3))).toBe(0.25);
  });
});

describe('the histogram of scores', () => {
  it('goes to 1 on the scale of chances and to the highest score on any other', () => {
    expect(histogram([{ label: 1, score: 0.3 }]).most).toBe(1);
    expect(histogram([{ label: 0, score: 0 }]).most).toBe(1);
    expect(
      histogram([
        { label: 1, score: 87.5 },
        { label: 0, score: 3 },
      ]).most,
    ).toBe(87.5);
  });

  it('puts whole points into their bins of five, and 100 into the last', () => {
    const { ones, zeros } = histogram(
      Array.from({ length: 101 }, (_, score) => ({ label: score % 2 === 0 ? 1 : 0, score })),
    );
    expect(ones.map((count, bin) => count + zeros[bin]!)).toEqual([...Array.from({ length: 19 }, () => 5), 6]);
    expect(ones[0]).toBe(3);
    expect(zeros[0]).toBe(2);
  });

  it('bears the largest number', () => {
    expect(
      histogram([
        { label: 1, score: Number.MAX_VALUE },
        { label: 0, score: 1 },
      ]),
    ).toMatchObject({ most: Number.MAX_VALUE });
  });
});

describe('lift', () => {
  it('says how many times as many ones are at the top', () => {
    // 2 ones in 8: the top quarter holds both, four times their share.
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
