/**
 * The store in memory, in a browser or on a journal, with SQLite as WebAssembly.
 *
 * @module redflag/sqljs
 */
export { createMemoryMedium, type MemoryMedium } from './stores/journal/memory.ts';
export type { JournalMedium } from './stores/journal/medium.ts';
export type { JournalNotice } from './stores/journal/open.ts';
export { JournalDamagedError, JournalVersionError } from './stores/journal/errors.ts';
export { FolderInUseError } from './stores/holds/in-use.ts';
export { StoreFormatError } from './core/store/errors.ts';
export { openBrowserStore, type BrowserStore, type BrowserStoreOptions } from './stores/sqljs/browser-store.ts';
export {
  openDurableStore,
  type DurableStore,
  type DurableStoreOptions,
  type StoreNotice,
} from './stores/sqljs/durable.ts';
export { createSqljsStore, type SqljsStore, type SqljsStoreOptions } from './core/store/sqljs/store.ts';
export type { StartedSqlJs } from './core/store/sqljs/start.ts';
