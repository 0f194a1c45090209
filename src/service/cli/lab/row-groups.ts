import type { Cell } from '../csv/records.ts';
import { decode } from '../csv/rows.ts';
import { sideOf, type OrderRules } from './order-row.ts';
import type { OrderColumns } from './order-columns.ts';

/** Place of a row in the file, in bytes. */
export interface RowPlace {
  readonly start: number;
  readonly size: number;
}

/** The rows of one order, merged. */
export interface RowGroup {
  /** Line of the first row. */
  readonly line: number;
  readonly cells: Cell[];
  /** Places of the first row and of those that fill its empty cells. */
  readonly places: RowPlace[];
  /** The columns in which rows differ. */
  readonly differing: Set<number>;
  /** True if one row says that the order is a fraud, and another one that it is good. */
  contradicts: boolean;
}

/**
 * Returns a function that names the order of a row, by its id, shop and time: many shops have an order 1001. A row
 * whose id, shop or time is empty takes that of the row before. Returns undefined for a row that is an order of its
 * own. Call it for each row, in order.
 */
export function createOrderNames({ order, shop, time, header }: OrderColumns) {
  let before: readonly string[] | undefined;
  return (cells: readonly Cell[]): string | undefined => {
    if (order === undefined || cells.length !== header.length) return (before = undefined);
    const [id = '', at = '', who = ''] = [[order], time, shop === undefined ? [] : [shop]].map((columns) =>
      columns
        .map((column) => textOf(cells[column]))
        .join(' ')
        .trim(),
    );
    // An id that stands in the first row only: the others have no time, too.
    const isNext = before !== undefined && (id === '' ? at === '' : id === before[0]);
    if (id === '' && !isNext) return (before = undefined);
    before = isNext ? [before![0]!, at || before![1]!, who || before![2]!] : [id, at, who];
    return before.join('\n');
  };
}

/** Merges a further row into its order: fills empty cells, and an outcome that is unknown. Returns true if it did. */
export function mergeRow(group: RowGroup, row: readonly Cell[], columns: OrderColumns, rules: OrderRules): boolean {
  const { cells, differing } = group;
  let fills = false;
  for (const column of usedColumns(columns)) {
    const [one, other] = [textOf(cells[column]), textOf(row[column])];
    if (other === '' || other === one) continue;
    const isOutcome = column === columns.outcome;
    const [side, otherSide] = [one, other].map((word) => (isOutcome ? sideOf(word, rules) : undefined));
    if (one === '' || (isOutcome && side === undefined && otherSide !== undefined)) {
      cells[column] = row[column]!;
      fills = true;
    } else if (!isOutcome) differing.add(column);
    else if (side !== otherSide && otherSide !== undefined) group.contradicts = true;
  }
  return fills;
}

/** Returns what a row has in the columns that are used, to compare it with another row. */
export function usedCells(row: readonly Cell[], columns: OrderColumns): string {
  return usedColumns(columns)
    .map((column) => row[column]?.latin1 ?? '')
    .join('\0');
}

function usedColumns({ time, outcome, shop, amount, reported, identifiers }: OrderColumns): number[] {
  const all = [...time, outcome, shop, amount, reported, ...identifiers.map(({ column }) => column)];
  return all.filter((column) => column !== undefined);
}

function textOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : (decode(cell)?.trim() ?? cell.latin1);
}
