import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Store } from '../../../src/core/store/store.ts';
import { storeContract } from '../../contract/store.ts';

/** The contract of stores that have a place in a folder of this machine. */
export function placedContract(name: string, open: (place: string) => Promise<Store>): void {
  const folder = mkdtempSync(join(tmpdir(), 'redflag-matrix-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const placeOf = new WeakMap<Store, string>();
  const openAt = async (place: string): Promise<Store> => {
    const store = await open(place);
    placeOf.set(store, place);
    return store;
  };
  const made = { places: 0 };
  storeContract(
    name,
    () => openAt(join(folder, `store-${made.places++}`)),
    async (store) => {
      await store.close();
      return openAt(placeOf.get(store)!);
    },
  );
}
