import type { Database, SqlJsStatic } from 'sql.js';
import { StoreFormatError } from '../sql/format-error.ts';
import type { SqlRow, SqlValue } from '../sql/statement.ts';
import type { SqliteDriver } from '../sqlite/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import { createSingleRunner, type SingleRunner } from '../sqlite/single.ts';

/** Runs work on SQLite in this process's memory. */
export interface SqljsDatabase extends SingleRunner {
  /** The whole database as the bytes of a SQLite file. */
  export(): Uint8Array;
}

/** Opens a database, empty or from the bytes of a file, and brings its schema up to date. Throws {@link StoreFormatError}. */
export function openSqljsDatabase(SQL: SqlJsStatic, bytes?: Uint8Array): SqljsDatabase {
  // Without its class: sql.js copies with `slice`, which on a Buffer of Node copies nothing, and then writes into it.
  const db = new SQL.Database(bytes && new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const driver = driverOf(db);
  try {
    // One connection, in memory: no lock to take anew at each statement, no rollback journal file; a removed row's bytes are overwritten, not just unlinked.
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
