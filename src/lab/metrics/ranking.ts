import type { Point } from '../result.ts';
import type { Steps } from './ranked.ts';
import { thin } from './thin.ts';

/** Chance that a one is ranked above a zero, ties half. NaN without both. */
export function rocAuc({ ones, zeros }: Steps): number {
  let above = 0;
  let beaten = 0;
  let others = 0;
  for (let i = 0; i < ones.length; i++) {
    // Counts and halves of them: exact, up to a hundred million samples.
    beaten += zeros[i]! * (above + ones[i]! / 2);
    above += ones[i]!;
    others += zeros[i]!;
  }
  return beaten / (above * others);
}

/** Mean over all ones of the share of ones among the samples ranked at least as high: equal scores are one threshold. NaN without ones. */
export function averagePrecision({ ones, zeros }: Steps): number {
  let found = 0;
  let others = 0;
  let sum = 0;
  for (let i = 0; i < ones.length; i++) {
    found += ones[i]!;
    others += zeros[i]!;
    // A step without a one may be the first, and then nothing, not even a share, is known.
    if (ones[i]! > 0) sum += ones[i]! * (found / (found + others));
  }
  return sum / found;
}

/** The same question from the other end: how well zeros are found from the lowest score up. */
export function averagePrecisionOfZeros({ ones, zeros }: Steps): number {
  // slice: reversing in place would turn the caller's steps round.
  return averagePrecision({ ones: zeros.slice().reverse(), zeros: ones.slice().reverse() });
}

/** [share of zeros at or above the threshold, share of ones], from [0, 0] to [1, 1], at most 200 points. */
export function rocCurve(steps: Steps): readonly Point[] {
  const { points, ones, zeros } = cumulate(steps);
  return thin([[0, 0], ...points.map(([found, others]): Point => [others / zeros, found / ones])]);
}

/** [recall, precision] at each threshold, by rising recall, at most 200 points. */
export function precisionRecallCurve(steps: Steps): readonly Point[] {
  const { points, ones } = cumulate(steps);
  return thin(points.map(([found, others]): Point => [found / ones, found / (found + others)]));
}

/** Ones and zeros at or above each threshold, and in all. */
export function cumulate(steps: Steps): {
  points: (readonly [found: number, others: number])[];
  ones: number;
  zeros: number;
} {
  const points: (readonly [number, number])[] = [];
  let ones = 0;
  let zeros = 0;
  for (let i = 0; i < steps.ones.length; i++) {
    ones += steps.ones[i]!;
    zeros += steps.zeros[i]!;
    points.push([ones, zeros]);
  }
  return { points, ones, zeros };
}
