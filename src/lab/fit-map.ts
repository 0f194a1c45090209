import { createCalibration, type CalibrationMap } from '../scoring/calibration.ts';
import { calibrationBins, calibrationError } from './metrics/calibration.ts';
import { proveSamples } from './metrics/prove-samples.ts';
import type { Sample } from './sample.ts';

const LEAST_SAMPLES = 50;
const LEAST_IN_BLOCK = 20;
const MOST_POINTS = 30;
const AS_STATED: CalibrationMap = {
  version: 1,
  points: [
    [0, 0],
    [1, 1],
  ],
};

/** Neighbours by stated chance that are given one answer. `least` and `most` are the ends of what they state. */
interface Block {
  count: number;
  ones: number;
  stated: number;
  least: number;
  most: number;
}

/**
 * Fits the map from stated chance to observed share: isotonic regression of the label on the chance, drawn as lines through the blocks' means.
 * A block has at least 20 samples and a thirtieth of all, so there are at most 30 points. Where lines would calibrate these samples no better than
 * what was stated (ECE), the map is the identity. Fit on samples with a match: only those are mapped.
 *
 * @throws RangeError for fewer than 50 samples, or of one label only; TypeError without chances; both, as `evaluate`, for a sample that is none.
 */
export function fitCalibration(samples: readonly Sample[]): CalibrationMap {
  if (samples.length < LEAST_SAMPLES)
    throw new RangeError(`"samples" expected at least ${LEAST_SAMPLES} to fit a map, got ${samples.length}`);
  proveSamples(samples);
  const sorted = samples.map(({ chance, label }, at) => {
    if (chance === undefined)
      throw new TypeError(
        `"samples[${at}].chance" expected a number from 0 to 1, got undefined: without a chance there is nothing to map`,
      );
    return { chance, label };
  });
  // By label, too: sums of floats go in this order, and the order in which the samples came must not show in them.
  sorted.sort((a, b) => a.chance - b.chance || a.label - b.label);
  const fitted: CalibrationMap = {
    version: 1,
    points: pool(blocksOf(sorted)).map((block) => [meanStated(block), block.ones / block.count]),
  };

  const chances = Float64Array.from(sorted, ({ chance }) => chance);
  const labels = Uint8Array.from(sorted, ({ label }) => label);
  const once = new Float64Array(sorted.length).fill(1);
  const error = (values: Float64Array): number => calibrationError(calibrationBins(values, labels, once));
  return error(chances.map(createCalibration(fitted))) < error(chances) ? fitted : AS_STATED;
}

/** Cuts what is sorted by rising chance into blocks that are large enough for a share to mean something; equal chances are never parted. */
function blocksOf(sorted: readonly { readonly chance: number; readonly label: 0 | 1 }[]): Block[] {
  const least = Math.max(LEAST_IN_BLOCK, sorted.length / MOST_POINTS);
  const blocks: Block[] = [];
  for (const { chance, label } of sorted) {
    const last = blocks.at(-1);
    if (last === undefined || (last.count >= least && last.most < chance))
      blocks.push({ count: 1, ones: label, stated: chance, least: chance, most: chance });
    else add(last, { count: 1, ones: label, stated: chance, least: chance, most: chance });
  }
  // What is left at the top is too few to be trusted with an end of the map.
  if (blocks.length > 1 && blocks.at(-1)!.count < least) add(blocks.at(-2)!, blocks.pop()!);
  return blocks;
}

/** Pool adjacent violators: neighbours are joined until the share of ones strictly rises. */
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

/** Within the block's ends, which the rounding of a sum could leave by a last bit; then the means of two blocks would not be in order. */
function meanStated({ stated, count, least, most }: Block): number {
  return Math.min(most, Math.max(least, stated / count));
}
