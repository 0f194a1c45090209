import { labelError, requireList, requireObject } from './options.ts';

/** One judged query with a model's answer. */
export interface Sample {
  /** 1 for a person to warn about. */
  readonly label: 0 | 1;
  /** Unrounded, on the model's own scale. Queries are ranked by their scores. */
  readonly score: number;
  /** Reliability as a probability from 0 to 1, unrounded; undefined for a model that states none. */
  readonly chance?: number;
  /** When the query was asked (ms, UTC). A calibration map needs it to measure how rates vary with time. */
  readonly at?: number;
}

/**
 * Throws TypeError or RangeError for the first invalid sample. In a valid sample, the label is 0 or 1, the score is
 * finite and at least 0, and a chance is from 0 to 1. Either all samples have a chance or none, and a time is finite.
 * Throws RangeError without samples of both labels.
 */
export function validateSamples(samples: readonly Sample[]): void {
  requireList('samples', samples);
  const stated = samples[0]?.chance !== undefined;
  let ones = 0;
  for (const [at, sample] of samples.entries()) {
    requireObject(`samples[${at}]`, sample);
    const { label, score, chance, at: time } = sample;
    if (label !== 0 && label !== 1) throw labelError(`samples[${at}].label`, label);
    if (!(Number.isFinite(score) && score >= 0))
      throw new RangeError(`"samples[${at}].score" expected a finite number of at least 0, got ${score}`);
    // If only some samples had chances, calibration and ranking would describe different queries.
    if ((chance !== undefined) !== stated)
      throw new TypeError(
        `"samples[${at}].chance" expected ${stated ? 'a number, as in' : 'none, as in'} "samples[0]", got ${chance}`,
      );
    if (chance !== undefined && !(chance >= 0 && chance <= 1))
      throw new RangeError(`"samples[${at}].chance" expected a number from 0 to 1, got ${chance}`);
    if (time !== undefined && !Number.isFinite(time))
      throw new RangeError(`"samples[${at}].at" expected a finite number, got ${time}`);
    ones += label;
  }
  if (samples.length === 0) throw new RangeError('"samples" expected samples of both labels, got none');
  if (ones === 0 || ones === samples.length) {
    const label = ones === 0 ? 0 : 1;
    throw new RangeError(`"samples" expected both labels, got only label ${label} in all ${samples.length} samples`);
  }
}
