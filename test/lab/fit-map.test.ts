import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitCalibration } from '../../src/lab/fit-map.ts';
import { evaluate } from '../../src/lab/metrics/evaluate.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { createRandom } from '../../src/lab/random.ts';
import { DAY_MS } from '../../src/core/domain/day.ts';
import { createCalibration } from '../../src/core/scoring/calibration.ts';
import { drawn, shuffled } from './samples.ts';

const group = (chance: number, ones: number, zeros: number): Sample[] =>
  Array.from({ length: ones + zeros }, (_, at) => ({ label: at < ones ? 1 : 0, score: chance, chance }));
/** The same samples, asked one after another in an order that labels do not decide. */
const inTime = (samples: readonly Sample[]): Sample[] =>
  shuffled(
    samples.map((sample, at) => ({ sample, at })),
    5,
  ).map(({ sample }, at) => ({ ...sample, at }));
const eceOf = (samples: readonly Sample[]): number => evaluate(samples, { seed: 1, resamples: 1 }).ece!.value;
const mapped = (samples: readonly Sample[]): Sample[] => {
  const calibrate = createCalibration(fitCalibration(samples));
  return samples.map((sample) => ({ ...sample, chance: calibrate(sample.chance!) }));
};

const samplesToFit = fc
  .array(
    fc.record({
      chance: fc.oneof(
        fc.integer({ min: 0, max: 20 }).map((n) => n / 20),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
      label: fc.constantFrom(0 as const, 1 as const),
      // Several queries share a moment.
      at: fc.integer({ min: 0, max: 100 }),
    }),
    { minLength: 50, maxLength: 300 },
  )
  .map((drafts) =>
    drafts.map((draft, at): Sample => ({ ...draft, score: draft.chance, label: at < 2 ? (at as 0 | 1) : draft.label })),
  );

describe('fitting the calibration map', () => {
  it('returns the observed share if there are few distinct chances', () => {
    expect(fitCalibration([...group(0.2, 4, 36), ...group(0.5, 10, 30), ...group(0.9, 24, 16)])).toEqual({
      version: 3,
      points: [
        [0.2, 0.1],
        [0.5, 0.25],
        [0.9, 0.6],
      ],
      support: [],
      spread: 0,
    });
  });

  it('pools neighbours in the wrong order', () => {
    const { points } = fitCalibration([...group(0.2, 30, 10), ...group(0.4, 10, 30), ...group(0.75, 38, 2)]);
    expect(points).toEqual([
      [0.2, 0.5],
      [0.4, 0.5],
      [0.75, 0.95],
    ]);
  });

  it('maps all chances to one value if the ranking is reversed', () => {
    expect(fitCalibration([...group(0.1, 30, 10), ...group(0.9, 10, 30)]).points).toEqual([
      [0.1, 0.5],
      [0.9, 0.5],
    ]);
  });

  it('does not set an end of the map by few samples', () => {
    const { points } = fitCalibration([
      ...group(0.01, 0, 5),
      ...group(0.3, 10, 30),
      ...group(0.7, 18, 12),
      ...group(0.99, 5, 0),
    ]);
    expect(points).toEqual([
      [0.01, 10 / 45],
      [0.3, 10 / 45],
      [0.7, 23 / 35],
      [0.99, 23 / 35],
    ]);
  });

  it('leaves calibrated chances unchanged', () => {
    const calibrate = createCalibration(fitCalibration([...group(0.25, 10, 30), ...group(0.75, 30, 10)]));
    expect([0.25, 0.5, 0.75].map(calibrate)).toEqual([0.25, 0.5, 0.75]);
  });

  it('states the support of each block, and a small spread of labels that only chance varies', () => {
    const samples = inTime([...group(0.2, 10, 90), ...group(0.3, 5, 30), ...group(0.5, 40, 60), ...group(0.9, 90, 10)]);
    expect(fitCalibration(samples)).toEqual({
      version: 3,
      points: [
        [0.2, 0.1],
        [0.3, 1 / 7],
        [0.5, 0.4],
        [0.9, 0.9],
      ],
      support: [
        { from: 0.2, to: 0.2, labelled: 100, right: 10 },
        { from: 0.3, to: 0.3, labelled: 35, right: 5 },
        { from: 0.5, to: 0.5, labelled: 100, right: 40 },
        { from: 0.9, to: 0.9, labelled: 100, right: 90 },
      ],
      spread: expect.closeTo(0.013, 3),
    });
  });

  it('finds the spread of rates that vary with time', () => {
    const spreads = [0, 0.06, 0.1, 0.3].map((spread) => {
      const found = Array.from({ length: 40 }, (_, seed) => {
        const random = createRandom(seed);
        // In each block of time, the rate is one of two: ½ ± √spread / 2 has the variance spread · ½ · ½.
        const samples = Array.from({ length: 10 }, (__, block) => {
          const rate = 0.5 + (random() < 0.5 ? -1 : 1) * (Math.sqrt(spread) / 2);
          return Array.from({ length: 100 }, (___, at): Sample => ({
            label: random() < rate ? 1 : 0,
            score: 0.4,
            chance: 0.4,
            at: 100 * block + at,
          }));
        }).flat();
        return fitCalibration(samples).spread;
      });
      return found.reduce((sum, one) => sum + one, 0) / found.length;
    });
    expect(spreads[0]).toBeLessThan(0.005);
    expect(spreads[1]).toBeGreaterThan(0.05);
    expect(spreads[1]).toBeLessThan(0.07);
    expect(spreads[2]).toBeCloseTo(0.1, 1);
    expect(spreads[3]).toBeCloseTo(0.3, 1);
  });

  it('has no interval if the samples are of one moment, or one has no time', () => {
    const samples = [...group(0.2, 10, 90), ...group(0.9, 90, 10)];
    expect(fitCalibration(samples.map((sample) => ({ ...sample, at: 5 }))).support).toEqual([]);
    expect(fitCalibration(inTime(samples).map((sample, at) => (at === 7 ? samples[7]! : sample))).support).toEqual([]);
    expect(fitCalibration(inTime(samples)).support).toHaveLength(2);
  });

  it('corrects distorted chances of samples it was not fitted on', () => {
    const bend = (chance: number): number => chance ** 3;
    const calibrate = createCalibration(fitCalibration(drawn(1, 5000, bend)));
    const fresh = drawn(2, 5000, bend);
    expect(eceOf(fresh)).toBeGreaterThan(0.2);
    expect(eceOf(fresh.map((sample) => ({ ...sample, chance: calibrate(sample.chance!) })))).toBeLessThan(0.03);
    expect(calibrate(0.5 ** 3)).toBeCloseTo(0.5, 1);
  });

  it('is a valid map of at most 30 blocks for any samples', () => {
    const expectValid = (samples: readonly Sample[]): void => {
      const map = fitCalibration(samples);
      expect(() => createCalibration(map)).not.toThrow();
      expect(map.support.length).toBeLessThanOrEqual(30);
      expect(map.points.length).toBeLessThanOrEqual(60);
    };
    fc.assert(fc.property(samplesToFit, expectValid), { numRuns: 300 });
    expectValid(inTime(drawn(3, 20_000, Math.sqrt)));
  });

  it('has no calibration error on its own samples', () => {
    fc.assert(
      fc.property(samplesToFit, (samples) => {
        expect(eceOf(mapped(samples))).toBeLessThan(1e-12);
      }),
      { numRuns: 300 },
    );
  });

  describe('to samples of different times', () => {
    /** Samples with one chance, all at once. */
    const asked = (day: number, ones: number, zeros: number): Sample[] =>
      group(0.4, ones, zeros).map((sample) => ({ ...sample, at: day * DAY_MS }));
    const rateOf = (samples: readonly Sample[]): number => createCalibration(fitCalibration(samples))(0.4);

    it('fits those of the last 365 days, if there are at least 1,000', () => {
      const old = asked(0, 500, 0);
      expect(rateOf([...old, ...asked(366, 100, 900)])).toBe(0.1);
      expect(rateOf([...old, ...asked(365, 100, 900)])).toBe(0.4);
      expect(rateOf([...old, ...asked(366, 100, 900), ...asked(500, 0, 500)])).toBe(100 / 1500);
    });

    it('otherwise fits the newest 1,000, and all of the oldest moment of these', () => {
      expect(rateOf([...asked(0, 700, 0), ...asked(400, 100, 700), ...asked(900, 0, 200)])).toBe(0.1);
      expect(rateOf([...asked(0, 700, 0), ...asked(400, 100, 700), ...asked(900, 0, 199)])).toBe(800 / 1699);
    });

    it('refuses one label among those that it fits', () => {
      expect(() => rateOf([...asked(0, 500, 500), ...asked(400, 1000, 0)])).toThrow(
        '"samples" expected both labels, got only label 1 in the newest 1000 samples',
      );
    });

    it('fits all if one has no time', () => {
      expect(rateOf([...asked(0, 500, 0), ...asked(366, 100, 900), ...group(0.4, 0, 1)])).toBe(600 / 1501);
    });
  });

  it('does not depend on the order of samples, to the last bit', () => {
    fc.assert(
      fc.property(samplesToFit, fc.nat(), (samples, seed) => {
        expect(fitCalibration(shuffled(samples, seed))).toEqual(fitCalibration(samples));
      }),
      { numRuns: 200 },
    );
  });

  it('states an interval wherever samples are', () => {
    fc.assert(
      fc.property(samplesToFit, (samples) => {
        const map = fitCalibration(samples);
        fc.pre(map.support.length > 0);
        const { intervalOf } = createCalibration(map);
        for (const { chance } of samples) expect(intervalOf(chance!)).toBeDefined();
        expect(map.support.reduce((sum, { labelled }) => sum + labelled, 0)).toBe(samples.length);
      }),
      { numRuns: 100 },
    );
  });

  it('refuses samples that it cannot be fitted on', () => {
    expect(() => fitCalibration(group(0.5, 25, 24))).toThrow(RangeError);
    expect(() => fitCalibration(group(0.5, 25, 24))).toThrow(
      '"samples" expected at least 50 samples to fit a map, got 49',
    );
    expect(() => fitCalibration(group(0.5, 60, 0))).toThrow(/only label 1 in all 60 samples/);
    const silent = group(0.5, 30, 30).map(({ label, score }) => ({ label, score }));
    expect(() => fitCalibration(silent)).toThrow(TypeError);
    expect(() => fitCalibration(silent)).toThrow(/"samples\[0\]\.chance"/);
  });
});
