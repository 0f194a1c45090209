export { createMemoryMedium, type MemoryMedium } from './journal/memory.ts';
export type { JournalMedium } from './journal/medium.ts';
export { JournalDamagedError } from './journal/damaged.ts';
export { JournalVersionError } from './journal/format.ts';
export { FolderInUseError } from './journal/in-use.ts';
export { StoreFormatError } from './store/sql/format-error.ts';
export { openBrowserStore, type BrowserStore, type BrowserStoreOptions } from './store/sqljs/browser-store.ts';
export {
  openDurableStore,
  type DurableStore,
  type DurableStoreOptions,
  type StoreNotice,
} from './store/sqljs/durable.ts';
export { createSqljsStore, type SqljsStore, type SqljsStoreOptions, type StartedSqlJs } from './store/sqljs/store.ts';
