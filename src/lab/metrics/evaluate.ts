import { atLeast, optional, validateOptions } from '../options.ts';
import type { Evaluation } from '../result.ts';
import { validateSamples, type Sample } from '../sample.ts';
import { brierScore, calibrationBins, calibrationError, histogram } from './bins.ts';
import { bootstrap } from './bootstrap.ts';
import { liftCurve, precisionRecallCurve, rocCurve } from './curves.ts';
import { countSteps, rank, type Ranked } from './ranked.ts';
import { averagePrecision, averagePrecisionOfZeros, rocAuc } from './ranking.ts';

/** Figures of an evaluation, each 0 to 1. The last two are missing if the model states no chance. */
export interface Figures {
  readonly rocAuc: number;
  readonly prAuc: number;
  readonly prAucOfZeros: number;
  readonly ece?: number;
  readonly brier?: number;
}

/**
 * Returns figures and curves of a score against the labels. They do not depend on the order of the samples.
 *
 * @param options `seed` of the bootstrap: a whole number, at least 0. `resamples`: at least 1, default 200.
 * @throws RangeError without samples of both labels; RangeError or TypeError for an invalid sample or option.
 */
export function evaluate(
  samples: readonly Sample[],
  options: { readonly seed: number; readonly resamples?: number },
): Evaluation {
  validateOptions('options', options, { seed: atLeast(0), resamples: optional(atLeast(1)) });
  const { seed, resamples = 200 } = options;
  validateSamples(samples);
  const ranked = rank(samples);
  const { chances, labels } = ranked;
  const once = new Float64Array(samples.length).fill(1);
  const steps = countSteps(ranked, once);
  return {
    ...bootstrap(labels, (times) => figuresOf(ranked, times), { seed, resamples }),
    roc: rocCurve(steps),
    precisionRecall: precisionRecallCurve(steps),
    calibration: chances === undefined ? [] : calibrationBins(chances, labels, once),
    lift: liftCurve(steps),
    scores: histogram(samples),
  };
}

/** Returns only the figures, without intervals and curves. Throws the same errors as {@link evaluate}. */
export function valuesOf(samples: readonly Sample[]): Figures {
  validateSamples(samples);
  return figuresOf(rank(samples), new Float64Array(samples.length).fill(1));
}

/**
 * Computes the figures of the samples or of a resample. Only the counts differ.
 *
 * @param times by rank: how often each sample counts. At least one sample of each label must have a count above 0.
 */
export function figuresOf(ranked: Ranked, times: Float64Array): Figures {
  const steps = countSteps(ranked, times);
  const ranking = {
    rocAuc: rocAuc(steps),
    prAuc: averagePrecision(steps),
    prAucOfZeros: averagePrecisionOfZeros(steps),
  };
  const { chances, labels } = ranked;
  if (chances === undefined) return ranking;
  return {
    ...ranking,
    ece: calibrationError(calibrationBins(chances, labels, times)),
    brier: brierScore(chances, labels, times),
  };
}
