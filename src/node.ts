export { createListener, type ListenerOptions } from './http/listener.ts';
export { JournalFolderError } from './journal/folder.ts';
export { FolderInUseError, type FolderLock } from './journal/folder-lock.ts';
export { openFolderStore, type FolderStore } from './store/sqljs/folder-store.ts';
