import { refuseUnknown } from '../../domain/options.ts';
import { StoreUnavailableError } from '../errors.ts';
import { Cache } from '../sql/cache.ts';
import { createSqlStore } from '../sql/store.ts';
import { finishInTurns } from '../sqlite/driver.ts';
import type { Store } from '../store.ts';
import { openSqljsDatabase, openSqljsSnapshot } from './database.ts';
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
