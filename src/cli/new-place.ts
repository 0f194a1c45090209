import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { JOURNAL_NAME } from '../journal/file.ts';
import type { Store } from '../store/store.ts';
import { isPostgres, openStore, SQLITE_NAME, type StoreAddress } from './open-store.ts';

/** What of a store was not there before a command opened it, so that a command that is refused leaves things as they were. */
export interface NewPlace {
  /** Counts a file as new that the command has written. */
  wrote(file: string): void;
  /** Takes away what is new, and closes the store, which nobody may have written to. Whatever cannot be taken away stays. */
  leave(store?: Store): Promise<void>;
  /** The same for a store that somebody else has opened and closed since; does nothing when there are rows in it. */
  leaveEmpty(): Promise<void>;
}

/** To be called before the store is opened. */
export async function notePlace(folder: string, address: StoreAddress): Promise<NewPlace> {
  const [file, ...others] = filesOf(folder, address);
  // What is beside a store that is there, as its log, is a part of it.
  const isNew = file !== undefined && (await newOf([file])).length > 0;
  const files = isNew ? [file, ...(await newOf(others))] : [];
  const folders = [
    ...(await newOf(isNew && address === 'sqlite' ? [`${file}.holder`] : [])),
    ...(await newOf(wayTo(folder))),
  ];

  const leave = async (store?: Store): Promise<void> => {
    // While the store is held: nobody else can have begun one there. A folder goes only when it is empty.
    if (store) for (const file of files) await rm(file, { force: true }).catch(ignore);
    await store?.close().catch(ignore);
    for (const one of folders) await rmdir(one).catch(ignore);
  };
  return {
    wrote: (file) => void files.push(file),
    leave,
    async leaveEmpty() {
      const store =
        isNew && (await newOf([file])).length === 0 ? await openStore(folder, address).catch(ignore) : undefined;
      if (store && !(await isEmpty(store).catch(ignore))) return store.close();
      await leave(store);
    },
  };
}

/** The store's own file first; none of a server's. */
function filesOf(folder: string, address: StoreAddress): string[] {
  if (isPostgres(address)) return [];
  return (address === 'journal' ? [JOURNAL_NAME] : [SQLITE_NAME, `${SQLITE_NAME}-wal`]).map((name) =>
    join(folder, name),
  );
}

/** A folder and those that it is in, from the inside out. */
function wayTo(folder: string): string[] {
  const way = [resolve(folder)];
  for (let above = dirname(way[0]!); above !== way.at(-1); above = dirname(above)) way.push(above);
  return way;
}

/** Those of the names that nothing has. */
async function newOf(names: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    names.map((name) =>
      lstat(name).then(
        () => true,
        () => false,
      ),
    ),
  );
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
