import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitShift } from '../../src/lab/fit-shift.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { createCalibration } from '../../src/core/scoring/calibration.ts';
import { drawn, shuffled } from './samples.ts';

const group = (chance: number, ones: number, zeros: number): Sample[] =>
  Array.from({ length: ones + zeros }, (_, at) => ({ label: at < ones ? 1 : 0, score: chance, chance }));
/** Log-odds higher by 1. */
const bend = (chance: number): number => chance / (chance + (1 - chance) * Math.exp(-1));

const audited = fc
  .array(
    fc.record({
      chance: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      label: fc.constantFrom(0 as const, 1 as const),
    }),
    { minLength: 2, maxLength: 120 },
  )
  .map((drafts) =>
    drafts.map((draft, at): Sample => ({ ...draft, score: 1, label: at < 2 ? (at as 0 | 1) : draft.label })),
  );

describe('fitting a shift of the log-odds', () => {
  it('is the posterior mode: with a prior worth five labels', () => {
    // With n labels of chance ½ and k ones, k − n · σ(δ) = 1.25 · δ.
    const { shift, interval } = fitShift(group(0.5, 30, 70));
    expect(30 - 100 / (1 + Math.exp(-shift))).toBeCloseTo(1.25 * shift, 9);
    const p = 1 / (1 + Math.exp(-shift));
    expect(interval[1] - shift).toBeCloseTo(1.96 / Math.sqrt(100 * p * (1 - p) + 1.25), 9);
    expect(shift - interval[0]).toBeCloseTo(interval[1] - shift, 12);
  });

  it('is near 0 for few labels, and 0 for as many ones as stated', () => {
    expect(Math.abs(fitShift(group(0.5, 1, 2)).shift)).toBeLessThan(Math.abs(Math.log(1 / 2)) / 2);
    expect(fitShift([...group(0.2, 20, 80), ...group(0.6, 60, 40)]).shift).toBeCloseTo(0, 9);
  });

  it('counts each tenth as often as in the population that the samples stand for', () => {
    // Too low at .15 and right at .85. Of ten queries, nine have .15.
    const samples = [...group(0.15, 30, 70), ...group(0.85, 85, 15)];
    const population = Array.from({ length: 1000 }, (_, at) => (at % 10 === 0 ? 0.85 : 0.15));
    const alike = fitShift(samples);
    expect(
      fitShift(
        samples,
        samples.map(({ chance }) => chance!),
      ).shift,
    ).toBeCloseTo(alike.shift, 12);
    expect(() => fitShift(samples, [0.15, 0.85])).toThrow('"population" expected');
    const { shift, interval } = fitShift(samples, population);
    expect(shift).toBeGreaterThan(alike.shift + 0.2);
    expect(shift).toBeLessThan(fitShift(group(0.15, 30, 70)).shift);
    // Unequal weights say less.
    expect(interval[1] - interval[0]).toBeGreaterThan(alike.interval[1] - alike.interval[0]);
  });

  it('finds the shift of chances whose log-odds are wrong by one number, and corrects them', () => {
    const { shift, interval, map } = fitShift(drawn(1, 5000, bend));
    expect(shift).toBeCloseTo(-1, 0);
    expect(interval[0]).toBeLessThan(-1);
    expect(interval[1]).toBeGreaterThan(-1);
    const calibrate = createCalibration(map);
    for (const truth of [0.1, 0.3, 0.5, 0.7, 0.9]) expect(calibrate(bend(truth))).toBeCloseTo(truth, 1);
  });

  it('covers the true shift in about 95 of 100 samples of 100 labels', () => {
    const covered = Array.from({ length: 400 }, (_, seed) => fitShift(drawn(seed, 100, bend)).interval).filter(
      ([low, high]) => low <= -1 && high >= -1,
    ).length;
    expect(covered).toBeGreaterThan(365);
    expect(covered).toBeLessThan(397);
  });

  it('supports only the stated chances that were labelled, with all labels', () => {
    const { map } = fitShift([...group(0.2, 10, 20), ...group(0.6, 20, 10)]);
    expect(map.support).toEqual([{ from: 0.2, to: 0.6, labelled: 60, right: 30 }]);
    const { intervalOf } = createCalibration(map);
    expect(intervalOf(0.4)).toBeDefined();
    expect(intervalOf(0.7)).toBeUndefined();
    expect(createCalibration(fitShift(group(0.5, 10, 19)).map).intervalOf(0.5)).toBeUndefined();
  });

  it('is less sure if a shift does not correct the shape', () => {
    const spreadOf = (...samples: Sample[][]): number => fitShift(samples.flat()).map.spread;
    expect(spreadOf(group(0.2, 10, 40), group(0.8, 40, 10))).toBe(0.06);
    // Observed .5 for both.
    expect(spreadOf(group(0.2, 25, 25), group(0.8, 25, 25))).toBeGreaterThan(0.15);
    expect(spreadOf(group(0.5, 25, 25))).toBe(0.06);
  });

  it('is a valid, monotone map whatever the samples, and their order is irrelevant', () => {
    fc.assert(
      fc.property(audited, fc.nat(), (samples, seed) => {
        const fitted = fitShift(samples);
        expect(() => createCalibration(fitted.map)).not.toThrow();
        expect(Number.isFinite(fitted.shift)).toBe(true);
        expect(fitShift(shuffled(samples, seed))).toEqual(fitted);
      }),
    );
  });

  it('never falls if a label turns from 0 to 1', () => {
    fc.assert(
      fc.property(audited, (samples) => {
        const turned = samples.findIndex(({ label }, at) => at > 1 && label === 0);
        fc.pre(turned > 0);
        const more = samples.map((sample, at) => (at === turned ? { ...sample, label: 1 as const } : sample));
        expect(fitShift(more).shift).toBeGreaterThanOrEqual(fitShift(samples).shift - 1e-9);
      }),
    );
  });

  it('refuses samples of one label, and without chances', () => {
    expect(() => fitShift(group(0.5, 9, 0))).toThrow(/only label 1 in all 9 samples/);
    expect(() =>
      fitShift([
        { label: 1, score: 1 },
        { label: 0, score: 1 },
      ]),
    ).toThrow(new TypeError('"samples[0].chance" expected a number from 0 to 1, got undefined'));
  });
});
