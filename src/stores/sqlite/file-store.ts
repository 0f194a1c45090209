import { randomBytes } from 'node:crypto';
import { chmod, open, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareFolder, syncFolder } from '../holds/folder.ts';
import type { FolderLock } from '../holds/folder-lock.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import type { SqliteDriver } from '../../core/store/sqlite/driver.ts';
import { openFileSnapshot, readParts } from './file-copy.ts';
import { holdFile } from '../holds/file-hold.ts';
import { FileInUseError } from '../holds/in-use.ts';
import { watchNames } from '../holds/watch-names.ts';
import { createStoreOn, FILE_OPTIONS, type SqliteFileOptions, type SqliteStore, type StoreOn } from './store.ts';
import { createWasmDriver } from './wasm.ts';

/** A store in a SQLite file of this machine. */
export interface SqliteFileStore extends SqliteStore {
  /** This process's lock on the file. It receives calls of other processes (`connectToFolder('<file>.holder')`). */
  readonly lock: FolderLock;
  /**
   * Returns a backup: the bytes of a SQLite file. It contains every write that was acknowledged before the first byte
   * is read. Other calls are answered meanwhile; their writes stay in the log until the reader has finished. Throws
   * StoreUnavailableError if the store is closed before the end, or if the disk fails.
   */
  copy(): AsyncIterable<Uint8Array>;
}

/** Readable and writable by its owner alone. */
const FILE_MODE = 0o600;

/**
 * Opens a store in a SQLite file. SQLite runs as WebAssembly, which needs no native build. Creates a missing file (mode
 * 600) and its folder (mode 700). Beside the file are the folder `<file>.holder` and, while the store is open,
 * `<file>-wal`.
 *
 * Only one process can open a file: a second one is rejected with `FileInUseError`. Do not open the file with another
 * program meanwhile: neither would see the other's lock. `kill -9` leaves nothing to clean up and loses no acknowledged
 * write. Closing the store releases the file.
 *
 * Rejects with StoreFormatError if this program cannot use the file as a store, with `FolderError` if its folder cannot
 * be used. Rejects with StoreUnavailableError if the disk fails, and with TypeError or RangeError for a wrong option.
 */
export async function openSqliteFile(name: string, options: SqliteFileOptions = {}): Promise<SqliteFileStore> {
  refuseUnknown(options, FILE_OPTIONS);
  const folder = path.dirname(path.resolve(name));
  await prepareFolder(folder);
  // One lock per file, whatever its name: a symbolic link is resolved to its target.
  const file = await realpath(name).catch(async () => path.join(await realpath(folder), path.basename(name)));
  const hold = await holdFile(file);
  const copies = path.join(`${file}.holder`, 'copy-');
  try {
    await createFile(file);
    const names = { probe: (): void => undefined };
    const on = openStore(file, options, () => names.probe());
    const { store } = on;
    try {
      await hold.opened();
      await removeLeft(copies);
      names.probe = watchNames([file, `${file}-wal`]);
      // The log contains the same data as the database. After the folder is flushed, a new name survives a power loss.
      await chmod(`${file}-wal`, FILE_MODE);
      await syncFolder(path.dirname(file));
    } catch (error) {
      await store.close();
      throw error;
    }
    const state: { closing: Promise<void> | undefined } = { closing: undefined };
    const copy = (): AsyncIterable<Uint8Array> => readParts(file, on, () => names.probe());
    return {
      ...store,
      lock: hold.lock,
      copy,
      async snapshot() {
        try {
          names.probe();
        } catch {
          // Another file has the store's name, so the file cannot be copied. A snapshot in memory saves the store's
          // content.
          return store.snapshot();
        }
        return openFileSnapshot(copy(), `${copies}${randomBytes(4).toString('hex')}`);
      },
      async erased() {
        await store.erased();
        // A killed process may have left a copy. If another call is about to open a copy, that call fails as
        // unavailable.
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

async function createFile(file: string): Promise<void> {
  try {
    await (await open(file, 'a+', FILE_MODE)).close();
  } catch (error) {
    throw new StoreUnavailableError(`the file ${file} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

/** Removes copies that a killed process left. Normally, opening a copy deletes its name. */
async function removeLeft(copies: string): Promise<void> {
  const folder = path.dirname(copies);
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(path.basename(copies))) await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function openStore(file: string, options: SqliteFileOptions, probe: () => void): StoreOn {
  const driver = openDriver(file);
  try {
    return createStoreOn(driver, { ...options, exclusive: true, probe });
  } catch (error) {
    driver.close();
    const { cause } = error as Error;
    if (cause instanceof Error && cause.message === 'database is locked')
      throw new FileInUseError(file, 'another program has it open');
    throw error;
  }
}
