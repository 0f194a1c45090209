import { openBrowserStore } from '../../../src/sqljs.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { storeContract } from '../../contract/store.ts';

// In a worker, which has both places.
for (const storage of ['indexeddb', 'opfs'] as const) {
  const nameOf = new WeakMap<Store, string>();
  const open = async (name: string): Promise<Store> => {
    const store = await openBrowserStore({ name, storage, locateFile: (file) => `/${file}` });
    nameOf.set(store, name);
    return store;
  };
  const made = { names: 0 };
  storeContract(
    `openBrowserStore, ${storage}`,
    () => open(`matrix-${storage}-${made.names++}`),
    async (store) => {
      await store.close();
      return open(nameOf.get(store)!);
    },
  );
}
