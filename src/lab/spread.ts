/** Labelled queries of one part of a map: number and how many have label 1, for each block of time that has any. */
export interface TimeCounts {
  readonly labelled: readonly number[];
  readonly right: readonly number[];
}

const TIME_BLOCKS = 10;
/** Fewer blocks say nothing about how rates vary with time. */
const LEAST_TIME_BLOCKS = 5;

/**
 * Returns the block of time of each query, from 0 to 9: ten blocks with the same number of queries. Queries of the same
 * moment are in the same block, so blocks may be missing. Undefined if fewer than five blocks have queries.
 *
 * @param times ms, in any order
 */
export function timeBlocksOf(times: readonly number[]): readonly number[] | undefined {
  const sorted = Float64Array.from(times).sort();
  const blockAt = new Map<number, number>();
  for (const [rank, time] of sorted.entries())
    if (!blockAt.has(time)) blockAt.set(time, Math.floor((TIME_BLOCKS * rank) / sorted.length));
  if (new Set(blockAt.values()).size < LEAST_TIME_BLOCKS) return undefined;
  return times.map((time) => blockAt.get(time)!);
}

/**
 * Returns how much rates vary between blocks of time beyond chance, 0 to 1: the overdispersion of the beta-binomial
 * distribution, by moments. The sum of squared differences from a part's rate has the expectation
 * `p(1−p) · (T − 1 + spread · (n − T + 1 − Σn²/n))` with T blocks of time.
 */
export function spreadOf(parts: readonly TimeCounts[]): number {
  let excess = 0;
  let weight = 0;
  for (const { labelled, right } of parts) {
    const n = sumOf(labelled);
    const variance = (sumOf(right) / n) * (1 - sumOf(right) / n) * (n / (n - 1));
    const blocks = labelled.length;
    if (blocks < 2 || variance === 0) continue;
    const squares = labelled.map((count, t) => (right[t]! - (count * sumOf(right)) / n) ** 2 / count);
    excess += sumOf(squares) - variance * (blocks - 1);
    weight += variance * (n - blocks + 1 - sumOf(labelled.map((count) => count ** 2)) / n);
  }
  return weight <= 0 ? 0 : Math.min(1, Math.max(0, excess / weight));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
