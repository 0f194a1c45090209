import { expect, it } from 'vitest';
import { figureOf } from '../../src/service/cli/commands/bench.ts';

it.each([
  ['several, in any order', [5, 1, 3, 2, 4], 3, 2, 4, 333],
  ['values that sort otherwise as text', [10, 9, 8, 100], 10, 9, 100, 100],
  ['a single one', [4], 4, 4, 4, 250],
])('a figure has the median and the quartiles of its samples: %s', (_, samples, median, lower, upper, perSecond) => {
  expect(figureOf('simd', samples)).toEqual({
    what: 'simd',
    milliseconds: median,
    lowerQuartile: lower,
    upperQuartile: upper,
    identifiersPerSecond: perSecond,
  });
});
