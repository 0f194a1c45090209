import { StoreDamagedError } from '../store.ts';
import { firstParts, rowSum, type RowSum } from './checksum.ts';
import { each, insert, sql, type SqlRow, type SqlValue, type SqlWork } from './statement.ts';
import { TABLES } from './tables.ts';

// Rows of the catalogue as they are written, with their checksum, and as they are read, proved by it. Rows are in the order of the catalogue's columns.

/** Writes new rows. `tail` is what comes after VALUES. */
export function* put(table: string, rows: readonly SqlRow[], tail = ''): SqlWork<void> {
  const { columns, of } = WHOLE.get(table)!;
  yield* insert(`INSERT INTO ${table} (${columns})`, rows.map((row) => [...row, of(row)]), tail);
}

/** Whole rows. `tail` is what comes after the table's name. Throws StoreDamagedError when one is not as it was written. */
export function* read(table: string, tail: string, ...values: SqlValue[]): SqlWork<readonly SqlRow[]> {
  const whole = WHOLE.get(table)!;
  const rows = yield* sql(`SELECT ${whole.columns} FROM ${table} ${tail}`, ...values);
  for (const row of rows) proveRow(table, whole, row);
  return rows;
}

/** The same for each list of parameters. */
export function* readEach(table: string, tail: string, lists: readonly (readonly SqlValue[])[]): SqlWork<readonly (readonly SqlRow[])[]> {
  const whole = WHOLE.get(table)!;
  const found = yield* each(`SELECT ${whole.columns} FROM ${table} ${tail}`, lists);
  for (const rows of found) for (const row of rows) proveRow(table, whole, row);
  return found;
}

/**
 * The rows of each of these values of the table's first column, without that column. What was asked for is proved with the rest: an index may lead to the row of another one.
 * `tail` is what else the statement says of them, with its parameters. Throws StoreDamagedError when one is not as it was written.
 */
export function* find(table: string, keys: readonly Uint8Array[], tail = '', ...values: SqlValue[]): SqlWork<readonly (readonly SqlRow[])[]> {
  const { key, keyPart, rest } = KEYED.get(table)!;
  const found = yield* each(`SELECT ${rest.columns} FROM ${table} WHERE ${key} = ?${tail}`, keys.map((value) => [value, ...values]));
  for (const [at, rows] of found.entries()) {
    if (rows.length === 0) continue;
    const known = keyPart(keys[at]!);
    for (const row of rows) proveRow(table, rest, row, known);
  }
  return found;
}

/** What another row refers to. Throws StoreDamagedError when it is not there. */
export function present<T>(table: string, row: T | undefined): T {
  if (row === undefined) throw new StoreDamagedError(`a row of ${table} that another one refers to cannot be found`);
  return row;
}

/** True for a row, with its checksum after its columns, that is as it was written. */
export function isSound(table: string, row: SqlRow): boolean {
  const whole = WHOLE.get(table)!;
  return whole.of(row) === row[row.length - 1];
}

function proveRow(table: string, sum: RowSum, row: SqlRow, known?: number): void {
  if (sum.of(row, known) !== row[row.length - 1]) throw new StoreDamagedError(`a row of ${table} is damaged: its checksum is of something else`);
}

const WHOLE: ReadonlyMap<string, RowSum> = new Map(TABLES.map(({ name }) => [name, rowSum(name)]));
const KEYED: ReadonlyMap<string, { readonly key: string; readonly keyPart: (value: SqlValue) => number; readonly rest: RowSum }> = new Map(
  TABLES.map(({ name, columns }) => [name, { key: columns[0]!.name, keyPart: firstParts(name), rest: rowSum(name, 1) }]),
);
