import type { Point } from '../result.ts';

type Interval = readonly [from: number, to: number];

/** Values to coordinates of a drawing. */
export interface Scale {
  (value: number): number;
  readonly domain: Interval;
  /** Returns about `count` round values of the domain, in ascending order. */
  ticks(count: number): number[];
  /** Returns a scale whose domain is wider and ends at values that `ticks(count)` returns. */
  nice(count: number): Scale;
}

/** Returns the linear scale of a domain, whose ends are in ascending order, to a range. */
export function linearScale(domain: Interval, range: Interval): Scale {
  const [start, stop] = domain;
  const scale = (value: number): number => {
    // A domain of one value is in the middle of the range.
    const share = start === stop ? 0.5 : (value - start) / (stop - start);
    return range[0] * (1 - share) + range[1] * share;
  };
  return Object.assign(scale, {
    domain,
    ticks(count: number): number[] {
      if (start === stop) return [start];
      const { at, indexOf } = stepsOf(domain, count);
      let first = Math.round(indexOf(start));
      let last = Math.round(indexOf(stop));
      if (at(first) < start) first++;
      if (at(last) > stop) last--;
      return Array.from({ length: last - first + 1 }, (_, index) => at(first + index));
    },
    nice: (count: number) => linearScale(widen(domain, count), range),
  });
}

/** Widens a domain to whole steps. A wider domain may need longer steps, so this repeats. */
function widen(domain: Interval, count: number): Interval {
  let [start, stop] = domain;
  for (let before = NaN; start < stop;) {
    const { at, indexOf } = stepsOf([start, stop], count);
    if (at(1) === before) break;
    before = at(1);
    [start, stop] = [at(Math.floor(indexOf(start))), at(Math.ceil(indexOf(stop)))];
  }
  return [start, stop];
}

/** Returns the multiples of a step of 1, 2 or 5 times a power of ten, of which about `count` fill the domain. */
function stepsOf([start, stop]: Interval, count: number) {
  const length = (stop - start) / count;
  const power = Math.floor(Math.log10(length));
  const error = length / 10 ** power;
  const factor = error >= Math.sqrt(50) ? 10 : error >= Math.sqrt(10) ? 5 : error >= Math.SQRT2 ? 2 : 1;
  // Only whole numbers: a multiple of 0.1 is not exact.
  const [size, perOne] = power < 0 ? [1, 10 ** -power / factor] : [10 ** power * factor, 1];
  return { at: (index: number) => (index * size) / perOne, indexOf: (value: number) => (value * perOne) / size };
}

/** Rounds a coordinate of a path to a tenth. Finer differences are invisible. */
function tenth(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}

/** Returns the path of a line through these coordinates. */
export function toLine(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${tenth(x)},${tenth(y)}`).join('');
}

/** Returns the path of the area between two lines with the same places from left to right. */
export function toArea(upper: readonly Point[], lower: readonly Point[]): string {
  return upper.length === 0 ? '' : `${toLine([...upper, ...[...lower].reverse()])}Z`;
}
