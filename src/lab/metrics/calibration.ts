import type { CalibrationBin } from '../result.ts';

const BINS = 10;

/**
 * What was stated and what was so, in 10 equal bins from 0 to 1, each without its upper end but the last; empty ones are left out.
 * @param chances each 0 to 1. `labels` (0 or 1) and `times` (how often a sample counts) go with them, one by one.
 */
export function calibrationBins(
  chances: Float64Array,
  labels: Uint8Array,
  times: Float64Array,
): readonly CalibrationBin[] {
  const stated = new Float64Array(BINS);
  const ones = new Float64Array(BINS);
  const counts = new Float64Array(BINS);
  for (let i = 0; i < chances.length; i++) {
    const bin = Math.min(BINS - 1, Math.floor(chances[i]! * BINS));
    stated[bin]! += times[i]! * chances[i]!;
    ones[bin]! += times[i]! * labels[i]!;
    counts[bin]! += times[i]!;
  }
  const bins: CalibrationBin[] = [];
  for (const [bin, count] of counts.entries()) {
    if (count > 0) bins.push({ stated: stated[bin]! / count, observed: ones[bin]! / count, count });
  }
  return bins;
}

/** Expected calibration error: by how much stated and observed differ, on average over samples; 0 to 1. NaN without a bin. */
export function calibrationError(bins: readonly CalibrationBin[]): number {
  let sum = 0;
  let count = 0;
  for (const bin of bins) {
    sum += bin.count * Math.abs(bin.stated - bin.observed);
    count += bin.count;
  }
  return sum / count;
}

/** Brier score: the mean squared difference of chance and label; 0 to 1, .25 for a coin. Takes what `calibrationBins` takes. */
export function brierScore(chances: Float64Array, labels: Uint8Array, times: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < chances.length; i++) {
    sum += times[i]! * (chances[i]! - labels[i]!) ** 2;
    count += times[i]!;
  }
  return sum / count;
}
