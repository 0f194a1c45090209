import { quantileSorted } from 'simple-statistics';
import { createRandom } from '../random.ts';
import type { Estimate } from '../result.ts';

/** An estimate for every figure that is there. */
export type Estimates<Figures> = { readonly [Name in keyof Figures]: Estimate };

/**
 * Figures with intervals: as many samples as there are, drawn with replacement, `resamples` times over; the interval goes from the 2.5th to the
 * 97.5th percentile of what the figures then were. Same seed, same bytes.
 *
 * @param labels of the samples, 0 or 1; both must occur.
 * @param figuresOf the figures when sample `i` counts `times[i]` times. `times` is reused: read it, do not keep it.
 * @param resamples a whole number from 1. RangeError otherwise.
 */
export function bootstrap<Figures extends { readonly [Name in keyof Figures]: number }>(
  labels: Uint8Array,
  figuresOf: (times: Float64Array) => Figures,
  { seed, resamples }: { readonly seed: number; readonly resamples: number },
): Estimates<Figures> {
  if (!Number.isSafeInteger(resamples) || resamples < 1)
    throw new RangeError(`"resamples" expected a whole number from 1, got ${resamples}`);
  const random = createRandom(seed);
  const times = new Float64Array(labels.length).fill(1);
  const values = figuresOf(times);
  const drawn: Figures[] = [];
  while (drawn.length < resamples) {
    // A resample of one label has no figures; it is drawn again, as it would say nothing about them.
    if (draw(random, labels, times)) drawn.push(figuresOf(times));
  }
  const estimates: Partial<Record<keyof Figures, Estimate>> = {};
  for (const name of Object.keys(values) as (keyof Figures)[]) {
    estimates[name] = estimate(
      values[name],
      drawn.map((figures): number => figures[name]),
    );
  }
  return estimates as Estimates<Figures>;
}

/** Fills `times` with one resample; false when it holds only one label. */
function draw(random: () => number, labels: Uint8Array, times: Float64Array): boolean {
  times.fill(0);
  let ones = 0;
  for (let i = 0; i < labels.length; i++) {
    const at = Math.floor(random() * labels.length);
    times[at]! += 1;
    ones += labels[at]!;
  }
  return ones > 0 && ones < labels.length;
}

function estimate(value: number, drawn: readonly number[]): Estimate {
  const sorted = [...drawn].sort((a, b) => a - b);
  // Widened to the value: a resample is noisier than the samples, so an error that cannot be negative (ECE near 0) comes out higher in nearly all of them.
  return {
    value,
    low: Math.min(value, quantileSorted(sorted, 0.025)),
    high: Math.max(value, quantileSorted(sorted, 0.975)),
  };
}
