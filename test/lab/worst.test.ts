import { describe, expect, it } from 'vitest';
import type { Miss } from '../../src/lab/result.ts';
import { createWorst } from '../../src/lab/worst.ts';

const miss = (label: 0 | 1, name: string): Miss => ({
  at: '',
  label,
  points: 0,
  reported: 1,
  reliability: 0,
  sentences: [name],
});
const offer = (places: number, errors: readonly (readonly [label: 0 | 1, error: number, name: string])[]): string[] => {
  const worst = createWorst(places);
  for (const [label, error, name] of errors) if (worst.wants(label, error)) worst.add(error, miss(label, name));
  return worst.list().map(({ sentences }) => sentences[0]!);
};

describe('the worst misses', () => {
  it('are limited for each label, and sorted over both', () => {
    expect(
      offer(2, [
        [0, 0.1, 'a'],
        [0, 0.9, 'b'],
        [1, 0.3, 'c'],
        [0, 0.5, 'd'],
        [1, 0.2, 'e'],
        [1, 0.7, 'f'],
      ]),
    ).toEqual(['b', 'f', 'd', 'c']);
  });

  it('keep the earlier of two equal errors', () => {
    expect(
      offer(2, [
        [0, 0.5, 'a'],
        [0, 0.5, 'b'],
        [0, 0.5, 'c'],
      ]),
    ).toEqual(['a', 'b']);
    expect(
      offer(3, [
        [0, 0.5, 'a'],
        [0, 0.5, 'b'],
        [0, 0.6, 'c'],
        [0, 0.5, 'd'],
      ]),
    ).toEqual(['c', 'a', 'b']);
  });

  it('are wanted only if they enter the list', () => {
    const worst = createWorst(1);
    expect(worst.wants(0, 0)).toBe(true);
    worst.add(0.4, miss(0, 'a'));
    expect([worst.wants(0, 0.4), worst.wants(0, 0.41), worst.wants(1, 0.1)]).toEqual([false, true, true]);
    expect(createWorst(0).wants(1, 1)).toBe(false);
    expect(offer(0, [[1, 1, 'a']])).toEqual([]);
  });
});
