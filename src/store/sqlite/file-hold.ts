import { statSync } from 'node:fs';
import { readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockFolder, type FolderLock } from '../../journal/folder-lock.ts';
import { FolderInUseError } from '../../journal/in-use.ts';

/** Another process, or another part of this one, or another program has the file open. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
  readonly file: string;

  constructor(file: string, who: string) {
    super(`the file ${file} is in use: ${who}`);
    this.file = file;
  }
}

/** A database file that is this process's alone among those that hold it in the same way. */
export interface FileHold {
  /** The socket in `<file>.holder`, on which others may talk to this process. */
  readonly lock: FolderLock;
  /** To be called once the database has been opened and has made its lock directory. */
  opened(): Promise<void>;
  /** Gives the file free, after the database was closed. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * Holds a file for node-sqlite3-wasm, whose own lock is a directory `<file>.lock` that outlives a killed process. The holder listens on a socket in `<file>.holder`
 * (`lockFolder`), which the system closes with the process. Whoever gets that knows that no such holder lives, and removes the lock directory if it is the
 * one that the last holder wrote down as its own: one that another program made stays, and the file is refused.
 *
 * Rejects with {@link FileInUseError}, and like `lockFolder` when the place cannot be used.
 */
export async function holdFile(file: string): Promise<FileHold> {
  const lock = await lockFolder(`${file}.holder`).catch((error: unknown) => {
    throw error instanceof FolderInUseError ? new FileInUseError(file, 'another process serves it') : error;
  });
  const mark = path.join(`${file}.holder`, 'lock-directory');
  try {
    const left = await changedAt(`${file}.lock`);
    if (left !== undefined) {
      if (!(await isOfDead(mark, left)))
        throw new FileInUseError(file, `another program has made ${file}.lock; if none runs, remove that directory`);
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
      await writeFile(mark, String(await changedAt(`${file}.lock`)));
    },
    async release() {
      await rm(mark, { force: true });
      await lock.release();
    },
  };
}

/**
 * Whether a lock directory is what the last holder left. It wrote down when its directory was made; when it was killed before it could, the directory
 * is younger than the empty mark.
 */
async function isOfDead(mark: string, left: bigint): Promise<boolean> {
  const written = await readFile(mark, 'utf8').catch(() => undefined);
  if (written === undefined) return false;
  return written === '' ? left >= (await changedAt(mark))! : written === String(left);
}

/** When a file or directory last changed, in ns; a directory that nobody writes into keeps it from when it was made. Undefined when it is not there. */
async function changedAt(name: string): Promise<bigint | undefined> {
  const found = await stat(name, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.ctimeNs;
}

/**
 * Gives a function that throws once one of these files, which are open, has lost its name to another one or to none: a file that was deleted takes writes as before,
 * no error says so, and they are gone when it is closed. At once, for between this look and the commit nothing else may happen.
 */
export function watchNames(files: readonly string[]): () => void {
  const opened = files.map((file) => identityOf(file));
  return () => {
    for (const [at, file] of files.entries()) {
      const named = identityOf(file);
      if (named !== opened[at])
        throw new Error(
          `${file} was ${named === undefined ? 'deleted' : 'replaced'} while it was in use: what is written now would be in no file`,
        );
    }
  };
}

/** Tells a file from any other; undefined when nothing has the name. */
function identityOf(file: string): string | undefined {
  // Throws ENOTDIR when a folder on the way has become a file.
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}/${found.ino}`;
}
