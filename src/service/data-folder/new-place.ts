import { rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { JOURNAL_NAME } from '../../stores/journal/file.ts';
import type { Store } from '../../core/store/store.ts';
import { isPostgres, SQLITE_NAME, type StoreAddress } from './address.ts';
import { keysFolderOf } from './key-files.ts';
import { exists } from './new-file.ts';
import { openToCopy } from './open-store.ts';

/** Records what a command creates when it opens a store, so that a refused command can remove all of this. */
export interface NewPlace {
  /** Records a new file that the command has written. */
  wrote(file: string): void;
  /**
   * Removes what is new and closes the store. Call this only if nothing was written to the store. Ignores files that
   * cannot be removed.
   */
  leave(store?: Store): Promise<void>;
  /** Like `leave`, for a store that other code opened and closed. Does nothing if the store has rows. */
  leaveEmpty(): Promise<void>;
}

/** Records what exists. Call this before the store is opened. */
export async function notePlace(folder: string, address: StoreAddress): Promise<NewPlace> {
  const [file, ...others] = filesOf(folder, address);
  // Files beside an existing store, such as its log, belong to the store.
  const isNew = file !== undefined && (await missingOf([file])).length > 0;
  const files = isNew ? [file, ...(await missingOf(others))] : [];
  const folders = [
    ...(await missingOf(isNew && address === 'sqlite' ? [`${file}.holder`] : [])),
    ...(await missingOf([keysFolderOf(folder), ...pathTo(folder)])),
  ];

  const leave = async (store?: Store): Promise<void> => {
    // Remove files while the store is held, so that no other process can use them. Remove only empty folders.
    if (store) for (const file of files) await rm(file, { force: true }).catch(ignore);
    await store?.close().catch(ignore);
    for (const one of folders) await rmdir(one).catch(ignore);
  };
  return {
    wrote: (file) => void files.push(file),
    leave,
    async leaveEmpty() {
      const store =
        isNew && (await missingOf([file])).length === 0 ? await openToCopy(folder, address).catch(ignore) : undefined;
      if (store && !(await isEmpty(store).catch(ignore))) return store.close();
      await leave(store);
    },
  };
}

/** Returns the files of a store, main file first. A server has no files. */
function filesOf(folder: string, address: StoreAddress): string[] {
  if (isPostgres(address)) return [];
  const names = address === 'journal' ? [JOURNAL_NAME] : [SQLITE_NAME, `${SQLITE_NAME}-wal`];
  return names.map((name) => join(folder, name));
}

/** Returns a folder and its parent folders, innermost first. */
function pathTo(folder: string): string[] {
  const parents: string[] = [];
  for (let at = resolve(folder); at !== parents.at(-1); at = dirname(at)) parents.push(at);
  return parents;
}

async function missingOf(names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(names.map(exists));
  return names.filter((_, at) => !found[at]);
}

async function isEmpty(store: Store): Promise<boolean> {
  const snapshot = await store.snapshot();
  try {
    for (const { name } of snapshot.tables) if ((await snapshot.readRows(name, undefined, 1)).length > 0) return false;
    return true;
  } finally {
    await snapshot.close();
  }
}

const ignore = (): undefined => undefined;
