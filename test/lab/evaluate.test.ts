import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, valuesOf } from '../../src/lab/metrics/evaluate.ts';
import type { Evaluation } from '../../src/lab/result.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { drawn, inOrder, samplesWithTies, shuffled } from './samples.ts';

const quick = (samples: readonly Sample[]): Evaluation => evaluate(samples, { seed: 1, resamples: 5 });

describe('evaluate', () => {
  it('returns the figures, curves and counts of a small world', () => {
    const result = quick([
      { label: 1, score: 0.95, chance: 0.95 },
      { label: 0, score: 0.5, chance: 0.5 },
      { label: 1, score: 0.45, chance: 0.45 },
      { label: 0, score: 0.05, chance: 0.05 },
    ]);
    expect(result.rocAuc.value).toBe(0.75);
    expect(result.prAuc.value).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(result.prAucOfZeros.value).toBeCloseTo((1 + 2 / 3) / 2, 12);
    expect(result.roc).toEqual([
      [0, 0],
      [0, 0.5],
      [0.5, 0.5],
      [0.5, 1],
      [1, 1],
    ]);
    expect(result.precisionRecall).toEqual([
      [0.5, 1],
      [0.5, 0.5],
      [1, 2 / 3],
      [1, 0.5],
    ]);
    expect(result.lift).toEqual([
      [0.25, 2],
      [0.5, 1],
      [0.75, 4 / 3],
      [1, 1],
    ]);
    expect(result.calibration).toEqual([
      { stated: 0.05, observed: 0, count: 1 },
      { stated: 0.45, observed: 1, count: 1 },
      { stated: 0.5, observed: 0, count: 1 },
      { stated: 0.95, observed: 1, count: 1 },
    ]);
    expect(result.ece!.value).toBeCloseTo((0.05 + 0.55 + 0.5 + 0.05) / 4, 12);
    expect(result.brier!.value).toBeCloseTo((0.05 ** 2 + 0.55 ** 2 + 0.5 ** 2 + 0.05 ** 2) / 4, 12);
    expect(result.scores.most).toBe(1);
    expect(result.scores.ones.reduce((a, b) => a + b)).toBe(2);
  });

  it('rates the best, the worst and the uninformative ranking', () => {
    expect(quick(inOrder('1100'))).toMatchObject({
      rocAuc: { value: 1 },
      prAuc: { value: 1 },
      prAucOfZeros: { value: 1 },
    });
    expect(quick(inOrder('0011')).rocAuc.value).toBe(0);
    const equal = quick(inOrder('1000').map((sample) => ({ ...sample, score: 0 })));
    expect(equal).toMatchObject({
      rocAuc: { value: 0.5, low: 0.5, high: 0.5 },
      prAuc: { value: 0.25 },
      prAucOfZeros: { value: 0.75 },
    });
    expect(equal.roc).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('leaves out calibration for a model that states no chance', () => {
    const result = quick(inOrder('10'));
    expect(result.calibration).toEqual([]);
    expect(Object.keys(result).sort()).toEqual([
      'calibration',
      'lift',
      'prAuc',
      'prAucOfZeros',
      'precisionRecall',
      'roc',
      'rocAuc',
      'scores',
    ]);
  });

  it('does not depend on the order of samples, to the last bit', () => {
    fc.assert(
      fc.property(samplesWithTies, fc.nat(), fc.boolean(), (samples, seed, stated) => {
        const given = stated ? samples.map((sample, at) => ({ ...sample, chance: (at % 7) / 7 })) : samples;
        expect(quick(shuffled(given, seed))).toEqual(quick(given));
      }),
      { numRuns: 200 },
    );
  });

  it('has the same values without intervals and curves', () => {
    fc.assert(
      fc.property(samplesWithTies, fc.boolean(), (samples, stated) => {
        const given = stated ? samples.map((sample, at) => ({ ...sample, chance: (at % 7) / 7 })) : samples;
        const { rocAuc, prAuc, prAucOfZeros, ece, brier } = quick(given);
        const values = { rocAuc: rocAuc.value, prAuc: prAuc.value, prAucOfZeros: prAucOfZeros.value };
        expect(valuesOf(given)).toStrictEqual(stated ? { ...values, ece: ece!.value, brier: brier!.value } : values);
      }),
      { numRuns: 100 },
    );
    expect(() => valuesOf(inOrder('11'))).toThrow(
      new RangeError('"samples" expected both labels, got only label 1 in all 2 samples'),
    );
  });

  it('has the same ranking figures after a strictly increasing transform of the scores', () => {
    fc.assert(
      fc.property(
        samplesWithTies,
        fc.constantFrom(
          (x: number) => x ** 3,
          (x: number) => 7 * x + 2,
          (x: number) => Math.expm1(x),
          (x: number) => x / 1000,
        ),
        (samples, bend) => {
          const { scores: _, ...ranked } = quick(samples);
          const { scores: __, ...again } = quick(samples.map((sample) => ({ ...sample, score: bend(sample.score) })));
          expect(again).toEqual(ranked);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('keeps all figures and points in range, and the ends of each curve', () => {
    fc.assert(
      fc.property(samplesWithTies, (samples) => {
        const { rocAuc, prAuc, prAucOfZeros, roc, precisionRecall, lift } = quick(samples);
        for (const { value, low, high } of [rocAuc, prAuc, prAucOfZeros]) {
          expect(0 <= low && low <= value && value <= high && high <= 1).toBe(true);
        }
        expect([roc[0], roc.at(-1), lift.at(-1)]).toEqual([
          [0, 0],
          [1, 1],
          [1, 1],
        ]);
        expect(precisionRecall.at(-1)).toEqual([1, samples.filter(({ label }) => label === 1).length / samples.length]);
        for (const curve of [roc, precisionRecall, lift])
          for (let i = 1; i < curve.length; i++) expect(curve[i]![0]).toBeGreaterThanOrEqual(curve[i - 1]![0]);
      }),
      { numRuns: 200 },
    );
  });

  it('thins the curves of many samples to 200 points without changing their shape', () => {
    const samples = drawn(3, 5000);
    const { roc, precisionRecall, lift, rocAuc } = quick(samples);
    for (const curve of [roc, precisionRecall, lift]) expect(curve.length).toBe(200);
    // The area under the drawn curve equals the figure.
    let area = 0;
    for (let i = 1; i < roc.length; i++) area += ((roc[i]![0] - roc[i - 1]![0]) * (roc[i]![1] + roc[i - 1]![1])) / 2;
    expect(area).toBeCloseTo(rocAuc.value, 2);
  });
});

describe('evaluate: invalid samples and options', () => {
  const one: Sample = { label: 1, score: 1 };
  const zero: Sample = { label: 0, score: 1 };

  it.each<[string, unknown[], RegExp]>([
    ['no samples', [], /samples of both labels, got none/],
    ['only ones', [one, one], /only label 1 in all 2 samples/],
    ['only zeros', [zero], /only label 0 in all 1 samples/],
    ['another label', [one, { ...zero, label: 2 }], /"samples\[1\]\.label" expected the number 0 or 1, got 2/],
    [
      'a negative score',
      [one, { ...zero, score: -1 }],
      /"samples\[1\]\.score" expected a finite number of at least 0, got -1/,
    ],
    ['no score', [{ ...one, score: Number.NaN }, zero], /"samples\[0\]\.score".+NaN/],
    ['an endless score', [one, { ...zero, score: Infinity }], /"samples\[1\]\.score"/],
    [
      'a chance above 1',
      [
        { ...one, chance: 1.01 },
        { ...zero, chance: 0 },
      ],
      /"samples\[0\]\.chance" expected a number from 0 to 1, got 1\.01/,
    ],
  ])('refuses %s', (_, samples, message) => {
    expect(() => quick(samples as Sample[])).toThrow(RangeError);
    expect(() => quick(samples as Sample[])).toThrow(message);
  });

  it('refuses chances that only some samples state', () => {
    expect(() => quick([one, { ...zero, chance: 0.5 }])).toThrow(TypeError);
    expect(() => quick([{ ...one, chance: 0.5 }, zero])).toThrow(
      /"samples\[1\]\.chance" expected a number, as in "samples\[0\]", got undefined/,
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %s resamples', (resamples) => {
    expect(() => evaluate([one, zero], { seed: 1, resamples })).toThrow(
      /"resamples" expected a whole number of at least 1/,
    );
  });

  it('refuses an invalid seed', () => {
    expect(() => evaluate([one, zero], { seed: -1 })).toThrow(/"seed"/);
  });
});
