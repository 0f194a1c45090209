import { createSqljsStore, type SqljsStore } from '../src/core/store/sqljs/store.ts';

const empty = createSqljsStore().then((store) => store.export());

/** Returns an empty store in memory. It is copied, because the steps of the schema take ten times as long. */
export async function createMemoryStore(): Promise<SqljsStore> {
  return createSqljsStore({ bytes: await empty });
}
