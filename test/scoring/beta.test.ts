import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaProbability, betaQuantile } from '../../src/core/scoring/beta.ts';

const shape = fc.double({ min: 0.5, max: 5000, noNaN: true });
const probability = fc.double({ min: 0.001, max: 0.999, noNaN: true });

describe('the beta distribution', () => {
  it.each([
    // Computed with SciPy 1.17 (scipy.stats.beta.ppf).
    [0.025, 0.5, 0.5, 0.001541333133436],
    [0.025, 0.5, 30.5, 0.000016231861223],
    [0.975, 0.5, 30.5, 0.07967817381726],
    [0.025, 41.5, 59.5, 0.317297742461614],
    [0.975, 41.5, 59.5, 0.507828341634299],
    [0.5, 3, 7, 0.286236668022783],
    [0.975, 1.2, 0.7, 0.995799166279275],
    [0.025, 700.5, 300.5, 0.671050346075289],
    [0.975, 40000.5, 10000.5, 0.803488665654546],
    [0.025, 90000.5, 10000.5, 0.898129038955745],
  ])('has the quantile %f with the shapes %f and %f at %f', (p, a, b, x) => {
    expect(betaQuantile(p, a, b)).toBeCloseTo(x, 11);
  });

  it('has quantiles that formulas give', () => {
    fc.assert(
      fc.property(probability, shape, (p, a) => {
        expect(betaQuantile(p, a, 1)).toBeCloseTo(p ** (1 / a), 10);
        expect(betaQuantile(p, 1, a)).toBeCloseTo(1 - (1 - p) ** (1 / a), 10);
        // The arcsine distribution.
        expect(betaQuantile(p, 0.5, 0.5)).toBeCloseTo(Math.sin((Math.PI / 2) * p) ** 2, 10);
      }),
    );
  });

  it('has probabilities that are binomial sums for whole shapes', () => {
    // 1 − .7^5 − 5 · .3 · .7^4: at least 2 of 5, and P(X ≤ .3) of Beta(2, 4).
    expect(betaProbability(0.3, 2, 4)).toBeCloseTo(1 - 0.7 ** 5 - 5 * 0.3 * 0.7 ** 4, 13);
    expect([-1, 0, 1, 2].map((x) => betaProbability(x, 2, 4))).toEqual([0, 0, 1, 1]);
  });

  it('is its mirror image with the shapes swapped, and the quantile inverts the probability', () => {
    fc.assert(
      fc.property(probability, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        expect(betaQuantile(1 - p, b, a)).toBeCloseTo(1 - x, 10);
        expect(betaProbability(x, a, b)).toBeCloseTo(p, 8);
      }),
    );
  });
});
