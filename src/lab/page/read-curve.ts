import type { Point } from '../result.ts';

/** The height of a curve at `x`, on the straight line between its two nearest points; undefined beyond its ends. Where it is upright, the last point counts. */
export function readCurve(points: readonly Point[], x: number): number | undefined {
  const after = points.findIndex(([at]) => at > x);
  const before = points[after === -1 ? points.length - 1 : after - 1];
  if (before === undefined || (after === -1 && before[0] < x)) return undefined;
  const next = points[after];
  if (next === undefined || next[0] === before[0]) return before[1];
  return before[1] + ((next[1] - before[1]) * (x - before[0])) / (next[0] - before[0]);
}
