import type { Identifier } from '../../domain/identifier.ts';
import { StoreDamagedError } from '../store.ts';
import { toHex } from './bytes.ts';
import { columnParts, rowSum, type RowSum } from './checksum.ts';
import { each, insert, sql, type SqlRow, type SqlValue, type SqlWork } from './statement.ts';
import { TABLES, tableOf } from './tables.ts';

// Rows of the catalogue as they are written, with their checksum, and as they are read, proved by it. Rows are in the order of the catalogue's columns.

/** Writes new rows. `tail` is what comes after VALUES. */
export function* put(table: string, rows: readonly SqlRow[], tail = ''): SqlWork<void> {
  const { columns, of } = WHOLE.get(table)!;
  yield* insert(
    `INSERT INTO ${table} (${columns})`,
    rows.map((row) => [...row, of(row)]),
    tail,
  );
}

/** Whole rows. `tail` is what comes after the table's name. Throws StoreDamagedError when one is not as it was written, or comes twice. */
export function* read(table: string, tail: string, ...values: SqlValue[]): SqlWork<readonly SqlRow[]> {
  const whole = WHOLE.get(table)!;
  const rows = yield* sql(`SELECT ${whole.columns} FROM ${table} ${tail}`, ...values);
  proveRows(table, whole, rows);
  return rows;
}

/**
 * The rows of each of these values of the table's first column, without that column. What was asked for is proved with the rest: an index may lead to the row of another one.
 * `tail` is what else the statement says of them, with its parameters. Throws StoreDamagedError when one is not as it was written, or comes twice.
 */
export function find(
  table: string,
  keys: readonly Uint8Array[],
  tail = '',
  ...values: SqlValue[]
): SqlWork<readonly (readonly SqlRow[])[]> {
  return findBy(table, tableOf(table).columns[0]!.name, keys, tail, ...values);
}

/** The same by another column. */
export function* findBy(
  table: string,
  column: string,
  keys: readonly Uint8Array[],
  tail = '',
  ...values: SqlValue[]
): SqlWork<readonly (readonly SqlRow[])[]> {
  const { keyPart, rest } = KEYED.get(table)!.get(column)!;
  const found = yield* each(
    `SELECT ${rest.columns} FROM ${table} WHERE ${column} = ?${tail}`,
    keys.map((value) => [value, ...values]),
  );
  for (const [at, rows] of found.entries()) {
    if (rows.length > 0) proveRows(table, rest, rows, keyPart(keys[at]!));
  }
  return found;
}

/**
 * The rows of a report's identifiers, in their order and without its id, for a work that holds its lock. Whoever changes them by the same index, which may lead elsewhere, asks for
 * them first. Throws StoreDamagedError also when the index has lost some: nothing tells that of the last ones alone.
 */
export function* identifiersOf(reportId: Uint8Array): SqlWork<readonly SqlRow[]> {
  const [rows] = yield* findBy('identifier', 'report_id', [reportId], ' ORDER BY position');
  // Nearly always they are there from the first on. While a store is being filled from another one some may be missing, and then the table has no more of them either.
  if (rows!.length === 0 || rows!.some((row, at) => Number(row[4]) !== at)) {
    const [all] = yield* sql(`SELECT count(*) FROM identifier WHERE ${PAST_INDEXES}`, reportId);
    if (Number(all![0]) !== rows!.length)
      throw new StoreDamagedError('identifiers of a report cannot be found: an index is damaged');
  }
  return rows!;
}

/**
 * Says of a row of `report` or `identifier` whose report it is, past every index, which may lead elsewhere: none is searched for an expression, and none has the severity, so none is
 * walked in the table's place.
 */
export const PAST_INDEXES = 'CASE WHEN report_id = ? THEN coalesce(severity, 0) END IS NOT NULL';

/** Rows that begin with hash and kind. */
export function toIdentifiers(rows: readonly SqlRow[]): Identifier[] {
  return rows.map(([hash, kind]) => ({ kind: kind as string, hash: toHex(hash) }));
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

/** Each is as it was written, and none comes twice, as from an index whose page names one of its entries twice. */
function proveRows(table: string, sum: RowSum, rows: readonly SqlRow[], known?: number): void {
  for (const row of rows) {
    if (sum.of(row, known) !== row[row.length - 1])
      throw new StoreDamagedError(`a row of ${table} is damaged: its checksum is of something else`);
  }
  // The same row has the same checksum, and hardly ever another one has it.
  if (
    rows.length > 1 &&
    new Set(rows.map((row) => row[row.length - 1])).size < rows.length &&
    new Set(rows.map(spell)).size < rows.length
  ) {
    throw new StoreDamagedError(`a row of ${table} was found twice: its table or an index is damaged`);
  }
}

function spell(row: SqlRow): string {
  return JSON.stringify(row.map((value) => (value instanceof Uint8Array ? [toHex(value)] : value)));
}

const WHOLE: ReadonlyMap<string, RowSum> = new Map(TABLES.map(({ name }) => [name, rowSum(name)]));
/** By table and the column that is asked for. */
const KEYED: ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly keyPart: (value: SqlValue) => number; readonly rest: RowSum }>
> = new Map(
  TABLES.map(({ name: table, columns }) => [
    table,
    new Map(columns.map(({ name }) => [name, { keyPart: columnParts(table, name), rest: rowSum(table, name) }])),
  ]),
);
