import { openJournalFile } from '../../journal/file.ts';
import { lockFolder, type FolderLock } from '../../journal/folder-lock.ts';
import { openDurableStore, type DurableStore, type DurableStoreOptions } from './durable.ts';

/** A store in a folder of this machine. */
export interface FolderStore extends DurableStore {
  /** Holds the folder for this process, and takes the calls of others (`redflag keys` while the service runs). */
  readonly lock: FolderLock;
}

/**
 * Opens a durable store in a folder, which is made if it is not there (mode 700). One process a folder: a second one is refused with
 * `FolderInUseError`. `kill -9` leaves nothing to clean up. Closing the store lets go of the folder.
 * Rejects like `openDurableStore`, and with the system's error when the folder cannot be used; nothing was changed then.
 */
export async function openFolderStore(
  folder: string,
  options: Omit<DurableStoreOptions, 'medium'> = {},
): Promise<FolderStore> {
  const lock = await lockFolder(folder);
  try {
    const medium = await openJournalFile(folder);
    try {
      const store = await openDurableStore({ ...options, medium });
      return {
        ...store,
        lock,
        async close() {
          try {
            await store.close();
          } finally {
            await lock.release();
          }
        },
      };
    } catch (error) {
      await medium.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}
