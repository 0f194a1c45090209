import { mean, variance } from 'simple-statistics';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/lab/random.ts';

const draw = (seed: number, count: number): number[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => random());
};

describe('seeded randomness', () => {
  it('is the same for the same seed and different for a close one', () => {
    expect(draw(7, 100)).toEqual(draw(7, 100));
    const seeds = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER];
    expect(new Set(seeds.map((seed) => draw(seed, 1)[0])).size).toBe(seeds.length);
  });

  it('never changes: recorded worlds must stay reproducible', () => {
    expect(draw(1, 3)).toMatchInlineSnapshot(`
      [
        0.2118513533120655,
        0.8376471722754336,
        0.13966040999985485,
      ]
    `);
  });

  it('lies in [0, 1) and is uniform, alone and in pairs', () => {
    const values = draw(42, 100_000);
    expect(values.every((v) => v >= 0 && v < 1)).toBe(true);
    expect(mean(values)).toBeCloseTo(0.5, 2);
    expect(variance(values)).toBeCloseTo(1 / 12, 2);
    // 100 cells of consecutive pairs: chi-squared with 99 degrees of freedom is below 160 for all but one of 10,000
    // seeds.
    const cells = new Float64Array(100);
    for (let i = 0; i + 1 < values.length; i += 2)
      cells[Math.floor(values[i]! * 10) * 10 + Math.floor(values[i + 1]! * 10)]! += 1;
    expect(cells.reduce((sum, n) => sum + (n - 500) ** 2 / 500, 0)).toBeLessThan(160);
  });

  it('gives close seeds unrelated first numbers', () => {
    const firsts = Array.from({ length: 10_000 }, (_, seed) => createRandom(seed)());
    expect(mean(firsts)).toBeCloseTo(0.5, 1);
    expect(variance(firsts)).toBeCloseTo(1 / 12, 2);
  });

  it.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])('refuses the seed %s', (seed) => {
    expect(() => createRandom(seed)).toThrow(RangeError);
  });
});
