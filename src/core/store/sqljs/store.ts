import type { SqlJsStatic } from 'sql.js';
import { refuseUnknown } from '../../domain/options.ts';
import { StoreFormatError, StoreUnavailableError } from '../errors.ts';
import { Cache, createSqlStore } from '../sql/store.ts';
import { createSnapshot } from '../sql/transfer.ts';
import { createSingleRunner, finishInTurns, sqljsDriver, type SingleRunner } from '../sqlite/driver.ts';
import { migrate } from '../sqlite/migrate.ts';
import type { Store } from '../store.ts';
import type { StoreSnapshot } from '../upkeep.ts';
import { startSqlJs, type StartOptions } from './start.ts';

/** Options of {@link createSqljsStore}. */
export interface SqljsStoreOptions extends StartOptions {
  /** A database from {@link SqljsStore.export}. Default: an empty one. The bytes are not changed. */
  readonly bytes?: Uint8Array;
}

/** A store in memory, on SQLite compiled to WebAssembly. */
export interface SqljsStore extends Store {
  /** Returns everything as the bytes of a SQLite file. */
  export(): Uint8Array;
}

/** The names of {@link SqljsStoreOptions}. */
const OPTIONS = ['bytes', 'sqlJs', 'locateFile'];

/**
 * Opens a store in memory, empty or from bytes. Closing it discards its content: save it with `export()` first. Rejects
 * with StoreFormatError if the bytes are no store that this program can use, and with TypeError for a wrong option.
 * Rejects with StoreUnavailableError if sql.js cannot start in this runtime.
 */
export async function createSqljsStore(options: SqljsStoreOptions = {}): Promise<SqljsStore> {
  refuseUnknown(options, OPTIONS);
  const SQL = await startSqlJs(options);
  const db = openSqljsDatabase(SQL, options.bytes);
  const state = { open: true };
  const opened = (): void => {
    if (!state.open) throw new StoreUnavailableError('the store is closed');
  };
  return {
    ...createSqlStore(
      {
        async read(start) {
          const work = start();
          return finishInTurns(() => {
            opened();
            return db.read(work);
          });
        },
        async write(start) {
          opened();
          return db.run(start());
        },
      },
      new Cache(),
    ),
    export() {
      opened();
      return db.export();
    },
    async snapshot() {
      opened();
      return openSqljsSnapshot(SQL, db.export());
    },
    async erased() {
      // Deleted data is overwritten at once, and there is no file.
      opened();
    },
    async close() {
      if (state.open) db.close();
      state.open = false;
    },
  };
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
  const driver = sqljsDriver(db);
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
