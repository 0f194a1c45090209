import type { Database, SqlJsStatic } from 'sql.js';
import { StoreError, StoreFormatError, StoreUnavailableError } from '../errors.ts';
import type { SqlRow, SqlStep, SqlValue, SqlWork } from '../sql/statement.ts';
import { createSnapshot } from '../sql/transfer.ts';
import { finish, keepStatements, runToPause, type SqliteDriver } from '../sqlite/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import { faultOf } from '../sqlite/faults.ts';
import type { StoreSnapshot } from '../upkeep.ts';

/** Runs {@link SqlWork} on a database in memory with a single user. */
export interface SingleRunner {
  /** Runs the work as one transaction. If it wrote, `beforeCommit` runs; if that throws, nothing is written. */
  run<T>(work: SqlWork<T>, beforeCommit?: () => void): T;
  /** Continues a work that only reads, to its next pause or its end. */
  read<T>(work: SqlWork<T>): IteratorResult<SqlStep, T>;
  /** Runs everything until {@link endBulk} as one transaction: in a replay, commits would cost more than the work. */
  beginBulk(): void;
  endBulk(): void;
  close(): void;
}

/** Runs work on SQLite in this process's memory. */
export interface SqljsDatabase extends SingleRunner {
  /** Returns the whole database as the bytes of a SQLite file. */
  export(): Uint8Array;
}

/**
 * Opens a database, empty or from a file's bytes, and updates its schema. Throws {@link StoreFormatError} if the bytes
 * are no database that this program can use.
 */
export function openSqljsDatabase(SQL: SqlJsStatic, bytes?: Uint8Array): SqljsDatabase {
  // Pass a plain Uint8Array: sql.js writes into the result of `slice`, and a Buffer's `slice` does not copy.
  const db = new SQL.Database(bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const driver = driverOf(db);
  try {
    // With one connection in memory, no lock per statement and no journal file is needed. Deleted rows are overwritten.
    driver.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;',
    );
    migrate(driver);
  } catch (error) {
    db.close();
    throw error instanceof StoreFormatError
      ? error
      : new StoreFormatError('the bytes are not a SQLite database', { cause: error });
  }
  return { ...createSingleRunner(driver), export: () => db.export() };
}

/** A snapshot that is a second database in memory, opened from the bytes of the first. */
export function openSqljsSnapshot(SQL: SqlJsStatic, bytes: Uint8Array): StoreSnapshot {
  const copy = openSqljsDatabase(SQL, bytes);
  return createSnapshot(
    (start) => copy.run(start()),
    () => copy.close(),
  );
}

function driverOf(db: Database): SqliteDriver {
  return {
    prepare(text) {
      const statement = db.prepare(text);
      return {
        all(values) {
          statement.bind(values as SqlValue[]);
          const rows: SqlRow[] = [];
          while (statement.step()) rows.push(statement.get());
          statement.reset();
          return rows;
        },
        run: (values) => statement.run(values as SqlValue[]),
        free: () => void statement.free(),
      };
    },
    exec: (text) => void db.run(text),
    close: () => db.close(),
  };
}

export function createSingleRunner(driver: SqliteDriver): SingleRunner {
  // `writing` is true from the first writing statement of a transaction until its end.
  const state = { writing: false, bulk: false };

  const statements = keepStatements(driver, () => {
    if (state.writing) return;
    // Begin at the first write only. Set `writing` first, because BEGIN calls this function too.
    state.writing = true;
    if (!state.bulk) statements.command('BEGIN');
  });

  const fail = (error: unknown): unknown => {
    try {
      if (state.writing && !state.bulk) statements.command('ROLLBACK');
    } catch {
      // SQLite rolled back already, as it does when memory runs out.
    }
    state.writing = false;
    if (error instanceof StoreError || !faultOf(error)) return error;
    return new StoreUnavailableError('the database in memory failed and was rolled back; often, memory has run out', {
      cause: error,
    });
  };

  return {
    run(work, beforeCommit) {
      try {
        const value = finish(work, statements.step);
        if (state.writing) beforeCommit?.();
        if (state.writing && !state.bulk) statements.command('COMMIT');
        state.writing = false;
        return value;
      } catch (error) {
        throw fail(error);
      }
    },
    read(work) {
      try {
        return runToPause(work, statements.step);
      } catch (error) {
        throw fail(error);
      }
    },
    beginBulk() {
      driver.exec('BEGIN');
      state.bulk = true;
    },
    endBulk() {
      state.bulk = false;
      driver.exec('COMMIT');
    },
    close() {
      statements.free();
      driver.close();
    },
  };
}
