import { describe, expect, it } from 'vitest';
import { createReservoir } from '../../src/lab/reservoir.ts';

const draw = (most: number, of: number, seed: number): readonly number[] => {
  const reservoir = createReservoir<number>(most, seed);
  for (let item = 0; item < of; item++) reservoir.offer(item);
  expect(reservoir.offered()).toBe(of);
  return reservoir.items;
};

describe('a reservoir', () => {
  it('keeps all items in order while there is room', () => {
    expect(draw(5, 3, 1)).toEqual([0, 1, 2]);
    expect(draw(5, 5, 1)).toEqual([0, 1, 2, 3, 4]);
    expect(draw(5, 0, 1)).toEqual([]);
    expect(draw(0, 5, 1)).toEqual([]);
  });

  it('keeps at most the given number, each once, the same for the same seed', () => {
    const items = draw(50, 1000, 7);
    expect(new Set(items).size).toBe(50);
    expect(draw(50, 1000, 7)).toEqual(items);
    expect(draw(50, 1000, 8)).not.toEqual(items);
  });

  it('keeps early and late items equally often', () => {
    const kept = Array.from({ length: 40 }, () => 0);
    for (let seed = 0; seed < 4000; seed++) for (const item of draw(10, 40, seed)) kept[item]!++;
    // Each with probability 1/4: 1,000 times, standard deviation 27.
    for (const times of kept) expect(Math.abs(times - 1000)).toBeLessThan(5 * 27.4);
  });
});
