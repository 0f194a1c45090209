import { readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder, type FolderLock } from './folder-lock.ts';
import { FileInUseError, FolderInUseError } from './in-use.ts';

/** A database file that only this process holds. Other programs may ignore the hold. */
export interface FileHold {
  /** The lock on `<file>.holder`. Other processes reach this process through its socket. */
  readonly lock: FolderLock;
  /** Call this after the database was opened and has created its lock directory. */
  opened(): Promise<void>;
  /** Releases the file. Call this after the database was closed. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Holds a database file for node-sqlite3-wasm. That library locks with a directory `<file>.lock`, which remains if the
 * process is killed.
 *
 * The holder also listens on a socket in `<file>.holder` (`lockFolder`). The system closes the socket when the process
 * ends. A process that gets the socket therefore knows that the previous holder has ended. It then removes the lock
 * directory if the previous holder recorded it. If another program created the directory, the directory stays and the
 * file is refused.
 *
 * Rejects with {@link FileInUseError} if the file is open elsewhere, and like `lockFolder` if the folder cannot be
 * used.
 */
export async function holdFile(file: string): Promise<FileHold> {
  const lock = await lockFolder(`${file}.holder`).catch((error: unknown) => {
    throw error instanceof FolderInUseError ? new FileInUseError(file, 'this or another process has it open') : error;
  });
  const mark = path.join(`${file}.holder`, 'lock-directory');
  try {
    const left = await changedAt(`${file}.lock`);
    if (left !== undefined) {
      if (!(await isOfLastHolder(mark, left)))
        throw new FileInUseError(file, `${file}.lock exists; if no other program uses the file, remove that directory`);
      await rmdir(`${file}.lock`);
    }
    await writeFile(mark, '');
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    lock,
    async opened() {
      // In one step: a mark that a kill left emptied anew would be younger than the directory.
      await writeFile(`${mark}.new`, String(await changedAt(`${file}.lock`)));
      await rename(`${mark}.new`, mark);
    },
    async release() {
      for (const name of [mark, `${mark}.new`]) await rm(name, { force: true });
      await lock.release();
    },
  };
}

/**
 * Returns true if the last holder created the lock directory. The mark file contains the directory's change time. If
 * the holder was killed before it wrote the time, the mark is empty and older than the directory.
 */
async function isOfLastHolder(mark: string, left: bigint): Promise<boolean> {
  const written = await readFile(mark, 'utf8').catch(() => undefined);
  if (written === undefined) return false;
  if (written !== '') return written === String(left);
  const marked = await changedAt(mark);
  return marked !== undefined && left >= marked;
}

/** Returns when a file or directory last changed, in nanoseconds. Undefined if missing. */
async function changedAt(name: string): Promise<bigint | undefined> {
  const found = await stat(name, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.ctimeNs;
}
