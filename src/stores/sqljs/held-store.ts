import type { JournalMedium } from '../journal/medium.ts';
import { openDurableStore, type DurableStore, type DurableStoreOptions } from './durable.ts';

/**
 * Opens a durable store under a lock that the caller already holds. Closing the store releases the lock. If opening
 * fails, the medium is closed and the lock is released.
 */
export async function openHeldStore(
  lock: { release(): Promise<void> },
  openMedium: () => Promise<JournalMedium>,
  options: Omit<DurableStoreOptions, 'medium'>,
): Promise<DurableStore> {
  try {
    const medium = await openMedium();
    try {
      const store = await openDurableStore({ ...options, medium });
      return { ...store, close: () => store.close().finally(() => lock.release()) };
    } catch (error) {
      await medium.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}
