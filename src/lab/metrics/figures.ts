import { brierScore, calibrationBins, calibrationError } from './calibration.ts';
import { countSteps, type Ranked } from './ranked.ts';
import { averagePrecision, averagePrecisionOfZeros, rocAuc } from './ranking.ts';

/** The numbers of an evaluation, each 0 to 1; without the last two for a model that states no chance. */
export interface Figures {
  readonly rocAuc: number;
  readonly prAuc: number;
  readonly prAucOfZeros: number;
  readonly ece?: number;
  readonly brier?: number;
}

/**
 * One road for the value and for its resamples, so that they cannot differ in anything but the counts.
 * @param times by rank: how often each sample counts; both labels must count.
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
