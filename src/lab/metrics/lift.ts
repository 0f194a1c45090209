import type { Point } from '../result.ts';
import type { Steps } from './ranked.ts';
import { cumulate } from './ranking.ts';
import { thin } from './thin.ts';

/** [share of samples from the top, times as many ones in it as in all], by rising share up to [1, 1], at most 200 points. Needs a one. */
export function liftCurve(steps: Steps): readonly Point[] {
  const { points, ones, zeros } = cumulate(steps);
  const all = ones + zeros;
  return thin(
    points.map(([found, others]): Point => [(found + others) / all, found / (found + others) / (ones / all)]),
  );
}
