import type { Sample } from '../sample.ts';

/** Samples as columns, from the highest score to the lowest: sorted once, so that a resample is counts and never another sort. */
export interface Ranked {
  /** By rank: 0 or 1. */
  readonly labels: Uint8Array;
  /** By rank: which of the distinct scores, 0 for the highest. Equal scores are one threshold. */
  readonly steps: Uint32Array;
  readonly stepCount: number;
  /** By rank, 0 to 1; undefined for a model that states none. */
  readonly chances: Float64Array | undefined;
}

/** Ranks proven samples (`proveSamples`). Samples that a figure cannot tell apart have neither order nor effect. */
export function rank(samples: readonly Sample[]): Ranked {
  // By label and chance, too: the draws of the bootstrap and sums of floats go by rank, and the order of queries must not show in them.
  const sorted = [...samples].sort(
    (a, b) => b.score - a.score || b.label - a.label || (b.chance ?? 0) - (a.chance ?? 0),
  );
  const steps = new Uint32Array(sorted.length);
  for (let i = 1; i < sorted.length; i++)
    steps[i] = steps[i - 1]! + (sorted[i]!.score === sorted[i - 1]!.score ? 0 : 1);
  return {
    labels: Uint8Array.from(sorted, (sample) => sample.label),
    steps,
    stepCount: sorted.length === 0 ? 0 : steps[sorted.length - 1]! + 1,
    chances: sorted[0]?.chance === undefined ? undefined : Float64Array.from(sorted, (sample) => sample.chance!),
  };
}

/** How many ones and zeros have each distinct score, from the highest: all that figures and curves of a ranking depend on. */
export interface Steps {
  readonly ones: Float64Array;
  readonly zeros: Float64Array;
}

/** @param times by rank: how often each sample counts, e.g. 1, or how often a resample drew it. */
export function countSteps(ranked: Ranked, times: Float64Array): Steps {
  const ones = new Float64Array(ranked.stepCount);
  const zeros = new Float64Array(ranked.stepCount);
  for (let i = 0; i < times.length; i++) {
    const step = ranked.steps[i]!;
    if (ranked.labels[i] === 1) ones[step]! += times[i]!;
    else zeros[step]! += times[i]!;
  }
  return { ones, zeros };
}
