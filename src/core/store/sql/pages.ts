import { damageError } from '../errors.ts';
import { sqlName, toSql, type Columns, type RowOf } from './columns.ts';
import { decode, isSound } from './rows.ts';
import { sql, type SqlRow, type SqlValue, type SqlWork } from './statement.ts';
import type { Plan, Selection, Table } from './table.ts';

// Rows in key order, page by page. Rows out of order come from a damaged tree or index. Some may then appear twice, and
// paging may never end.

/** Selects the next rows of a table. */
export interface Page<C extends Columns> {
  /** The columns that sort the rows. Together, they identify a row. */
  readonly by: readonly (keyof C & string)[];
  /** The last row of the previous page, or at least its `by` columns. */
  readonly after: Partial<RowOf<C>> | undefined;
  readonly limit: number;
  /** Additional conditions, with their parameters. */
  readonly where?: readonly string[];
  readonly values?: readonly SqlValue[];
}

/**
 * Returns the next rows in an order. Throws StoreDamagedError for a damaged or repeated row, and for rows out of order.
 */
export function* readPage<Row, C extends Columns>(
  { name, columns, plan }: Selection<Row, C>,
  { by, after, limit, where = [], values = [] }: Page<C>,
): SqlWork<Row[]> {
  const last = after && by.flatMap((name) => (columns[name] ? [toSql<unknown>(columns[name], after[name])] : []));
  const rows = yield* pageOf(name, plan, by, last, limit, where, values);
  const found = decode<Row>(name, plan, rows);
  const keys = rows.map(keyOf(plan, by));
  requireSorted(name, keys, last);
  return found;
}

/**
 * Returns the next page of a table in key order: rows as lists of values, the number of damaged rows, and whether the
 * rows are sorted. Does not throw for damage. For checks, migrations and exports.
 */
export function* walkTable({ name, plan, key }: Table, limit: number, after?: SqlRow): SqlWork<WalkedPage> {
  const last = after && keyOf(plan, key)(after);
  const rows = yield* pageOf(name, plan, key, last, limit);
  const keys = rows.map(keyOf(plan, key));
  return { rows, damaged: rows.filter((row) => !isSound(plan, row)).length, isSorted: areSorted(keys, last) };
}

/** A page of {@link walkTable}. */
export interface WalkedPage {
  /** Values in the order of the table's columns, then the checksum. */
  readonly rows: readonly SqlRow[];
  /** Number of rows that do not match their checksum. */
  readonly damaged: number;
  readonly isSorted: boolean;
}

function pageOf(
  name: string,
  plan: Plan,
  by: readonly string[],
  after: readonly SqlValue[] | undefined,
  limit: number,
  where: readonly string[] = [],
  values: readonly SqlValue[] = [],
): SqlWork<readonly SqlRow[]> {
  const order = by.map(sqlName).join(', ');
  const conditions = [...where, ...(after ? [`(${order}) > (${by.map(() => '?').join(', ')})`] : [])];
  const condition = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  return sql(
    `SELECT ${plan.columns} FROM ${name}${condition} ORDER BY ${order} LIMIT ?`,
    ...values,
    ...(after ?? []),
    limit,
  );
}

/** Returns the function from a row to its key. */
function keyOf({ cells }: Plan, by: readonly string[]): (row: SqlRow) => SqlRow {
  const places = by.map((name) => cells.find((cell) => cell.name === name)?.at ?? -1);
  return (row) => places.map((at) => row[at] ?? null);
}

/** Throws StoreDamagedError unless each key comes after the previous one, and the first one after `after`. */
export function requireSorted(
  table: string,
  keys: readonly (readonly SqlValue[])[],
  after?: readonly SqlValue[],
): void {
  if (!areSorted(keys, after)) throw damageError(`rows of ${table} are out of order: the table or an index is damaged`);
}

/** True when each key comes after the previous one, and the first one after `after`. */
export function areSorted(keys: readonly (readonly SqlValue[])[], after?: readonly SqlValue[]): boolean {
  let last = after;
  for (const key of keys) {
    if (last !== undefined && compareKeys(last, key) >= 0) return false;
    last = key;
  }
  return true;
}

function compareKeys(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  for (const [at, one] of a.entries()) {
    const order = compareValues(one, b[at]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares numbers by value, and text and bytes by their bytes, like the database. */
function compareValues(a: SqlValue | undefined, b: SqlValue | undefined): number {
  // Fast path: most key texts equal those of the previous row.
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const one = bytesOf(a);
  const other = bytesOf(b);
  for (let at = 0; at < one.length && at < other.length; at++) {
    const order = (one[at] ?? 0) - (other[at] ?? 0);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** Returns no bytes for a value that no key holds: it sorts first. */
function bytesOf(value: SqlValue | undefined): Uint8Array {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  return value instanceof Uint8Array ? value : NO_KEY;
}

const NO_KEY = /* @__PURE__ */ new Uint8Array();
