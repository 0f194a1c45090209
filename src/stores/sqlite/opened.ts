import type { SqlRow, SqlValue } from '../../core/store/sql/statement.ts';
import type { SqliteDriver, SqliteStatement } from '../../core/store/sqlite/driver.ts';

/**
 * An open database of `node:sqlite` (`new DatabaseSync(path)`), of better-sqlite3 (`new Database(path)`), or of a
 * package with the same shape, such as libsql. The type is structural, because redflag imports none of them.
 */
export interface OpenedDatabase {
  /** Returns a prepared statement. */
  prepare(text: string): object;
  /** Runs statements separated by semicolons, without parameters. */
  exec(text: string): unknown;
  /** Called when the store is closed. */
  close(): unknown;
}

/** Methods that all packages have, and methods that only one has. */
interface OpenedStatement {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): unknown;
  /** better-sqlite3: rows as arrays. Throws for a statement without rows (`reader` is false). */
  raw?(on: boolean): unknown;
  readonly reader?: boolean;
  /** better-sqlite3: integers as BigInt. This may be the connection's default. */
  safeIntegers?(on: boolean): unknown;
  /** node:sqlite: like `safeIntegers`. */
  setReadBigInts?(on: boolean): void;
  /** node:sqlite: rows as arrays, from Node 22.16 and 24. */
  setReturnArrays?(on: boolean): void;
}

/** Throws TypeError for anything else than an open database. */
export function createOpenedDriver(database: OpenedDatabase): SqliteDriver {
  if (typeof (database as Partial<OpenedDatabase> | undefined)?.prepare !== 'function')
    throw new TypeError(
      '"database" expected an open database of node:sqlite (Node 22.5 or newer) or better-sqlite3; ' +
        'without one, use openSqliteFile',
    );
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
  // Pass better-sqlite3 and libsql one list: libsql would misread a single blob as an object of named values. Pass
  // node:sqlite separate values.
  const bound = (values: readonly SqlValue[]): readonly unknown[] => (statement.raw ? [values] : values);
  return {
    all: (values) => statement.all(...bound(values)).map((row) => toRow(row as SqlRow | Record<string, SqlValue>)),
    run: (values) => void statement.run(...bound(values)),
    // Both packages free a statement with its database, or when it is no longer referenced.
    free: () => undefined,
  };
}

/**
 * Returns a row as an array of its values. Some builds return only objects. So each column of a statement needs a
 * unique name that is not a whole number; a test asserts this.
 */
export function toRow(row: SqlRow | Record<string, SqlValue>): SqlRow {
  const values = Array.isArray(row) ? (row as SqlValue[]) : Object.values(row as Record<string, SqlValue>);
  return values.map((value) =>
    value instanceof Uint8Array && value.constructor !== Uint8Array ? new Uint8Array(value) : value,
  );
}
