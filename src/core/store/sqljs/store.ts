import initSqlJs, { type SqlJsConfig, type SqlJsStatic } from 'sql.js';
import { refuseUnknown } from '../../domain/options.ts';
import { StoreUnavailableError } from '../errors.ts';
import { Cache } from '../sql/cache.ts';
import { createSqlStore } from '../sql/store.ts';
import { finishInTurns } from '../sqlite/driver.ts';
import type { Store } from '../store.ts';
import { openSqljsDatabase, openSqljsSnapshot } from './database.ts';

/** The result of `initSqlJs()`. The type is structural, because the types of sql.js are a separate package. */
export interface StartedSqlJs {
  /** Opens a database from the bytes of a SQLite file; an empty one without bytes. */
  readonly Database: new (bytes?: ArrayLike<number> | null) => object;
}

/** Options of {@link createSqljsStore}. */
export interface SqljsStoreOptions {
  /** A database from {@link SqljsStore.export}. Default: an empty one. The bytes are not changed. */
  readonly bytes?: Uint8Array;
  /** A started sql.js. Default: the package starts its own. */
  readonly sqlJs?: StartedSqlJs;
  /** Returns the URL of sql.js's `.wasm` file, for pages and bundlers. Passed to `initSqlJs`. */
  readonly locateFile?: (file: string) => string;
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

/**
 * Returns the given sql.js, or starts the package's own. Its code is imported with this module, and only its
 * WebAssembly is loaded here. If the code is imported on demand, Node 22 sometimes returns empty `exports`; it always
 * does after the previous holder of the folder was killed.
 */
export async function startSqlJs(options: Pick<SqljsStoreOptions, 'sqlJs' | 'locateFile'>): Promise<SqlJsStatic> {
  if (options.sqlJs) return options.sqlJs as SqlJsStatic;
  const config: SqlJsConfig = options.locateFile ? { locateFile: options.locateFile } : {};
  try {
    return await initSqlJs(config);
  } catch (error) {
    throw new StoreUnavailableError(
      'sql.js could not start; in a page, set "locateFile" to the address of its .wasm file; ' +
        'in a Durable Object, use createDurableObjectStore of redflag/durable-object',
      { cause: error },
    );
  }
}
