// Means over tasks, and paired intervals of their differences.
import { quantileSorted } from 'simple-statistics';
import { createRandom } from '../../src/lab/random.ts';

/** One number of one task. */
export interface Cell {
  readonly group: string;
  readonly unit: string;
  readonly value: number;
}

export interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;

/** Returns the mean over groups of the mean over their units, so that each group weighs the same. */
export function meanOf(cells: readonly Cell[], times: (cell: Cell) => number = () => 1): number {
  const groups = new Map<string, { sum: number; count: number }>();
  for (const cell of cells) {
    const group = groups.get(cell.group) ?? { sum: 0, count: 0 };
    const count = times(cell);
    group.sum += count * cell.value;
    group.count += count;
    groups.set(cell.group, group);
  }
  const means = [...groups.values()].filter(({ count }) => count > 0).map(({ sum, count }) => sum / count);
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

/**
 * Returns the mean with its 95 % bootstrap interval. The differences of lists depend on each other by judge and by day,
 * so both are drawn (`crossed`). Worlds are independent: they are drawn within their families, or as families if each
 * has one world.
 */
export function intervalOf(cells: readonly Cell[], crossed: boolean): Interval {
  const random = createRandom(17);
  const draw = (names: readonly string[]): Map<string, number> => {
    const times = new Map<string, number>();
    for (let i = 0; i < names.length; i++) {
      const name = names[Math.floor(random() * names.length)]!;
      times.set(name, (times.get(name) ?? 0) + 1);
    }
    return times;
  };
  const distinct = (of: (cell: Cell) => string): string[] => [...new Set(cells.map(of))];
  const name = ({ group, unit }: Cell): string => `${group} ${unit}`;
  const byGroup = distinct(({ group }) => group).map((group) => cells.filter((cell) => cell.group === group).map(name));
  const means = Array.from({ length: RESAMPLES }, () => {
    if (!crossed && byGroup.some((names) => names.length > 1)) {
      const drawn = new Map(byGroup.flatMap((names) => [...draw(names)]));
      return meanOf(cells, (cell) => drawn.get(name(cell)) ?? 0);
    }
    const units = draw(distinct(({ unit }) => unit));
    const groups = draw(distinct(({ group }) => group));
    // Groups are drawn too, so they weigh by the number of draws.
    const chosen = cells.flatMap((cell) =>
      Array.from({ length: groups.get(cell.group) ?? 0 }, (_, copy) => ({ ...cell, group: `${cell.group} ${copy}` })),
    );
    return meanOf(chosen, (cell) => units.get(cell.unit) ?? 0);
  })
    .filter((mean) => Number.isFinite(mean))
    .sort((a, b) => a - b);
  return { value: meanOf(cells), low: quantileSorted(means, 0.025), high: quantileSorted(means, 0.975) };
}
