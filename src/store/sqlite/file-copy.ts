import { open, rm } from 'node:fs/promises';
import { snapshotOver } from '../sql/snapshot.ts';
import { StoreUnavailableError, type StoreProblem, type StoreSnapshot } from '../store.ts';
import { findProblems } from './check.ts';
import type { SqliteDriver } from './driver.ts';
import { finish, keepStatements } from './statements.ts';
import type { StoreOn } from './store.ts';
import { createWasmDriver } from './wasm.ts';

const PART_BYTES = 1 << 20;

/**
 * The bytes of a database file that stays as it is while they are read; others are answered meanwhile. Throws StoreUnavailableError when the store is closed before the end, or the
 * disk fails. `prove` throws when the file is not the store's any more.
 */
export async function* readParts(
  file: string,
  { freeze }: Pick<StoreOn, 'freeze'>,
  prove: () => void,
): AsyncGenerator<Uint8Array> {
  const { stillOpen, thaw } = await freeze();
  try {
    const handle = await open(file);
    try {
      prove();
      for (;;) {
        const { buffer, bytesRead } = await handle.read(new Uint8Array(PART_BYTES));
        // After the read: what closing a store does to its file is in no part that is given.
        stillOpen();
        if (bytesRead === 0) return;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof StoreUnavailableError
      ? error
      : new StoreUnavailableError(`the file ${file} cannot be copied`, { cause: error });
  } finally {
    thaw();
  }
}

/** A copy that goes when it is closed. It has no name already while it is open, where the system lets an open file have none. */
interface OpenCopy {
  readonly driver: SqliteDriver;
  close(): Promise<void>;
}

/** Writes parts into a new file (mode 600). Rejects with StoreUnavailableError; nothing is left then. */
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
    throw error instanceof StoreUnavailableError
      ? error
      : new StoreUnavailableError(`a copy of the database could not be made as ${name}`, { cause: error });
  }
}

function openDriver(name: string): SqliteDriver {
  try {
    // An erasure may have taken it away by now, and an empty database in its place would be found damaged.
    const driver = createWasmDriver(name, { fileMustExist: true });
    try {
      driver.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;');
      // Its first read opens all that it will ever open.
      driver.exec('PRAGMA user_version');
      return driver;
    } catch (error) {
      driver.close();
      throw error;
    }
  } catch (error) {
    throw new StoreUnavailableError(`a copy of the database cannot be opened as ${name}`, { cause: error });
  }
}

/** Opens a copy, which is gone when it is closed, and when it cannot be opened. Rejects with StoreUnavailableError. */
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

/** A snapshot of its own: a copy of the database file, on a connection of its own. `name` is that of the copy, a new one. */
export async function openFileSnapshot(parts: AsyncIterable<Uint8Array>, name: string): Promise<StoreSnapshot> {
  await writeParts(parts, name);
  const copy = await openCopy(name);
  const statements = keepStatements(copy.driver);
  return snapshotOver(
    (work) => finish(work, statements.step),
    () => {
      statements.free();
      return copy.close();
    },
  );
}

/** What is wrong with a database that nobody has open. Rejects with StoreUnavailableError. */
export async function checkFile(name: string): Promise<StoreProblem[]> {
  const driver = openDriver(name);
  try {
    return await findProblems(driver, () => undefined);
  } finally {
    driver.close();
  }
}

/** What is wrong with a copy of a database, which is gone afterwards. Whoever uses the database itself does not wait. Rejects with StoreUnavailableError. */
export async function checkCopy(name: string): Promise<StoreProblem[]> {
  const copy = await openCopy(name);
  try {
    return await findProblems(copy.driver, () => undefined);
  } finally {
    await copy.close();
  }
}
