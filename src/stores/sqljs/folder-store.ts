import { openJournalFile } from '../journal/file.ts';
import { lockFolder, type FolderLock } from '../holds/folder-lock.ts';
import { openHeldStore, type DurableStore, type DurableStoreOptions } from './durable.ts';

/** A store in a folder of this machine. */
export interface FolderStore extends DurableStore {
  /**
   * This process's lock on the folder. It receives calls of other processes (`redflag keys` while the service runs).
   */
  readonly lock: FolderLock;
}

/**
 * Opens a durable store in a folder; creates a missing folder (mode 700). One process per folder: a second one is
 * rejected with `FolderInUseError`. `kill -9` leaves nothing to clean up. Closing the store releases the folder.
 * Rejects like `openDurableStore`, and with `FolderError` if the folder cannot be used. Rejects with RangeError if its
 * path is too long for a socket (not on Linux).
 */
export async function openFolderStore(
  folder: string,
  options: Omit<DurableStoreOptions, 'medium'> = {},
): Promise<FolderStore> {
  const lock = await lockFolder(folder);
  return { ...(await openHeldStore(lock, () => openJournalFile(folder), options)), lock };
}
