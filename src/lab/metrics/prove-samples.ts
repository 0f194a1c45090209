import type { Sample } from '../sample.ts';

/**
 * Throws a TypeError or RangeError that names the first sample that is none: label 0 or 1, a finite score from 0, and a chance from 0 to 1
 * that all of them state or none. A RangeError, too, when there are not both labels: every figure of the lab sets ones against zeros.
 */
export function proveSamples(samples: readonly Sample[]): void {
  const stated = samples[0]?.chance !== undefined;
  let ones = 0;
  for (const [at, { label, score, chance }] of samples.entries()) {
    if (label !== 0 && label !== 1)
      throw new RangeError(`"samples[${at}].label" expected 0 or 1, got ${String(label)}`);
    if (!(Number.isFinite(score) && score >= 0))
      throw new RangeError(`"samples[${at}].score" expected a finite number from 0, got ${score}`);
    // Half of a model's chances would be a calibration of something else than its ranking.
    if ((chance !== undefined) !== stated)
      throw new TypeError(
        `"samples[${at}].chance" expected ${stated ? 'a number, as in' : 'none, as in'} "samples[0]", got ${chance}`,
      );
    if (chance !== undefined && !(chance >= 0 && chance <= 1))
      throw new RangeError(`"samples[${at}].chance" expected a number from 0 to 1, got ${chance}`);
    ones += label;
  }
  if (samples.length === 0)
    throw new RangeError('no samples: the figures set queries labelled 1 against queries labelled 0 and need both');
  if (ones === 0 || ones === samples.length) {
    throw new RangeError(
      `only label ${samples[0]!.label} in all ${samples.length} samples: the figures set ones against zeros and need both`,
    );
  }
}
