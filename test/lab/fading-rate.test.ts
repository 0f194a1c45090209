import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxLogLikelihood, type Point } from '../../src/lab/fading-rate.ts';

/** The highest log-likelihood of rates in steps of 1/200, with half a query of each label added to both rates. */
function byGrid(points: readonly Point[], fresh: readonly number[]): number {
  let most = -Infinity;
  for (let i = 1; i < 200; i++)
    for (let j = i; j < 200; j++) {
      const [f, r] = [i / 200, j / 200];
      let sum = 0.5 * (Math.log(f) + Math.log(1 - f) + Math.log(r) + Math.log(1 - r));
      for (const [at, { ones, zeros }] of points.entries()) {
        const rate = f + (r - f) * fresh[at]!;
        sum += ones * Math.log(rate) + zeros * Math.log(1 - rate);
      }
      most = Math.max(most, sum);
    }
  return most;
}

const history = fc
  .array(fc.record({ ageDays: fc.nat(500), ones: fc.nat(20), zeros: fc.nat(20) }), { minLength: 1, maxLength: 5 })
  .chain((points) => fc.tuple(fc.constant(points), fc.integer({ min: 1, max: 1000 })))
  .map(([points, halfLife]) => ({ points, fresh: points.map(({ ageDays }) => 2 ** (-ageDays / halfLife)) }));

describe('the rates that fit best', () => {
  it('are as likely as the best of all rates on a grid, or slightly more', () => {
    fc.assert(
      fc.property(history, ({ points, fresh }) => {
        const best = byGrid(points, fresh);
        const found = maxLogLikelihood(points, fresh);
        expect(found).toBeGreaterThanOrEqual(best - 1e-6);
        // Between two points of the grid, 200 queries gain little.
        expect(found).toBeLessThan(best + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('do not rise with age: the rates are then one, with one query of each label added', () => {
    const points = [
      { ageDays: 0, ones: 10, zeros: 90 },
      { ageDays: 100, ones: 90, zeros: 10 },
    ];
    expect(maxLogLikelihood(points, [1, 0])).toBeCloseTo(202 * Math.log(0.5), 9);
    expect(maxLogLikelihood(points, [1, 0.5])).toBeCloseTo(202 * Math.log(0.5), 9);
  });
});
