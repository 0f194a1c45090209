export { JournalFolderError } from './journal/folder.ts';
export type { FolderLock } from './journal/folder-lock.ts';
export { StoreFormatError } from './store/sql/format-error.ts';
export { FileInUseError } from './store/sqlite/file-hold.ts';
export { openSqliteFile, type SqliteFileStore } from './store/sqlite/file-store.ts';
export type { OpenedDatabase } from './store/sqlite/opened.ts';
export {
  createSqliteStore,
  type SqliteFileOptions,
  type SqliteNotice,
  type SqliteStore,
  type SqliteStoreOptions,
} from './store/sqlite/store.ts';
