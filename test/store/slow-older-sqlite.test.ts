import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import initSqlJs from 'sql.js';
import sqlite from 'node-sqlite3-wasm';
import { encodeSnapshotFile } from '../../src/stores/journal/format.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openSqliteFile } from '../../src/stores/sqlite/file-store.ts';
import { openDurableStore } from '../../src/stores/sqljs/durable.ts';
import { createSqljsStore, type SqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { emptyEarlier, SOME_EARLIER_VERSIONS } from './earlier.ts';
import { newFiles } from './sqlite-stored.ts';

// The contract on stores that an earlier program made: only later calls show what a migration forgot. That all rows of
// an earlier program read the same is in sqlite-file.test.ts and sqljs.test.ts.
const newFile = await newFiles();
const SQL = await initSqlJs();

const imageOf = (version: number): Uint8Array => {
  const old = new SQL.Database();
  old.run(emptyEarlier(version));
  const bytes = old.export();
  old.close();
  return bytes;
};

for (const version of SOME_EARLIER_VERSIONS) {
  const fileOf = new WeakMap<Store, string>();
  const open = async (file: string): Promise<Store> => {
    const store = await openSqliteFile(file);
    fileOf.set(store, file);
    return store;
  };
  // Brought up to date once and copied, for each step waits for the disk.
  const broughtUp = newFile();
  storeContract(
    `node-sqlite3-wasm on a file of schema ${version}`,
    async () => {
      if (!existsSync(broughtUp)) {
        const old = new sqlite.Database(broughtUp);
        old.exec(emptyEarlier(version));
        old.close();
        await (await openSqliteFile(broughtUp)).close();
      }
      const file = newFile();
      await copyFile(broughtUp, file);
      return open(file);
    },
    async (store) => {
      await store.close();
      return open(fileOf.get(store)!);
    },
    VARIANT_CASES,
  );

  const image = imageOf(version);
  storeContract(
    `sql.js on an image of schema ${version}`,
    () => createSqljsStore({ bytes: image }),
    async (store) => {
      const bytes = (store as SqljsStore).export();
      await store.close();
      return createSqljsStore({ bytes });
    },
    VARIANT_CASES,
  );

  const journal = Buffer.concat(encodeSnapshotFile([image]).chunks);
  const mediumOf = new WeakMap<Store, ReturnType<typeof createMemoryMedium>>();
  const openJournal = async (bytes: Uint8Array): Promise<Store> => {
    const medium = createMemoryMedium(bytes);
    const store = await openDurableStore({ medium });
    mediumOf.set(store, medium);
    return store;
  };
  storeContract(
    `sql.js with a journal whose snapshot is of schema ${version}`,
    () => openJournal(journal),
    async (store) => {
      // Without a close: records of this program after a snapshot of the earlier one, as a crash leaves them.
      const bytes = mediumOf.get(store)!.bytes();
      await store.close();
      return openJournal(bytes);
    },
    VARIANT_CASES,
  );
}
