import type { Steps } from './ranked.ts';

/**
 * Returns the probability that a sample with label 1 ranks above a sample with label 0. Ties count half. If a label is
 * missing, returns NaN.
 */
export function rocAuc({ ones, zeros }: Steps): number {
  let above = 0;
  let beaten = 0;
  let others = 0;
  for (let i = 0; i < ones.length; i++) {
    const count = ones[i] ?? 0;
    const zerosHere = zeros[i] ?? 0;
    // Floats represent these counts and half counts exactly, up to a hundred million samples.
    beaten += zerosHere * (above + count / 2);
    above += count;
    others += zerosHere;
  }
  return beaten / (above * others);
}

/**
 * Returns the average precision. For each one (label 1), take the share of ones among the samples with the same or a
 * higher score. The result is the mean of these shares. Without ones, returns NaN.
 */
export function averagePrecision({ ones, zeros }: Steps): number {
  let found = 0;
  let others = 0;
  let sum = 0;
  for (let i = 0; i < ones.length; i++) {
    const count = ones[i] ?? 0;
    found += count;
    others += zeros[i] ?? 0;
    // If the top step has no samples, the division would be 0 by 0.
    if (count > 0) sum += count * (found / (found + others));
  }
  return sum / found;
}

/** Returns the average precision of finding samples with label 0, from the lowest score up. */
export function averagePrecisionOfZeros({ ones, zeros }: Steps): number {
  // `slice` copies: `reverse` would change the caller's steps.
  return averagePrecision({ ones: zeros.slice().reverse(), zeros: ones.slice().reverse() });
}
