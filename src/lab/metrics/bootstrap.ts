import { quantileSorted } from 'simple-statistics';
import { createRandom } from '../random.ts';
import type { Estimate } from '../result.ts';

export type Estimates<Figures> = { readonly [Name in keyof Figures]: Estimate };

/** Options of {@link bootstrap}, validated by the caller. */
export interface BootstrapOptions {
  readonly seed: number;
  readonly resamples: number;
  /**
   * The group of each sample, whole numbers from 0 without a gap. Samples of a group are drawn together, because they
   * may depend on each other. Default: each sample alone.
   */
  readonly groups?: Uint32Array | undefined;
}

/**
 * Returns figures with 95 % intervals. Each resample draws, with replacement, as many samples or groups as there are.
 * The interval is from the 2.5th to the 97.5th percentile of the resamples' figures. The same seed gives the same
 * bytes.
 *
 * @param labels of the samples, 0 or 1. Both must occur.
 * @param figuresOf returns the figures if sample `i` counts `times[i]` times. `times` is reused: do not keep it.
 */
export function bootstrap<Figures extends { readonly [Name in keyof Figures]: number }>(
  labels: Uint8Array,
  figuresOf: (times: Float64Array) => Figures,
  { seed, resamples, groups }: BootstrapOptions,
): Estimates<Figures> {
  const random = createRandom(seed);
  const times = new Float64Array(labels.length).fill(1);
  const values = figuresOf(times);
  const drawn: Figures[] = [];
  const draw = groups === undefined ? drawSamples : createGroupDraw(groups);
  while (drawn.length < resamples) {
    // A resample with one label has no figures, so it is drawn again.
    if (draw(random, labels, times)) drawn.push(figuresOf(times));
  }
  const estimates: Partial<Record<keyof Figures, Estimate>> = {};
  for (const name in values) {
    const resampled = drawn.map((figures): number => figures[name]);
    estimates[name] = estimate(values[name], resampled);
  }
  return estimates as Estimates<Figures>;
}

/** Fills `times` with one resample. Returns false if the resample has only one label. */
function drawSamples(random: () => number, labels: Uint8Array, times: Float64Array): boolean {
  times.fill(0);
  let ones = 0;
  for (let i = 0; i < labels.length; i++) {
    const at = Math.floor(random() * labels.length);
    times[at] = (times[at] ?? 0) + 1;
    ones += labels[at] ?? 0;
  }
  return ones > 0 && ones < labels.length;
}

/** Returns a function that draws whole groups. */
function createGroupDraw(groups: Uint32Array): typeof drawSamples {
  const size = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const drawn = new Float64Array(size);
  return (random, labels, times) => {
    drawn.fill(0);
    for (let i = 0; i < size; i++) {
      const group = Math.floor(random() * size);
      drawn[group] = (drawn[group] ?? 0) + 1;
    }
    let [ones, all] = [0, 0];
    for (let i = 0; i < labels.length; i++) {
      const counted = drawn[groups[i] ?? 0] ?? 0;
      times[i] = counted;
      all += counted;
      ones += counted * (labels[i] ?? 0);
    }
    return ones > 0 && ones < all;
  };
}

function estimate(value: number, drawn: readonly number[]): Estimate {
  const sorted = [...drawn].sort((a, b) => a - b);
  // The interval includes the value. Resamples are noisier: if the true ECE is small, nearly all of them exceed it.
  return {
    value,
    low: Math.min(value, quantileSorted(sorted, 0.025)),
    high: Math.max(value, quantileSorted(sorted, 0.975)),
  };
}
