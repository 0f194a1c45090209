import sqlite from 'node-sqlite3-wasm';
import type { SqlRow, SqlValue } from '../../core/store/sql/statement.ts';
import type { SqliteDriver } from '../../core/store/sqlite/driver.ts';

/**
 * Opens a file with SQLite as WebAssembly. Creates a missing file unless `fileMustExist`. SQLite's lock is a directory
 * `<file>.lock`, from the first access until close. It remains if the process is killed (`file-hold.ts`). There is no
 * shared memory, so a write-ahead log needs `locking_mode = EXCLUSIVE`.
 */
export function createWasmDriver(
  file: string,
  { fileMustExist = false }: { readonly fileMustExist?: boolean } = {},
): SqliteDriver {
  const database = new sqlite.Database(file, { fileMustExist });
  return {
    prepare(text) {
      const statement = database.prepare(text);
      return {
        // Values are in column order (see `toRow` in opened.ts). Blobs are already copies.
        all: (values) => statement.all(values as SqlValue[]).map((row) => Object.values(row) as SqlRow),
        run: (values) => void statement.run(values as SqlValue[]),
        free: () => statement.finalize(),
      };
    },
    exec: (text) => database.exec(text),
    close: () => database.close(),
  };
}
