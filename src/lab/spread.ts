/** Labelled queries of one part of a map: number and how many have label 1, for each period of time that has any. */
export interface PeriodCounts {
  readonly labelled: readonly number[];
  readonly right: readonly number[];
}

const PERIODS = 10;
/** Fewer periods say nothing about how rates vary with time. */
const MIN_PERIODS = 5;

/**
 * Returns the period of time of each query, from 0 to 9: ten periods with the same number of queries. Queries of the
 * same moment are in the same period, so periods may be missing. Undefined if fewer than five have queries.
 *
 * @param times ms, in any order
 */
export function periodsOf(times: readonly number[]): readonly number[] | undefined {
  const sorted = Float64Array.from(times).sort();
  const periodAt = new Map<number, number>();
  for (const [rank, time] of sorted.entries())
    if (!periodAt.has(time)) periodAt.set(time, Math.floor((PERIODS * rank) / sorted.length));
  if (new Set(periodAt.values()).size < MIN_PERIODS) return undefined;
  return times.map((time) => periodAt.get(time)!);
}

/**
 * Returns how much rates vary between periods of time beyond chance, 0 to 1: the overdispersion of the beta-binomial
 * distribution, by moments. The sum of squared differences from a part's rate has the expectation
 * `p(1−p) · (T − 1 + spread · (n − T + 1 − Σn²/n))` with T periods.
 */
export function spreadOf(parts: readonly PeriodCounts[]): number {
  let excess = 0;
  let weight = 0;
  for (const { labelled, right } of parts) {
    const n = sumOf(labelled);
    const variance = (sumOf(right) / n) * (1 - sumOf(right) / n) * (n / (n - 1));
    const periods = labelled.length;
    if (periods < 2 || variance === 0) continue;
    const squares = labelled.map((count, t) => (right[t]! - (count * sumOf(right)) / n) ** 2 / count);
    excess += sumOf(squares) - variance * (periods - 1);
    weight += variance * (n - periods + 1 - sumOf(labelled.map((count) => count ** 2)) / n);
  }
  return weight <= 0 ? 0 : Math.min(1, Math.max(0, excess / weight));
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
