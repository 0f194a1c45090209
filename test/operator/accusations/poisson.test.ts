import { expect, it } from 'vitest';
import { poissonTail } from '../../../src/operator/accusations/poisson.ts';

it('is the chance of at least so many events', () => {
  // 1 − e^−m (1 + m + m²/2 + …), by hand and with R: ppois(k − 1, m, lower.tail = FALSE).
  expect(poissonTail(1, 0.1)).toBeCloseTo(1 - Math.exp(-0.1), 12);
  expect(poissonTail(2, 1)).toBeCloseTo(1 - 2 * Math.exp(-1), 12);
  expect(poissonTail(5, 0.5) / 1.721_156_299_5e-4).toBeCloseTo(1, 6);
  expect(poissonTail(0, 3)).toBe(1);
  expect(poissonTail(3, 3)).toBe(1);
});

it('falls with the count, grows with the mean, and stays exact far out', () => {
  for (let count = 2; count < 100; count++) {
    expect(poissonTail(count + 1, 1.5)).toBeLessThan(poissonTail(count, 1.5));
    expect(poissonTail(count, 1.5)).toBeLessThanOrEqual(poissonTail(count, 1.9));
  }
  // Almost the whole sum is its first term, e^−.1 · .1^40 / 40!, and 40! is 10^47.9116.
  expect(Math.log10(poissonTail(40, 0.1))).toBeCloseTo(-40 - 47.9116 - 0.0434, 2);
  expect(poissonTail(5_000, 1_000)).toBe(0);
});
