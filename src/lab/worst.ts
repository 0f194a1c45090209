import type { Miss } from './result.ts';

/** The queries that a model got most wrong, found while they pass; explained only when they are among the worst so far. */
export interface Worst {
  /** True when a query this far off, 0 to 1, belongs among them. */
  wants(label: 0 | 1, error: number): boolean;
  add(error: number, miss: Miss): void;
  /** Worst first; as many of each label as there are places. */
  list(): readonly Miss[];
}

/** @param places for each label: the person who was missed and the one who was wronged are different stories. */
export function createWorst(places: number): Worst {
  const kept: Record<0 | 1, { error: number; miss: Miss }[]> = { 0: [], 1: [] };
  return {
    wants: (label, error) => places > 0 && (kept[label].length < places || error > kept[label].at(-1)!.error),
    add(error, miss) {
      const list = kept[miss.label];
      const at = list.findIndex((other) => other.error < error);
      list.splice(at === -1 ? list.length : at, 0, { error, miss });
      list.length = Math.min(list.length, places);
    },
    list: () => [...kept[0], ...kept[1]].sort((a, b) => b.error - a.error).map(({ miss }) => miss),
  };
}
