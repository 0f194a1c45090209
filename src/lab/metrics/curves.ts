import type { Point } from '../result.ts';
import type { Steps } from './ranked.ts';

// Curves of a ranking, from the highest score down, at most 200 points each. "Ones" are samples with label 1, "zeros"
// are samples with label 0.

/** Returns the ROC curve: [share of zeros, share of ones] at or above each threshold, from [0, 0] to [1, 1]. */
export function rocCurve(steps: Steps): readonly Point[] {
  const { points, ones, zeros } = cumulate(steps);
  return thin([[0, 0], ...points.map(([found, others]): Point => [others / zeros, found / ones])]);
}

/** Returns [recall, precision] at each threshold, by rising recall. */
export function precisionRecallCurve(steps: Steps): readonly Point[] {
  const { points, ones } = cumulate(steps);
  return thin(points.map(([found, others]): Point => [found / ones, found / (found + others)]));
}

/**
 * Returns the lift curve: [share of samples from the top, their share of ones / overall share of ones], up to [1, 1].
 * At least one sample must have label 1.
 */
export function liftCurve(steps: Steps): readonly Point[] {
  const { points, ones, zeros } = cumulate(steps);
  const all = ones + zeros;
  return thin(
    points.map(([found, others]): Point => [(found + others) / all, found / (found + others) / (ones / all)]),
  );
}

function cumulate(steps: Steps): {
  readonly points: readonly (readonly [found: number, others: number])[];
  readonly ones: number;
  readonly zeros: number;
} {
  const points: (readonly [number, number])[] = [];
  let ones = 0;
  let zeros = 0;
  steps.ones.forEach((found, i) => {
    ones += found;
    zeros += steps.zeros[i] ?? 0;
    points.push([ones, zeros]);
  });
  return { points, ones, zeros };
}

/**
 * Returns 2 to `most` points of a curve: both ends, and points at about equal distances along the line, drawn in a unit
 * square. From a dropped point to the next kept one is less than 1/`most` of the line. Taking every n-th point would
 * fail if many scores are equal: then, few points form the curve. Between the ends, no point occurs twice.
 */
export function thin(points: readonly Point[], maxPoints = 200): readonly Point[] {
  const end = points.at(-1);
  if (end === undefined || points.length <= maxPoints) return points;
  const width = extent(points.map(([x]) => x));
  const height = extent(points.map(([, y]) => y));
  const reached: number[] = [];
  let length = 0;
  let [fromX, fromY] = points[0] ?? end;
  for (const [x, y] of points) {
    length += Math.hypot((x - fromX) / width, (y - fromY) / height);
    reached.push(length);
    [fromX, fromY] = [x, y];
  }
  const kept: Point[] = [];
  let keptAt = -1;
  for (const [index, point] of points.slice(0, -1).entries()) {
    const at = reached[index] ?? length;
    if (kept.length >= maxPoints - 1 || at <= keptAt || at < (length * kept.length) / (maxPoints - 1)) continue;
    kept.push(point);
    keptAt = at;
  }
  return [...kept, end];
}

/** Returns the difference of the largest and the smallest value. Returns 1 for equal values: callers divide by it. */
function extent(values: readonly number[]): number {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return most > least ? most - least : 1;
}
