import { open, rm } from 'node:fs/promises';
import { createSnapshot } from '../../core/store/sql/transfer.ts';
import { StoreError, StoreUnavailableError } from '../../core/store/errors.ts';
import type { StoreProblem, StoreSnapshot } from '../../core/store/upkeep.ts';
import { findProblems } from './check.ts';
import { finish, keepStatements, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import type { StoreOn } from './store.ts';
import { createWasmDriver } from './wasm.ts';

const PART_BYTES = 1 << 20;

/**
 * Returns the bytes of a database file, which stays unchanged while they are read. Other calls are answered meanwhile.
 * Throws StoreUnavailableError if the store is closed before the end, or if the disk fails. `probe` throws if the file
 * with this name is no longer the store's.
 */
export async function* readParts(
  file: string,
  { freeze }: Pick<StoreOn, 'freeze'>,
  probe: () => void,
): AsyncGenerator<Uint8Array> {
  const { stillOpen, thaw } = await freeze();
  try {
    const handle = await open(file);
    try {
      probe();
      for (;;) {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(PART_BYTES));
        // Check this after the read: closing the store changes the file, and no returned part may contain that change.
        stillOpen();
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof StoreError
      ? error
      : new StoreUnavailableError(`the file ${file} cannot be copied`, { cause: error });
  } finally {
    thaw();
  }
}

/** A copy that is deleted when it is closed. If the system allows it, the name is deleted while the copy is open. */
interface OpenCopy {
  readonly driver: SqliteDriver;
  close(): Promise<void>;
}

/** Writes parts into a new file (mode 600). On an error, rejects with StoreUnavailableError and leaves no file. */
async function writeParts(parts: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  try {
    const handle = await open(name, 'wx', 0o600);
    try {
      for await (const part of parts) await handle.writeFile(part);
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(name, { force: true });
    throw error instanceof StoreError
      ? error
      : new StoreUnavailableError(`the database could not be copied to ${name}`, { cause: error });
  }
}

function openDriver(name: string): SqliteDriver {
  try {
    // An erasure may have deleted the copy by now. A new, empty database in its place would look damaged.
    const driver = createWasmDriver(name, { fileMustExist: true });
    try {
      driver.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;');
      // The first read opens every file that SQLite needs.
      driver.exec('PRAGMA user_version');
      return driver;
    } catch (error) {
      driver.close();
      throw error;
    }
  } catch (error) {
    throw new StoreUnavailableError(`the database ${name} cannot be opened`, { cause: error });
  }
}

/**
 * Opens a copy, which is deleted when it is closed. If the copy cannot be opened, deletes it and rejects with
 * StoreUnavailableError.
 */
async function openCopy(name: string): Promise<OpenCopy> {
  const removeNames = async (): Promise<void> => {
    for (const suffix of ['', '-wal', '.lock']) await rm(`${name}${suffix}`, { recursive: true, force: true });
  };
  try {
    const driver = openDriver(name);
    if (process.platform !== 'win32') await removeNames();
    return {
      driver,
      async close() {
        driver.close();
        await removeNames();
      },
    };
  } catch (error) {
    await removeNames();
    throw error;
  }
}

/** Writes a copy of the database file to a new file, `name`. Returns a snapshot that reads this copy. */
export async function openFileSnapshot(parts: AsyncIterable<Uint8Array>, name: string): Promise<StoreSnapshot> {
  await writeParts(parts, name);
  const copy = await openCopy(name);
  const statements = keepStatements(copy.driver);
  return createSnapshot(
    (start) => finish(start(), statements.step),
    () => {
      statements.free();
      return copy.close();
    },
  );
}

/**
 * Returns the problems of a database that no program has open. Rejects with StoreUnavailableError if the file cannot be
 * opened or read.
 */
export async function checkFile(name: string): Promise<StoreProblem[]> {
  const driver = openDriver(name);
  try {
    return await findProblems(driver, () => undefined);
  } finally {
    driver.close();
  }
}

/**
 * Returns the problems of a copy of a database, and deletes the copy. Rejects with StoreUnavailableError if the copy
 * cannot be opened or read.
 */
export async function checkCopy(name: string): Promise<StoreProblem[]> {
  const copy = await openCopy(name);
  try {
    return await findProblems(copy.driver, () => undefined);
  } finally {
    await copy.close();
  }
}
