import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOfThresholds, type JudgedQuery } from '../../src/lab/thresholds.ts';

const query = (label: 0 | 1, points: number, ...kinds: string[]): JudgedQuery => ({ label, points, kinds });

describe('the cost of a threshold', () => {
  const judged = [
    query(1, 80, 'email', 'ip'),
    query(0, 50, 'ip'),
    query(1, 50, 'email'),
    query(0, 10, 'ip', 'ip'),
    query(0, 0),
  ];

  it('is counted over all queries and for each kind that matched', () => {
    expect(costOfThresholds(judged, [50, 81, 1, 50])).toEqual([
      {
        kind: 'all',
        threshold: 1,
        blocked: 4,
        blockedOnes: 2,
        blockedZeros: 2,
        ones: 2,
        zeros: 3,
        precision: 0.5,
        recall: 1,
        falsePositiveRate: 2 / 3,
      },
      {
        kind: 'all',
        threshold: 50,
        blocked: 3,
        blockedOnes: 2,
        blockedZeros: 1,
        ones: 2,
        zeros: 3,
        precision: 2 / 3,
        recall: 1,
        falsePositiveRate: 1 / 3,
      },
      {
        kind: 'all',
        threshold: 81,
        blocked: 0,
        blockedOnes: 0,
        blockedZeros: 0,
        ones: 2,
        zeros: 3,
        precision: undefined,
        recall: 0,
        falsePositiveRate: 0,
      },
      {
        kind: 'email',
        threshold: 1,
        blocked: 2,
        blockedOnes: 2,
        blockedZeros: 0,
        ones: 2,
        zeros: 0,
        precision: 1,
        recall: 1,
        falsePositiveRate: undefined,
      },
      {
        kind: 'email',
        threshold: 50,
        blocked: 2,
        blockedOnes: 2,
        blockedZeros: 0,
        ones: 2,
        zeros: 0,
        precision: 1,
        recall: 1,
        falsePositiveRate: undefined,
      },
      {
        kind: 'email',
        threshold: 81,
        blocked: 0,
        blockedOnes: 0,
        blockedZeros: 0,
        ones: 2,
        zeros: 0,
        precision: undefined,
        recall: 0,
        falsePositiveRate: undefined,
      },
      {
        kind: 'ip',
        threshold: 1,
        blocked: 3,
        blockedOnes: 1,
        blockedZeros: 2,
        ones: 1,
        zeros: 2,
        precision: 1 / 3,
        recall: 1,
        falsePositiveRate: 1,
      },
      {
        kind: 'ip',
        threshold: 50,
        blocked: 2,
        blockedOnes: 1,
        blockedZeros: 1,
        ones: 1,
        zeros: 2,
        precision: 0.5,
        recall: 1,
        falsePositiveRate: 0.5,
      },
      {
        kind: 'ip',
        threshold: 81,
        blocked: 0,
        blockedOnes: 0,
        blockedZeros: 0,
        ones: 1,
        zeros: 2,
        precision: undefined,
        recall: 0,
        falsePositiveRate: 0,
      },
    ]);
  });

  it('has all first, then kinds by code unit, and a kind named all apart', () => {
    const rows = costOfThresholds([query(1, 5, 'phone', 'all', 'aa', 'constructor', '__proto__')], [1]);
    expect(rows.map(({ kind }) => kind)).toEqual(['all', '__proto__', 'aa', 'all', 'constructor', 'phone']);
  });

  it('has undefined shares without queries', () => {
    expect(costOfThresholds([], [10])).toEqual([
      {
        kind: 'all',
        threshold: 10,
        blocked: 0,
        blockedOnes: 0,
        blockedZeros: 0,
        ones: 0,
        zeros: 0,
        precision: undefined,
        recall: undefined,
        falsePositiveRate: undefined,
      },
    ]);
    expect(costOfThresholds(judged, [])).toEqual([]);
  });

  it('falls with the threshold, and never exceeds the number of queries', () => {
    const queries = fc.array(
      fc.record({
        label: fc.constantFrom(0 as const, 1 as const),
        points: fc.integer({ min: 0, max: 100 }),
        kinds: fc.array(fc.constantFrom('ip', 'email', 'phone')),
      }),
    );
    fc.assert(
      fc.property(
        queries,
        fc.array(fc.integer({ min: -1, max: 101 }), { minLength: 1, maxLength: 10 }),
        (given, thresholds) => {
          const rows = costOfThresholds(given, thresholds);
          for (const [at, row] of rows.entries()) {
            expect(row.blocked).toBe(row.blockedOnes + row.blockedZeros);
            expect(row.blockedOnes).toBeLessThanOrEqual(row.ones);
            expect(row.blockedZeros).toBeLessThanOrEqual(row.zeros);
            const before = rows[at - 1];
            if (before?.kind === row.kind)
              expect(
                row.blockedOnes <= before.blockedOnes &&
                  row.blockedZeros <= before.blockedZeros &&
                  row.threshold > before.threshold,
              ).toBe(true);
          }
          expect(rows[0]!.ones + rows[0]!.zeros).toBe(given.length);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('refuses thresholds and points that are not finite', () => {
    expect(() => costOfThresholds(judged, [1, Number.NaN])).toThrow(
      '"thresholds[1]" expected a finite number, got NaN',
    );
    expect(() => costOfThresholds([query(1, Infinity)], [1])).toThrow(
      '"judged[0].points" expected a finite number, got Infinity',
    );
  });
});
