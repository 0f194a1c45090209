import sqlite from 'node-sqlite3-wasm';
import type { SqlRow, SqlValue } from '../sql/statement.ts';
import type { SqliteDriver } from './driver.ts';

/**
 * SQLite as WebAssembly on a file, which is made when it is not there, unless it must be. Its lock is a directory `<file>.lock` that it makes at the first access and
 * removes at close, so a killed process leaves it behind (`file-hold.ts`). It has no shared memory: a write-ahead log needs `locking_mode = EXCLUSIVE`.
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
        // Objects are all it gives. Their values are in the order of the columns: `opened.ts` says on what condition, and blobs are copies already.
        all: (values) => statement.all(values as SqlValue[]).map((row) => Object.values(row) as SqlRow),
        run: (values) => void statement.run(values as SqlValue[]),
        free: () => statement.finalize(),
      };
    },
    exec: (text) => database.exec(text),
    close: () => database.close(),
  };
}
