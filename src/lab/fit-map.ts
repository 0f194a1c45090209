import { DAY_MS } from '../core/domain/day.ts';
import { MIN_SUPPORT_QUERIES } from '../core/scoring/calibration.ts';
import type { CalibrationMap } from '../core/scoring/calibration-map.ts';
import { validateSamples, type Sample } from './sample.ts';
import { spreadOf, periodsOf, type PeriodCounts } from './spread.ts';

/** A map of fewer samples says nothing. */
export const MIN_SAMPLES = 50;
const MAX_BLOCKS = 30;
/** Older samples count only if there are too few recent ones, because rates drift (decision 83). */
const RECENT_DAYS = 365;
const ENOUGH_SAMPLES = 1000;

/** A sample to fit: `period` is its period of time. */
interface Labelled {
  readonly chance: number;
  readonly label: 0 | 1;
  readonly period: number;
}

/** Samples with similar stated chances. `min` and `max` bound the chances. */
interface Block {
  count: number;
  ones: number;
  min: number;
  max: number;
}

/**
 * Fits the map from stated chance to observed share: isotonic regression of the label on the chance. Inside a block of
 * samples, the map is their share of label 1, so it has no calibration error (ECE) on them. Between two blocks, it is a
 * straight line. A block has at least 30 samples and a thirtieth of those that are fitted.
 *
 * It fits the samples of the 365 days before the newest one, and at least the newest 1,000. If a sample has no time, it
 * fits all. The map has the support of each block and the spread between ten periods of time. It has no support, and so
 * no intervals, if a sample has no time or if there are fewer than five periods.
 *
 * @param samples queries with a match: the service maps only those.
 * @throws RangeError for fewer than 50 samples, or if all that are fitted have one label. TypeError for samples without
 * chances. For an invalid sample, the errors of `evaluate`.
 */
export function fitCalibration(samples: readonly Sample[]): CalibrationMap {
  if (Array.isArray(samples) && samples.length < MIN_SAMPLES)
    throw new RangeError(`"samples" expected at least ${MIN_SAMPLES} samples to fit a map, got ${samples.length}`);
  validateSamples(samples);
  // All samples have chances, or none.
  if (samples[0]!.chance === undefined)
    throw new TypeError('"samples[0].chance" expected a number from 0 to 1, got undefined: the map needs chances');
  const recent = recentOf(samples);
  const { label: first } = recent[0]!;
  if (recent.every(({ label }) => label === first))
    throw new RangeError(
      `"samples" expected both labels, got only label ${first} in the newest ${recent.length} samples`,
    );
  const periods = recent.every(isTimed) ? periodsOf(recent.map(({ at }) => at)) : undefined;
  const sorted = recent.map(({ chance, label }, at): Labelled => ({
    chance: chance!,
    label,
    period: periods?.[at] ?? 0,
  }));
  sorted.sort((a, b) => a.chance - b.chance);
  const blocks = pool(blocksOf(sorted));
  const points = blocks.flatMap(({ min, max, count, ones }) =>
    (min === max ? [min] : [min, max]).map((stated) => [stated, ones / count] as const),
  );
  if (periods === undefined) return { version: 3, points, support: [], spread: 0 };
  const support = blocks.map(({ min, max, count, ones }) => ({ from: min, to: max, labelled: count, right: ones }));
  return { version: 3, points, support, spread: spreadOf(countByPeriod(blocks, sorted)) };
}

/** Leaves out samples older than 365 days, as far as 1,000 newer ones remain. If one has no time, returns all. */
function recentOf(samples: readonly Sample[]): readonly Sample[] {
  if (!samples.every(isTimed)) return samples;
  const times = Float64Array.from(samples, ({ at }) => at).sort();
  const from = Math.min(times.at(-1)! - RECENT_DAYS * DAY_MS, times.at(-ENOUGH_SAMPLES) ?? -Infinity);
  return samples.filter(({ at }) => at >= from);
}

function isTimed(sample: Sample): sample is Sample & { readonly at: number } {
  return sample.at !== undefined;
}

/** Counts the samples of each block, sorted as the blocks, by period. */
function countByPeriod(blocks: readonly Block[], sorted: readonly Labelled[]): PeriodCounts[] {
  let first = 0;
  return blocks.map(({ count }) => {
    const labelled: number[] = [];
    const right: number[] = [];
    for (const { label, period } of sorted.slice(first, first + count)) {
      labelled[period] = (labelled[period] ?? 0) + 1;
      right[period] = (right[period] ?? 0) + label;
    }
    first += count;
    // Periods without a sample are holes. `filter` skips them.
    return { labelled: labelled.filter(() => true), right: right.filter(() => true) };
  });
}

/** Splits samples, sorted by chance, into blocks of the minimum size or more. Equal chances stay in one block. */
function blocksOf(sorted: readonly Labelled[]): Block[] {
  const least = Math.max(MIN_SUPPORT_QUERIES, sorted.length / MAX_BLOCKS);
  const blocks: Block[] = [];
  for (const { chance, label } of sorted) {
    const last = blocks.at(-1);
    const one = { count: 1, ones: label, min: chance, max: chance };
    if (last === undefined || (last.count >= least && last.max < chance)) blocks.push(one);
    else join(last, one);
  }
  // If the last block is too small to end the map, join it with the block before.
  const [before, last] = blocks.slice(-2);
  if (before !== undefined && last !== undefined && last.count < least) {
    blocks.pop();
    join(before, last);
  }
  return blocks;
}

/** Pool adjacent violators: joins neighbours until the share of label 1 strictly rises. */
function pool(blocks: readonly Block[]): Block[] {
  const pooled: Block[] = [];
  for (const next of blocks) {
    let block = { ...next };
    for (
      let last = pooled.at(-1);
      last !== undefined && last.ones / last.count >= block.ones / block.count;
      last = pooled.at(-1)
    ) {
      pooled.pop();
      join(last, block);
      block = last;
    }
    pooled.push(block);
  }
  return pooled;
}

function join(block: Block, above: Block): void {
  block.count += above.count;
  block.ones += above.ones;
  block.max = above.max;
}
