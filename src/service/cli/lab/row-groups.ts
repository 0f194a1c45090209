import type { Cell } from '../csv/records.ts';
import { isNoValue } from '../../../core/identifiers/not-identifier.ts';
import { readCell } from './order-cell.ts';
import type { OrderColumns } from './order-columns.ts';
import { sideOf, type OutcomeWords } from './outcome-words.ts';

/** Place of a row in the file, in bytes. */
export interface RowPlace {
  readonly start: number;
  readonly size: number;
}

/** The rows of one order, merged. */
export interface RowGroup {
  /** Line of the first row. */
  readonly line: number;
  /** The id and the shop, if the id stands at several times. */
  readonly id?: string | undefined;
  readonly cells: Cell[];
  /** Places of the first row and of those that fill its empty cells. */
  readonly places: RowPlace[];
  /** The columns in which rows differ. */
  readonly differing: Set<number>;
  /** True if one row says that the order is a fraud, and another one that it is good. */
  contradicts: boolean;
}

/** A number that a spreadsheet cut, zeros, and words of a till or a shop for orders without a number. */
const NO_NUMBER =
  /^(?:0+|\d(?:[.,]\d{1,20}e\+?|e\+)\d{1,3}|pos|cash|web|online|offline|manual|shop|store|kasse|draft)$/i;

/** Returns true for a cell with something else than the number of an order. */
export function isNoNumber(cell: Cell | undefined): boolean {
  const text = textOf(cell);
  return text !== '' && (NO_NUMBER.test(text) || /^[#-]+$/.test(text) || (!/\d/.test(text) && isNoValue(text)));
}

/** Returns the id and the shop in a name of {@link createOrderNames}, without the time. */
export function withoutTime(name: string): string {
  const [id, , ...shop] = name.split('\n');
  return [id, ...shop].join('\n');
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
    const isNumber = !isNoNumber(cells[order]);
    const [id = '', at = '', who = ''] = [isNumber ? [order] : [], time, shop === undefined ? [] : [shop]].map(
      (columns) =>
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
export function mergeRow(group: RowGroup, row: readonly Cell[], columns: OrderColumns, rules: OutcomeWords): boolean {
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
  return readCell(cell) ?? cell?.latin1 ?? '';
}
