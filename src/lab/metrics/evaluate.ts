import type { Evaluation } from '../result.ts';
import type { Sample } from '../sample.ts';
import { bootstrap } from './bootstrap.ts';
import { calibrationBins } from './calibration.ts';
import { figuresOf, type Figures } from './figures.ts';
import { histogram } from './histogram.ts';
import { liftCurve } from './lift.ts';
import { proveSamples } from './prove-samples.ts';
import { countSteps, rank } from './ranked.ts';
import { precisionRecallCurve, rocCurve } from './ranking.ts';

/**
 * The figures and curves of one score against the labels. The order of samples is irrelevant, to the last bit.
 *
 * @param options `seed` of the bootstrap, a whole number from 0; `resamples` of it, 200 by default.
 * @throws RangeError without samples of both labels, where no figure is defined; RangeError or TypeError that names a sample, or an option, that is none.
 */
export function evaluate(
  samples: readonly Sample[],
  { seed, resamples = 200 }: { readonly seed: number; readonly resamples?: number },
): Evaluation {
  proveSamples(samples);
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

/** Only the numbers, without intervals and curves: for sets of queries of which nothing else is shown. Throws as {@link evaluate} does. */
export function valuesOf(samples: readonly Sample[]): Figures {
  proveSamples(samples);
  return figuresOf(rank(samples), new Float64Array(samples.length).fill(1));
}
