// Prints tables of candidates: means, and paired differences to the present model with 95 % intervals.
import { formatTable } from '../../src/service/cli/output.ts';
import { PRESENT } from './candidates.ts';
import { intervalOf, meanOf, type Cell } from './intervals.ts';
import type { Row } from './select.ts';
import { ATTACKS } from './world-task.ts';

/** What the figures of a table are read from. */
export type Measured = Pick<Row, 'group' | 'unit' | 'candidate' | 'figures'>;

export function printTables(rows: readonly Row[]): void {
  for (const source of new Set(rows.map((row) => row.source))) {
    const own = rows.filter((row) => row.source === source);
    const names = ['auc', 'pr', ...(source === 'worlds' ? [] : ['later auc', 'later pr']), 'ece'];
    const tasks = new Set(own.map(({ group, unit }) => `${group} ${unit}`)).size;
    print(
      `${source}: ${tasks} tasks. Means, and differences to the present model with 95 % intervals`,
      differences(own, names),
    );
    if (source === 'worlds') {
      print(
        'worlds by family: share of frauds known by one reporter or an ip alone; differences of AUC and PR-AUC to one voice',
        families(own),
      );
      print(
        'worlds: median Points of victims, mean and largest; largest ratio to a fraud where some are verified',
        attacks(own),
      );
    }
  }
}

export function print(title: string, table: string[][]): void {
  process.stdout.write(`\n${title}\n${formatTable(table)}`);
}

const candidatesOf = (rows: readonly Row[]): string[] => [...new Set(rows.map(({ candidate }) => candidate))];

/** Returns a figure of a candidate on each task that has it. */
export function cellsOf(rows: readonly Measured[], candidate: string, figure: string): Cell[] {
  return rows.flatMap(({ group, unit, candidate: name, figures }) =>
    name === candidate && figures[figure] !== undefined ? [{ group, unit, value: figures[figure] }] : [],
  );
}

/** Returns the differences of one candidate to another one, by task. */
export function paired(rows: readonly Measured[], candidate: string, other: string, figure: string): Cell[] {
  const others = new Map(cellsOf(rows, other, figure).map((cell) => [`${cell.group} ${cell.unit}`, cell.value]));
  return cellsOf(rows, candidate, figure).flatMap((cell) => {
    const value = others.get(`${cell.group} ${cell.unit}`);
    return value === undefined ? [] : [{ ...cell, value: cell.value - value }];
  });
}

function differences(rows: readonly Row[], figures: readonly string[]): string[][] {
  const crossed = rows[0]?.source !== 'worlds';
  return [
    ['CANDIDATE', ...figures.flatMap((figure) => [figure.toUpperCase(), 'DIFFERENCE'])],
    ...candidatesOf(rows).map((candidate) => [
      candidate,
      ...figures.flatMap((figure) => {
        const cells = cellsOf(rows, candidate, figure);
        if (cells.length === 0) return ['-', '-'];
        const difference = paired(rows, candidate, PRESENT, figure);
        return [short(meanOf(cells)), candidate === PRESENT ? '' : showInterval(difference, crossed)];
      }),
    ]),
  ];
}

function families(rows: readonly Row[]): string[][] {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const candidates = candidatesOf(rows).filter((name) => name !== 'one voice' && name !== 'counting');
  return [
    ['FAMILY', 'WEAKLY KNOWN', 'ONE VOICE', ...candidates],
    ...groups.map((group) => {
      const own = rows.filter((row) => row.group === group);
      const mean = (figure: string): string => short(meanOf(cellsOf(own, 'one voice', figure)));
      return [
        group,
        short(meanOf(cellsOf(own, PRESENT, 'weakly known'))),
        `${mean('auc')}/${mean('pr')}`,
        ...candidates.map((candidate) =>
          ['auc', 'pr'].map((figure) => signed(meanOf(paired(own, candidate, 'one voice', figure)))).join('/'),
        ),
      ];
    }),
  ];
}

function attacks(rows: readonly Row[]): string[][] {
  const candidates = candidatesOf(rows).filter((name) => name !== 'one voice' && name !== 'counting');
  const withVerified = rows.filter(({ group }) => group !== 'none verified');
  return [
    ['ATTACK', ...candidates],
    ...ATTACKS.map((attack) => [
      attack,
      ...candidates.map((candidate) => {
        const points = cellsOf(rows, candidate, `${attack} points`);
        const ratios = cellsOf(withVerified, candidate, `${attack} ratio`).map(({ value }) => value);
        const most = Math.max(...points.map(({ value }) => value));
        const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
        return `${meanOf(points).toFixed(0)} <=${most.toFixed(0)} (${mean.toFixed(2)} <=${Math.max(...ratios).toFixed(2)})`;
      }),
    ]),
  ];
}

export function showInterval(cells: readonly Cell[], crossed: boolean): string {
  const { value, low, high } = intervalOf(cells, crossed);
  return `${signed(value)} (${signed(low)} to ${signed(high)})`;
}

export function short(value: number): string {
  return value.toFixed(3).replace(/^(-?)0(?=\.)/, '$1');
}

export function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${short(value)}`;
}
