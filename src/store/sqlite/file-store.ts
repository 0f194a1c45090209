import { randomBytes } from 'node:crypto';
import { chmod, open, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareFolder, syncFolder } from '../../journal/folder.ts';
import type { FolderLock } from '../../journal/folder-lock.ts';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { openFileSnapshot, readParts } from './file-copy.ts';
import { FileInUseError, holdFile, watchNames } from './file-hold.ts';
import { createStoreOn, type SqliteFileOptions, type SqliteStore, type StoreOn } from './store.ts';
import { createWasmDriver } from './wasm.ts';

/** A store in a SQLite file of this machine. */
export interface SqliteFileStore extends SqliteStore {
  /** Holds the file for this process, and takes the calls of others (`connectToFolder('<file>.holder')`). */
  readonly lock: FolderLock;
  /**
   * The bytes of a SQLite file that has all that was acknowledged by when the first is read, for a backup. Others are answered meanwhile, and what they write stays in the log until
   * the reader is done. Throws StoreUnavailableError when the store is closed before, or the disk fails.
   */
  copy(): AsyncIterable<Uint8Array>;
}

/** Readable and writable by its owner alone. */
const FILE_MODE = 0o600;

/**
 * Opens a store in a SQLite file on SQLite as WebAssembly, which needs no native build. The file is made if it is not there (mode 600), and its folder too
 * (mode 700). Beside it are `<file>-wal` while it is open and the folder `<file>.holder`. One process a file: a second one is refused with `FileInUseError`.
 * No other program may open the file meanwhile: it would not see this one's lock, nor this one its. `kill -9` leaves nothing to clean up and loses no write that was acknowledged. Closing the store lets go of the file.
 *
 * Rejects with StoreFormatError when the file is not a store that this program can use, with `JournalFolderError` when its folder cannot be used, and with
 * StoreUnavailableError when the disk fails.
 */
export async function openSqliteFile(name: string, options: SqliteFileOptions = {}): Promise<SqliteFileStore> {
  const folder = path.dirname(path.resolve(name));
  await prepareFolder(folder);
  // One file, one hold, whatever it is called: a link leads to what it stands for.
  const file = await realpath(name).catch(async () => path.join(await realpath(folder), path.basename(name)));
  const hold = await holdFile(file);
  const copies = path.join(`${file}.holder`, 'copy-');
  try {
    await makeFile(file);
    const names = { prove: (): void => undefined };
    const on = openStore(file, options, () => names.prove());
    const { store } = on;
    try {
      await hold.opened();
      await removeLeft(copies);
      names.prove = watchNames([file, `${file}-wal`]);
      // The log holds what the database holds. A name in a folder survives a loss of power once the folder was flushed.
      await chmod(`${file}-wal`, FILE_MODE);
      await syncFolder(path.dirname(file));
    } catch (error) {
      await store.close();
      throw error;
    }
    const state: { closing: Promise<void> | undefined } = { closing: undefined };
    const copy = (): AsyncIterable<Uint8Array> => readParts(file, on, () => names.prove());
    return {
      ...store,
      lock: hold.lock,
      copy,
      async snapshot() {
        try {
          names.prove();
        } catch {
          // The file is no more what it is called. What the store holds can be saved in this way alone, in as much memory as it takes.
          return store.snapshot();
        }
        return openFileSnapshot(copy(), `${copies}${randomBytes(4).toString('hex')}`);
      },
      async erased() {
        await store.erased();
        // Whoever wanted one and was killed has left it; whoever is about to open one is told that there is none.
        await removeLeft(copies);
      },
      close: () => (state.closing ??= store.close().finally(() => hold.release())),
    };
  } catch (error) {
    await hold.release();
    throw error;
  }
}

function openDriver(file: string): SqliteDriver {
  try {
    return createWasmDriver(file);
  } catch (error) {
    throw new StoreUnavailableError(`the file ${file} cannot be opened`, { cause: error });
  }
}

async function makeFile(file: string): Promise<void> {
  try {
    await (await open(file, 'a+', FILE_MODE)).close();
  } catch (error) {
    throw new StoreUnavailableError(`the file ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

/** A copy loses its name when it is opened, unless its process was killed before. */
async function removeLeft(copies: string): Promise<void> {
  const folder = path.dirname(copies);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(path.basename(copies))) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function openStore(file: string, options: SqliteFileOptions, prove: () => void): StoreOn {
  const driver = openDriver(file);
  try {
    return createStoreOn(driver, { ...options, exclusive: true, prove });
  } catch (error) {
    driver.close();
    const { cause } = error as Error;
    if (cause instanceof Error && cause.message === 'database is locked')
      throw new FileInUseError(file, 'another program has it open');
    throw error;
  }
}
