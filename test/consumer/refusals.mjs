// What a runtime cannot do. Returns the message of each refusal; a bundle for the runtime calls it.
import { createHashPool } from 'redflag/browser';
import { createDurableObjectStore } from 'redflag/durable-object';
import { hashIdentifierSync } from 'redflag/hash';
import { createGuardedServer, createHashPool as createNodePool, createListener, openFolderStore } from 'redflag/node';
import { createSqliteStore, openSqliteFile } from 'redflag/sqlite';
import { createSqljsStore, openBrowserStore } from 'redflag/sqljs';

const CALLS = {
  openFolderStore: () => openFolderStore('data'),
  openSqliteFile: () => openSqliteFile('store.db'),
  createSqliteStore: () => createSqliteStore({}),
  createNodePool: () => createNodePool(),
  createListener: () => createListener({}),
  createGuardedServer: () => createGuardedServer(() => undefined),
  createHashPool: () => createHashPool(),
  createSqljsStore: () => createSqljsStore(),
  openBrowserStore: () => openBrowserStore({ name: 'shop' }),
  createDurableObjectStore: () => createDurableObjectStore({}),
  'hasher: simd': () => hashIdentifierSync('client@example.com', { hasher: 'simd' }),
};

/** Calls these functions. `works`: the function did not throw. */
export async function refusalsOf(names) {
  const refused = {};
  for (const name of names) {
    try {
      await CALLS[name]();
      refused[name] = 'works';
    } catch (error) {
      refused[name] = `${error.name}: ${error.message}`;
    }
  }
  return refused;
}
