import type { Sample } from '../sample.ts';

/** Samples as columns, from the highest score to the lowest. They are sorted once: resamples differ only in counts. */
export interface Ranked {
  /** By rank: 0 or 1. */
  readonly labels: Uint8Array;
  /** By rank: index of the score among the distinct scores, 0 for the highest. Equal scores share one threshold. */
  readonly steps: Uint32Array;
  readonly stepCount: number;
  /** By rank: the stated chance, 0 to 1. Undefined for a model without chances. */
  readonly chances: Float64Array | undefined;
  /** By rank: place of the sample in the given order. */
  readonly places: Uint32Array;
}

export function rank(samples: readonly Sample[]): Ranked {
  // Sort by label and chance, too: the bootstrap draws by rank, but the samples' order must not change the result.
  const sorted = [...samples.entries()].sort(
    ([, a], [, b]) => b.score - a.score || b.label - a.label || (b.chance ?? 0) - (a.chance ?? 0),
  );
  let step = -1;
  let last: number | undefined;
  const steps = Uint32Array.from(sorted, ([, { score }]) => {
    if (score !== last) step++;
    last = score;
    return step;
  });
  return {
    labels: Uint8Array.from(sorted, ([, { label }]) => label),
    steps,
    stepCount: step + 1,
    chances: samples[0]?.chance === undefined ? undefined : Float64Array.from(sorted, ([, { chance = 0 }]) => chance),
    places: Uint32Array.from(sorted, ([place]) => place),
  };
}

/**
 * Numbers of ones (label 1) and zeros (label 0) at each distinct score, from the highest score down. All figures and
 * curves follow from these numbers.
 */
export interface Steps {
  readonly ones: Float64Array;
  readonly zeros: Float64Array;
}

/**
 * Counts the ones and zeros at each distinct score.
 *
 * @param times by rank: how often each sample counts. In a resample: how often the sample was drawn.
 */
export function countSteps({ labels, steps, stepCount }: Ranked, times: Float64Array): Steps {
  const ones = new Float64Array(stepCount);
  const zeros = new Float64Array(stepCount);
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i] ?? 0;
    const counts = labels[i] === 1 ? ones : zeros;
    counts[step] = (counts[step] ?? 0) + (times[i] ?? 0);
  }
  return { ones, zeros };
}
