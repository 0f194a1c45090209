import type { CalibrationBin, Evaluation } from '../result.ts';
import type { Sample } from '../sample.ts';
import { wilson } from './wilson.ts';

/** A bin with the 95 % interval (Wilson) of its observed share. */
export interface IntervalBin extends CalibrationBin {
  readonly low: number;
  readonly high: number;
}

/** Equal parts of the stated chances, from 0 to 1. */
export const CALIBRATION_BINS = 10;
const SCORE_BINS = 20;

/**
 * Returns stated and observed shares in 10 equal bins from 0 to 1, without empty bins. A bin includes its lower end;
 * the last bin also includes 1.
 *
 * @param chances 0 to 1 each. `labels` (0 or 1) and `times` (how often a sample counts) have the same order.
 */
export function calibrationBins(
  chances: Float64Array,
  labels: Uint8Array,
  times: Float64Array,
): readonly CalibrationBin[] {
  const bins = Array.from({ length: CALIBRATION_BINS }, () => ({ stated: 0, ones: 0, count: 0 }));
  for (let i = 0; i < chances.length; i++) {
    const chance = chances[i] ?? 0;
    const count = times[i] ?? 0;
    const bin = bins[binOf(chance)];
    if (bin === undefined || count === 0) continue;
    bin.stated += count * chance;
    bin.ones += count * (labels[i] ?? 0);
    bin.count += count;
  }
  return bins
    .filter(({ count }) => count > 0)
    .map(({ stated, ones, count }) => ({ stated: stated / count, observed: ones / count, count }));
}

export function withInterval(bin: CalibrationBin): IntervalBin {
  const [low, high] = wilson(bin.observed, bin.count);
  return { ...bin, low, high };
}

/** Returns the number of the bin of a stated chance, from 0. */
export function binOf(chance: number): number {
  return Math.min(CALIBRATION_BINS - 1, Math.floor(chance * CALIBRATION_BINS));
}

/** Returns the expected calibration error: mean |stated - observed| over samples, 0 to 1. If there are no bins, NaN. */
export function calibrationError(bins: readonly CalibrationBin[]): number {
  let sum = 0;
  let count = 0;
  for (const bin of bins) {
    sum += bin.count * Math.abs(bin.stated - bin.observed);
    count += bin.count;
  }
  return sum / count;
}

/** Returns the Brier score: mean squared difference of chance and label, 0 to 1. It is .25 if each chance is .5. */
export function brierScore(chances: Float64Array, labels: Uint8Array, times: Float64Array): number {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < chances.length; i++) {
    const weight = times[i] ?? 0;
    sum += weight * ((chances[i] ?? 0) - (labels[i] ?? 0)) ** 2;
    count += weight;
  }
  return sum / count;
}

/**
 * Counts scores by label in 20 equal bins from 0 to `most`. A bin includes its lower end; the last bin also includes
 * `most`. `most` is 1 for scores on the scale of probabilities, otherwise the highest score.
 */
export function histogram(samples: readonly Sample[]): Evaluation['scores'] {
  let most = 1;
  for (const { score } of samples) most = Math.max(most, score);
  const ones = Array.from({ length: SCORE_BINS }, () => 0);
  const zeros = [...ones];
  for (const { label, score } of samples) {
    const bin = Math.min(SCORE_BINS - 1, Math.floor((score / most) * SCORE_BINS));
    const side = label === 1 ? ones : zeros;
    side[bin] = (side[bin] ?? 0) + 1;
  }
  return { most, ones, zeros };
}
