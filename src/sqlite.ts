/**
 * The store in a SQLite file.
 *
 * @module redflag/sqlite
 */
export { FolderError } from './stores/holds/folder-error.ts';
export type { FolderLock } from './stores/holds/folder-lock.ts';
export { StoreFormatError } from './core/store/errors.ts';
export { FileInUseError } from './stores/holds/in-use.ts';
export { openSqliteFile, type SqliteFileStore } from './stores/sqlite/file-store.ts';
export type { OpenedDatabase } from './stores/sqlite/opened.ts';
export {
  createSqliteStore,
  type SqliteFileOptions,
  type SqliteNotice,
  type SqliteStore,
  type SqliteStoreOptions,
} from './stores/sqlite/store.ts';
