import type { Miss } from './result.ts';

/** Collects a model's worst errors during a replay. Only queries that enter the list need an explanation. */
export interface Worst {
  /** True if a query with this error, 0 to 1, enters the list. */
  wants(label: 0 | 1, error: number): boolean;
  add(error: number, miss: Miss): void;
  /** Returns the misses of both labels, worst first. */
  list(): readonly Miss[];
}

/**
 * Creates an empty list.
 *
 * @param places number of misses for each label. Labels are separate: for an operator, a missed fraud and a wronged
 * customer are different problems.
 */
export function createWorst(places: number): Worst {
  const kept: Record<0 | 1, { error: number; miss: Miss }[]> = { 0: [], 1: [] };
  return {
    wants: (label, error) =>
      places > 0 && (kept[label].length < places || error > (kept[label].at(-1)?.error ?? Infinity)),
    add(error, miss) {
      const list = kept[miss.label];
      const at = list.findIndex((other) => other.error < error);
      list.splice(at === -1 ? list.length : at, 0, { error, miss });
      list.length = Math.min(list.length, places);
    },
    list: () => [...kept[0], ...kept[1]].sort((a, b) => b.error - a.error).map(({ miss }) => miss),
  };
}
