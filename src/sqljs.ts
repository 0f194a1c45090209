/**
 * The store in memory, in a browser or on a journal, with SQLite as WebAssembly.
 *
 * @module redflag/sqljs
 */
export { createMemoryMedium, type MemoryMedium } from './journal/memory.ts';
export type { JournalMedium } from './journal/medium.ts';
export type { JournalNotice } from './journal/open.ts';
export { JournalDamagedError, JournalVersionError } from './journal/errors.ts';
export { FolderInUseError } from './holds/in-use.ts';
export { StoreFormatError } from './store/errors.ts';
export { openBrowserStore, type BrowserStore, type BrowserStoreOptions } from './store/sqljs/browser-store.ts';
export {
  openDurableStore,
  type DurableStore,
  type DurableStoreOptions,
  type StoreNotice,
} from './store/sqljs/durable.ts';
export { createSqljsStore, type SqljsStore, type SqljsStoreOptions, type StartedSqlJs } from './store/sqljs/store.ts';
