import type { CalibrationMap } from '../core/scoring/calibration-map.ts';
import { binOf, CALIBRATION_BINS } from './metrics/bins.ts';
import { validateSamples, type Sample } from './sample.ts';

/** A shift of the log-odds of all stated chances, and the map that applies it. */
export interface FittedShift {
  /** Added to the log-odds of a stated chance. Below 0 if fewer answers are right than stated. */
  readonly shift: number;
  /** 95 % interval of the shift, if the log-odds of all answers are wrong by the same amount. */
  readonly interval: readonly [low: number, high: number];
  /** The shift as a map. One block of support has all samples. */
  readonly map: CalibrationMap;
}

interface Labelled {
  readonly chance: number;
  readonly label: 0 | 1;
  /** How many labels it counts as. */
  readonly weight: number;
}

/** The prior pulls the shift to 0 as much as this many labels with a chance of ½. */
const PRIOR_LABELS = 5;
/** Points of the map, less one. Between them, the curve is a straight line. */
const STEPS = 20;
/** A hundred labels estimate the spread poorly, and often as 0. Measured in simulated worlds (decision 83). */
const MIN_SPREAD = 0.06;
/** Log-odds of 0 and 1 are infinite. */
const MAX_CHANCE = 0.999;

/**
 * Fits one number to few labels: the shift of the log-odds that best explains them (prior-shift correction). A prior
 * worth five labels pulls it to 0. The spread of the map says how far the rates of ten bins of stated chance are from
 * the shifted chances beyond chance, because no shift corrects the shape. The order of samples is irrelevant.
 *
 * @param population the stated chances of all queries that the samples stand for. The tenths of the samples then count
 * as often as in the population, because an audit takes as many from each. Without it, all samples count alike.
 * @throws RangeError without samples of both labels, and for a population without the samples. TypeError for samples
 * without chances. For an invalid sample, the errors of `evaluate`.
 */
export function fitShift(samples: readonly Sample[], population: readonly number[] = []): FittedShift {
  validateSamples(samples);
  const weightOf = createWeights(samples, population);
  const labelled = samples
    .map(({ chance, label }, at): Labelled => {
      if (chance === undefined)
        throw new TypeError(`"samples[${at}].chance" expected a number from 0 to 1, got undefined`);
      return { chance, label, weight: weightOf(chance) };
    })
    // Sums of floats depend on their order.
    .sort((a, b) => a.chance - b.chance || a.label - b.label);
  const prior = PRIOR_LABELS / 4;
  let shift = 0;
  let information = prior;
  // Newton's method. The steps are bounded, because the first one may overshoot.
  for (let step = 0; step < 100; step++) {
    let slope = -prior * shift;
    information = prior;
    for (const { chance, label, weight } of labelled) {
      const p = shifted(bounded(chance), shift);
      slope += weight * (label - p);
      information += weight * p * (1 - p);
    }
    shift += Math.max(-0.5, Math.min(0.5, slope / information));
  }
  const deviation = 1 / Math.sqrt(information);
  return {
    shift,
    interval: [shift - 1.96 * deviation, shift + 1.96 * deviation],
    map: {
      version: 3,
      points: Array.from({ length: STEPS + 1 }, (_, step) => [step / STEPS, shifted(step / STEPS, shift)] as const),
      support: [
        {
          from: labelled[0]!.chance,
          to: labelled.at(-1)!.chance,
          labelled: labelled.length,
          right: labelled.filter(({ label }) => label === 1).length,
        },
      ],
      spread: spreadAround(labelled, shift),
    },
  };
}

/**
 * Returns the weight of a sample with a chance: inverse to how often its tenth was sampled. The weights add up to the
 * number of samples of equal weight that say as much, (Σw)²/Σw².
 */
function createWeights(samples: readonly Sample[], population: readonly number[]): (chance: number) => number {
  if (population.length === 0) return () => 1;
  const countOf = (chances: readonly number[]): number[] => {
    const counts = Array.from({ length: CALIBRATION_BINS }, () => 0);
    for (const chance of chances) counts[binOf(chance)]!++;
    return counts;
  };
  const all = countOf(population);
  const sampled = countOf(samples.map(({ chance }) => chance ?? 0));
  if (sampled.some((count, tenth) => count > all[tenth]!))
    throw new RangeError('"population" expected the stated chances of all queries, the samples among them');
  const ratios = all.map((count, tenth) => (sampled[tenth] === 0 ? 0 : count / sampled[tenth]!));
  const sum = ratios.reduce((total, ratio, tenth) => total + ratio * sampled[tenth]!, 0);
  const squares = ratios.reduce((total, ratio, tenth) => total + ratio ** 2 * sampled[tenth]!, 0);
  return (chance) => (ratios[binOf(chance)]! * sum) / squares;
}

/** Returns the chance whose log-odds are higher by `shift`. */
function shifted(chance: number, shift: number): number {
  return chance / (chance + (1 - chance) * Math.exp(-shift));
}

function bounded(chance: number): number {
  return Math.min(MAX_CHANCE, Math.max(1 - MAX_CHANCE, chance));
}

/**
 * Returns the overdispersion of ten bins around the shifted chances, by moments: the square of a bin's difference has
 * the expectation `v · (1 + spread · (n − 1))` with the variance v of n labels. At least .06.
 */
function spreadAround(labelled: readonly Labelled[], shift: number): number {
  const bins = new Map<number, { difference: number; variance: number; count: number }>();
  for (const { chance, label } of labelled) {
    const p = shifted(bounded(chance), shift);
    const at = binOf(chance);
    const bin = bins.get(at) ?? { difference: 0, variance: 0, count: 0 };
    bin.difference += label - p;
    bin.variance += p * (1 - p);
    bin.count++;
    bins.set(at, bin);
  }
  if (bins.size < 2) return MIN_SPREAD;
  // The shift was fitted to the same labels. It takes one degree of freedom.
  const fitted = bins.size / (bins.size - 1);
  let excess = 0;
  let weight = 0;
  for (const { difference, variance, count } of bins.values()) {
    excess += difference ** 2 * fitted - variance;
    weight += variance * (count - 1);
  }
  return weight === 0 ? MIN_SPREAD : Math.min(1, Math.max(MIN_SPREAD, excess / weight));
}
