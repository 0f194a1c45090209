import type { Point } from '../result.ts';

/**
 * At most `most` points of a curve, both ends among them, about evenly spaced along its line as drawn in a unit square: a point that is left out
 * lies within a `most`-th of the line's length before one that is kept. Every n-th point would not do: where many scores are equal, few points carry the curve.
 */
export function thin(points: readonly Point[], most = 200): readonly Point[] {
  if (points.length <= most) return points;
  const width = extent(points, 0);
  const height = extent(points, 1);
  const reached = [0];
  for (let i = 1; i < points.length; i++) {
    const [fromX, fromY] = points[i - 1]!;
    const [toX, toY] = points[i]!;
    reached.push(reached[i - 1]! + Math.hypot((toX - fromX) / width, (toY - fromY) / height));
  }
  const length = reached.at(-1)!;
  const kept = [points[0]!];
  for (let i = 1; i < points.length - 1 && kept.length < most - 1; i++) {
    if (reached[i]! >= (length * kept.length) / (most - 1)) kept.push(points[i]!);
  }
  return [...kept, points.at(-1)!];
}

/** How far the points spread along one axis; 1 for a flat line, which has no extent to divide by. */
function extent(points: readonly Point[], axis: 0 | 1): number {
  let least = Infinity;
  let most = -Infinity;
  for (const point of points) {
    least = Math.min(least, point[axis]);
    most = Math.max(most, point[axis]);
  }
  return most > least ? most - least : 1;
}
