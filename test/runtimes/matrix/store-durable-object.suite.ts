import { createDurableObjectStore, type DurableObjectStorage } from '../../../src/durable-object.ts';
import { createSqljsStore } from '../../../src/core/store/sqljs/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { storeContract } from '../../contract/store.ts';

// The object that runs the suite (workerd.ts) lends its storage.
const { objectStorage: storage } = globalThis as unknown as {
  objectStorage: DurableObjectStorage & { deleteAll(): Promise<void> };
};

// An object has one database. A second store that is open at the same time is in memory.
const opened = new Set<Store>();
const keep = (store: Store): Store => {
  const close = async (): Promise<void> => {
    opened.delete(kept);
    await store.close();
  };
  const kept = { ...store, close };
  opened.add(kept);
  return kept;
};

storeContract(
  'createDurableObjectStore',
  async () => {
    if (opened.size > 0) return createSqljsStore();
    await storage.deleteAll();
    return keep(await createDurableObjectStore({ storage }));
  },
  async (store) => {
    await store.close();
    return keep(await createDurableObjectStore({ storage }));
  },
);
