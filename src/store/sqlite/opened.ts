import type { SqlRow, SqlValue } from '../sql/statement.ts';
import type { SqliteDriver, SqliteStatement } from './driver.ts';

/**
 * An open database of `node:sqlite` (`new DatabaseSync(path)`) or of better-sqlite3 (`new Database(path)`) or a package of the same shape, as libsql.
 * Named by its shape: redflag imports none of them.
 */
export interface OpenedDatabase {
  prepare(text: string): object;
  exec(text: string): unknown;
  close(): unknown;
}

/** What both give for a statement, and what only one of them has. */
interface OpenedStatement {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): unknown;
  /** better-sqlite3: rows as arrays. Throws for a statement without rows, which `reader` tells. */
  raw?(on: boolean): unknown;
  readonly reader?: boolean;
  /** better-sqlite3: integers as BigInt, which somebody may have made the default. */
  safeIntegers?(on: boolean): unknown;
  /** node:sqlite: the same. */
  setReadBigInts?(on: boolean): void;
  /** node:sqlite: rows as arrays, from Node 22.16 and 24. */
  setReturnArrays?(on: boolean): void;
}

export function createOpenedDriver(database: OpenedDatabase): SqliteDriver {
  return {
    prepare: (text) => prepare(database.prepare(text) as OpenedStatement),
    exec: (text) => void database.exec(text),
    close: () => void database.close(),
  };
}

function prepare(statement: OpenedStatement): SqliteStatement {
  if (statement.reader !== false) {
    statement.raw?.(true);
    statement.safeIntegers?.(false);
  }
  statement.setReadBigInts?.(false);
  statement.setReturnArrays?.(true);
  // One list for better-sqlite3 and its like, of which libsql takes a single blob for names and values; one by one for node:sqlite, which takes no list.
  const bound = (values: readonly SqlValue[]): readonly unknown[] => (statement.raw ? [values] : values);
  return {
    all: (values) => statement.all(...bound(values)).map((row) => toRow(row as SqlRow | Record<string, SqlValue>)),
    run: (values) => void statement.run(...bound(values)),
    // Both free a statement with its database, or when nobody refers to it.
    free: () => undefined,
  };
}

/**
 * A row as an array of its own values. Where a build gives objects only, the columns of one statement need names of their own, none of them
 * a whole number, and the test of the statements holds them to it.
 */
export function toRow(row: SqlRow | Record<string, SqlValue>): SqlRow {
  const values = Array.isArray(row) ? (row as SqlValue[]) : Object.values(row as Record<string, SqlValue>);
  return values.map((value) =>
    value instanceof Uint8Array && value.constructor !== Uint8Array ? new Uint8Array(value) : value,
  );
}
