import initSqlJs, { type SqlJsConfig, type SqlJsStatic } from 'sql.js';
import { checkInTurns } from '../sql/check.ts';
import { matchesInTurns } from '../sql/matches.ts';
import { createMethods, workOf } from '../sql/methods.ts';
import type { StoreWork } from '../sql/work.ts';
import { StoreUnavailableError, type Store } from '../store.ts';
import { openSqljsDatabase } from './database.ts';
import { openSqljsSnapshot } from './snapshot.ts';

/** What `initSqlJs()` of sql.js gives. Named by its shape: the types of sql.js are a package of their own, which a user need not have. */
export interface StartedSqlJs {
  readonly Database: new (bytes?: ArrayLike<number> | null) => object;
}

/** Options of {@link createSqljsStore}. */
export interface SqljsStoreOptions {
  /** A database made by {@link SqljsStore.export}; empty unless given. Not changed. */
  readonly bytes?: Uint8Array;
  /** sql.js as it was started elsewhere; otherwise the package starts its own. */
  readonly sqlJs?: StartedSqlJs;
  /** Where sql.js finds its `.wasm` file, for pages and bundlers (handed to `initSqlJs`). */
  readonly locateFile?: (file: string) => string;
}

/** A store in memory, on SQLite compiled to WebAssembly. */
export interface SqljsStore extends Store {
  /** Everything, as the bytes of a SQLite file. */
  export(): Uint8Array;
}

/**
 * Opens a store in memory, empty or from bytes. What it holds lives as long as it is open; `export()` saves it.
 * Rejects with StoreFormatError when the bytes are not a store that this program can use.
 */
export async function createSqljsStore(options: SqljsStoreOptions = {}): Promise<SqljsStore> {
  const SQL = await startSqlJs(options);
  const db = openSqljsDatabase(SQL, options.bytes);
  const state = { open: true };
  const opened = (): void => {
    if (!state.open) throw new StoreUnavailableError('the store is closed');
  };
  return {
    ...createMethods(async (name: keyof StoreWork, args) => {
      opened();
      return db.run(workOf(name, args)).value;
    }),
    findMatches: (hashes) =>
      matchesInTurns(hashes, (work) => {
        opened();
        return db.run(work).value;
      }),
    export() {
      opened();
      return db.export();
    },
    check: () =>
      checkInTurns((work) => {
        opened();
        return db.run(work).value;
      }),
    async snapshot() {
      opened();
      return openSqljsSnapshot(SQL, db.export());
    },
    async erased() {
      // It is overwritten as it is removed, and there is no file.
      opened();
    },
    async close() {
      if (state.open) db.close();
      state.open = false;
    },
  };
}

/**
 * sql.js: the one handed in, or the package's own. Its program is imported with this module, and its WebAssembly is loaded only here: imported on demand, Node 22
 * sometimes gives its empty `exports` for it, every time when the folder's last holder was killed.
 */
export async function startSqlJs(options: Pick<SqljsStoreOptions, 'sqlJs' | 'locateFile'>): Promise<SqlJsStatic> {
  if (options.sqlJs) return options.sqlJs as SqlJsStatic;
  const config: SqlJsConfig = options.locateFile ? { locateFile: options.locateFile } : {};
  return initSqlJs(config);
}
