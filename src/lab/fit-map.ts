import { createCalibration, LEAST_SUPPORT, type CalibrationMap } from '../scoring/calibration.ts';
import { calibrationBins, calibrationError } from './metrics/bins.ts';
import { validateSamples, type Sample } from './sample.ts';
import { spreadOf, timeBlocksOf, type TimeCounts } from './spread.ts';

const LEAST_SAMPLES = 50;
const MOST_POINTS = 30;
const IDENTITY: CalibrationMap['points'] = [
  [0, 0],
  [1, 1],
];

/** A sample to fit: `time` is its block of time. */
interface Labelled {
  readonly chance: number;
  readonly label: 0 | 1;
  readonly time: number;
}

/** Samples with similar stated chances. They become one point of the map. `least` and `most` bound the chances. */
interface Block {
  count: number;
  ones: number;
  stated: number;
  least: number;
  most: number;
}

/**
 * Fits the map from stated chance to observed share: isotonic regression of the label on the chance, with linear
 * interpolation between the means of the blocks. A block has at least 30 samples and a thirtieth of all, so there are
 * at most 30 points. If the map would raise the calibration error (ECE) of these samples, it changes no chance.
 *
 * The map has the support of each block and the spread between ten blocks of time. It has no support, and so no
 * intervals, if a sample has no time or if the times fall in fewer than five blocks.
 *
 * @param samples queries with a match: the service maps only those.
 * @throws RangeError for fewer than 50 samples or samples of one label. TypeError for samples without chances. For an
 * invalid sample, the errors of `evaluate`.
 */
export function fitCalibration(samples: readonly Sample[]): CalibrationMap {
  if (Array.isArray(samples) && samples.length < LEAST_SAMPLES)
    throw new RangeError(`"samples" expected at least ${LEAST_SAMPLES} samples to fit a map, got ${samples.length}`);
  validateSamples(samples);
  const times = samples.every(({ at }) => at !== undefined) ? timeBlocksOf(samples.map(({ at }) => at!)) : undefined;
  const sorted = samples.map(({ chance, label }, at): Labelled => {
    if (chance === undefined)
      throw new TypeError(
        `"samples[${at}].chance" expected a number from 0 to 1, got undefined: the map needs the chance of every sample`,
      );
    return { chance, label, time: times?.[at] ?? 0 };
  });
  // Sort by label, too: sums of floats depend on their order, but the result must not depend on the samples' order.
  sorted.sort((a, b) => a.chance - b.chance || a.label - b.label);
  const blocks = pool(blocksOf(sorted));
  const fitted = blocks.map((block) => [meanStated(block), block.ones / block.count] as const);

  const chances = Float64Array.from(sorted, ({ chance }) => chance);
  const labels = Uint8Array.from(sorted, ({ label }) => label);
  const once = new Float64Array(sorted.length).fill(1);
  const error = (values: Float64Array): number => calibrationError(calibrationBins(values, labels, once));
  const without = (points: CalibrationMap['points']): CalibrationMap => ({
    version: 3,
    points,
    support: [],
    spread: 0,
  });
  const isWorse = error(chances.map(createCalibration(without(fitted)))) > error(chances);
  const points = isWorse ? IDENTITY : fitted;
  if (times === undefined) return without(points);
  return {
    version: 3,
    points,
    support: blocks.map(({ least, most, count, ones }) => ({ from: least, to: most, labelled: count, right: ones })),
    spread: spreadOf(countByTime(blocks, sorted)),
  };
}

/** Counts the samples of each block, sorted as the blocks, by time. */
function countByTime(blocks: readonly Block[], sorted: readonly Labelled[]): TimeCounts[] {
  let first = 0;
  return blocks.map(({ count }) => {
    const labelled: number[] = [];
    const right: number[] = [];
    for (const { label, time } of sorted.slice(first, first + count)) {
      labelled[time] = (labelled[time] ?? 0) + 1;
      right[time] = (right[time] ?? 0) + label;
    }
    first += count;
    // Times without a sample are holes. `filter` skips them.
    return { labelled: labelled.filter(() => true), right: right.filter(() => true) };
  });
}

/** Splits samples, sorted by chance, into blocks of the minimum size or more. Equal chances stay in one block. */
function blocksOf(sorted: readonly Labelled[]): Block[] {
  const least = Math.max(LEAST_SUPPORT, sorted.length / MOST_POINTS);
  const blocks: Block[] = [];
  for (const { chance, label } of sorted) {
    const last = blocks.at(-1);
    const one = { count: 1, ones: label, stated: chance, least: chance, most: chance };
    if (last === undefined || (last.count >= least && last.most < chance)) blocks.push(one);
    else add(last, one);
  }
  // If the last block is too small to end the map, join it with the block before.
  const [before, last] = blocks.slice(-2);
  if (before !== undefined && last !== undefined && last.count < least) {
    blocks.pop();
    add(before, last);
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
      add(last, block);
      block = last;
    }
    pooled.push(block);
  }
  return pooled;
}

function add(block: Block, above: Block): void {
  block.count += above.count;
  block.ones += above.ones;
  block.stated += above.stated;
  block.most = above.most;
}

/** Returns the block's mean, limited to the block's bounds: rounding could swap the means of two blocks. */
function meanStated({ stated, count, least, most }: Block): number {
  return Math.min(most, Math.max(least, stated / count));
}
