/**
 * The store in a SQLite file.
 *
 * @module redflag/sqlite
 */
export { FolderError } from './holds/folder-error.ts';
export type { FolderLock } from './holds/folder-lock.ts';
export { StoreFormatError } from './store/errors.ts';
export { FileInUseError } from './holds/in-use.ts';
export { openSqliteFile, type SqliteFileStore } from './store/sqlite/file-store.ts';
export type { OpenedDatabase } from './store/sqlite/opened.ts';
export {
  createSqliteStore,
  type SqliteFileOptions,
  type SqliteNotice,
  type SqliteStore,
  type SqliteStoreOptions,
} from './store/sqlite/store.ts';
