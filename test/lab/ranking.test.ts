import fc from 'fast-check';
import { wilcoxonRankSum } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { countSteps, rank, type Steps } from '../../src/lab/metrics/ranked.ts';
import { averagePrecision, averagePrecisionOfZeros, rocAuc } from '../../src/lab/metrics/ranking.ts';
import { thin } from '../../src/lab/metrics/curves.ts';
import type { Point } from '../../src/lab/result.ts';
import type { Sample } from '../../src/lab/sample.ts';
import { inOrder, samplesWithTies } from './samples.ts';

const stepsOf = (samples: readonly Sample[]): Steps =>
  countSteps(rank(samples), new Float64Array(samples.length).fill(1));
const scores = (samples: readonly Sample[], wanted: 0 | 1): number[] =>
  samples.filter(({ label }) => label === wanted).map(({ score }) => score);
const turned = (samples: readonly Sample[]): Sample[] =>
  samples.map((sample) => ({ ...sample, score: 30 - sample.score }));
const swapped = (samples: readonly Sample[]): Sample[] =>
  samples.map((sample) => ({ ...sample, label: sample.label === 1 ? 0 : 1 }));

/**
 * Average precision by definition: the mean over all ones of the share of ones among samples with at least their score.
 */
function averagePrecisionByHand(samples: readonly Sample[]): number {
  const ones = scores(samples, 1);
  return (
    ones.reduce((sum, score) => {
      const above = samples.filter((other) => other.score >= score);
      return sum + scores(above, 1).length / above.length;
    }, 0) / ones.length
  );
}

describe('ROC-AUC', () => {
  it.each([
    ['10', 1],
    ['01', 0],
    ['1010', 0.75],
    ['1001', 0.5],
    ['11010', 5 / 6],
  ])('of %s is %f', (labels, value) => {
    expect(rocAuc(stepsOf(inOrder(labels)))).toBeCloseTo(value, 12);
  });

  it('counts a tie as half', () => {
    expect(
      rocAuc(
        stepsOf([
          { label: 1, score: 2 },
          { label: 0, score: 2 },
          { label: 0, score: 1 },
        ]),
      ),
    ).toBe(0.75);
  });

  it('agrees with the rank sum of Wilcoxon', () => {
    fc.assert(
      fc.property(samplesWithTies, (samples) => {
        const ones = scores(samples, 1);
        const zeros = scores(samples, 0);
        const oracle =
          (wilcoxonRankSum(ones, zeros) - (ones.length * (ones.length + 1)) / 2) / (ones.length * zeros.length);
        expect(rocAuc(stepsOf(samples))).toBeCloseTo(oracle, 12);
      }),
      { numRuns: 1000 },
    );
  });

  it('is its complement if the ranking or the labels are reversed', () => {
    fc.assert(
      fc.property(samplesWithTies, (samples) => {
        const value = rocAuc(stepsOf(samples));
        expect(rocAuc(stepsOf(turned(samples)))).toBeCloseTo(1 - value, 12);
        expect(rocAuc(stepsOf(swapped(samples)))).toBeCloseTo(1 - value, 12);
      }),
      { numRuns: 500 },
    );
  });
});

describe('average precision', () => {
  it.each([
    ['10', 1],
    ['01', 1 / 2],
    ['1010', (1 + 2 / 3) / 2],
    ['0101', (1 / 2 + 2 / 4) / 2],
    ['11001', (1 + 1 + 3 / 5) / 3],
  ])('of %s is %f', (labels, value) => {
    expect(averagePrecision(stepsOf(inOrder(labels)))).toBeCloseTo(value, 12);
  });

  it('treats equal scores as one threshold', () => {
    expect(
      averagePrecision(
        stepsOf([
          { label: 1, score: 1 },
          { label: 0, score: 1 },
          { label: 0, score: 1 },
          { label: 1, score: 0 },
        ]),
      ),
    ).toBeCloseTo((1 / 3 + 2 / 4) / 2, 12);
  });

  it('agrees with its definition, sample by sample', () => {
    fc.assert(
      fc.property(samplesWithTies, (samples) => {
        expect(averagePrecision(stepsOf(samples))).toBeCloseTo(averagePrecisionByHand(samples), 12);
      }),
      { numRuns: 1000 },
    );
  });

  it('of zeros is that of ones with labels and ranking reversed', () => {
    fc.assert(
      fc.property(samplesWithTies, (samples) => {
        expect(averagePrecisionOfZeros(stepsOf(samples))).toBeCloseTo(
          averagePrecisionByHand(turned(swapped(samples))),
          12,
        );
      }),
      { numRuns: 500 },
    );
    expect(averagePrecisionOfZeros(stepsOf(inOrder('10100')))).toBeCloseTo((1 + 1 + 3 / 4) / 3, 12);
  });
});

describe('a thinned curve', () => {
  const line = (count: number, y: (x: number) => number): Point[] =>
    Array.from({ length: count }, (_, i) => [i / (count - 1), y(i / (count - 1))]);

  it('is the same curve if it is short', () => {
    const points = line(200, Math.sqrt);
    expect(thin(points)).toBe(points);
  });

  it('keeps both ends, the order and the number of points', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true })), {
          minLength: 2,
          maxLength: 80,
        }),
        fc.integer({ min: 2, max: 40 }),
        (points, most) => {
          const kept = thin(points, most);
          expect(kept.length).toBeLessThanOrEqual(Math.max(most, 2));
          expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
          const places = kept.map((point) => points.findIndex((own) => own === point));
          expect(places).toEqual([...places].sort((a, b) => a - b));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('leaves no gap if points crowd', () => {
    const crowded = [...line(5000, () => 0).map(([x]): Point => [x / 100, 0]), ...line(5000, (x) => x)].filter(
      ([x], at, all) => at === 0 || x > all[at - 1]![0],
    );
    const kept = thin(crowded);
    expect(kept.length).toBeGreaterThan(150);
    for (let i = 1; i < kept.length; i++) expect(kept[i]![0] - kept[i - 1]![0]).toBeLessThan(0.02);
  });

  it('keeps only the ends of a line without extent', () => {
    expect(thin(Array.from({ length: 300 }, (): Point => [1, 1]))).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });

  it('repeats no point', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })), {
          minLength: 1,
          maxLength: 80,
        }),
        fc.integer({ min: 2, max: 40 }),
        (steps, most) => {
          const points: Point[] = [[0, 0]];
          for (const [right, up] of steps) {
            const [x, y] = points.at(-1)!;
            // Steps of [0, 0] repeat a point of the curve itself.
            points.push([x + right, y + up]);
          }
          fc.pre(points.length > most);
          const kept = thin(points, most);
          expect(new Set(kept).size).toBe(kept.length);
          const inner = kept.slice(0, -1).map(String);
          expect(new Set(inner).size).toBe(inner.length);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
