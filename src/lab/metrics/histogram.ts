import type { Evaluation } from '../result.ts';
import type { Sample } from '../sample.ts';

const BINS = 20;

/** Counts of scores by label, in 20 equal bins from 0 to `most`, each without its upper end but the last. `most` is 1 for scores on the scale of chances, otherwise the highest. */
export function histogram(samples: readonly Sample[]): Evaluation['scores'] {
  let most = 1;
  for (const { score } of samples) most = Math.max(most, score);
  const ones = Array.from({ length: BINS }, () => 0);
  const zeros = Array.from({ length: BINS }, () => 0);
  for (const { label, score } of samples) {
    const bin = Math.min(BINS - 1, Math.floor((score / most) * BINS));
    (label === 1 ? ones : zeros)[bin]! += 1;
  }
  return { most, ones, zeros };
}
