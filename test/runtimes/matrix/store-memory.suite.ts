import { createSqljsStore, type SqljsStore } from '../../../src/core/store/sqljs/store.ts';
import { storeContract } from '../../contract/store.ts';

storeContract(
  'createSqljsStore',
  () => createSqljsStore(),
  async (store) => {
    const bytes = (store as SqljsStore).export();
    await store.close();
    return createSqljsStore({ bytes });
  },
);
