import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linearScale, toArea, toLine } from '../../src/lab/page/scale.ts';

const value = fc.oneof(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.double({ min: -50, max: 50, noNaN: true }));
const domain = fc
  .tuple(value, value)
  .map(([one, other]): [number, number] => [Math.min(one, other), Math.max(one, other)]);
const isDrawn = ([start, stop]: [number, number]): boolean => start === stop || stop - start > 1e-9;
const RANGE: [number, number] = [250, 32];

it('places, marks and widens as d3 does', () => {
  fc.assert(
    fc.property(domain.filter(isDrawn), fc.integer({ min: 2, max: 6 }), value, ([start, stop], count, at) => {
      const own = linearScale([start, stop], RANGE);
      const theirs = scaleLinear([start, stop], RANGE);
      expect(own(at)).toBe(theirs(at));
      expect(own.ticks(count)).toEqual(theirs.ticks(count));
      const [wide, nice] = [own.nice(count), theirs.nice(count)];
      expect(wide(at)).toBe(nice(at));
      expect(wide.ticks(count)).toEqual(nice.ticks(count));
    }),
    { numRuns: 1000 },
  );
});

it('draws lines and areas as d3 does', () => {
  const coordinate = fc.double({ min: -500, max: 500, noNaN: true });
  const points = fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 8 });
  fc.assert(
    fc.property(points, (drawn) => {
      const upper = drawn.map(([x, y]): [number, number] => [x, y]);
      const lower = drawn.map(([x, , y]): [number, number] => [x, y]);
      // d3 closes a line of one point, which shows nothing.
      expect(toLine(upper)).toBe((line().digits(1)(upper) ?? '').replace('Z', ''));
      const theirs = area<[number, number, number]>()
        .x(([x]) => x)
        .y0(([, , y]) => y)
        .y1(([, y]) => y)
        .digits(1);
      expect(toArea(upper, lower)).toBe(theirs(drawn) ?? '');
    }),
  );
});
