import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';

/** The folder that is to hold the journal cannot be used. `code` is the system's (`EACCES`, `EROFS`, …), `cause` its error. */
export class JournalFolderError extends Error {
  override readonly name = 'JournalFolderError';
  readonly folder: string;
  readonly code: string;

  constructor(folder: string, code: string, cause: unknown) {
    super(`cannot keep data in ${folder}: ${WHY.get(code) ?? `the system says ${code}`}`, { cause });
    this.folder = folder;
    this.code = code;
  }
}

const WHY: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission to write there'],
  ['EPERM', 'not permitted there, or a file system without links'],
  ['ENOTSUP', 'its file system has no sockets or links; use a local disk'],
  ['EROFS', 'the file system is read-only'],
  ['ENOTDIR', 'it (or a part of its path) is not a directory'],
  ['EEXIST', 'it is not a directory'],
  ['EISDIR', 'there is a directory where the journal file belongs'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENAMETOOLONG', 'its path is too long'],
]);

/** Runs `action` and turns an error of the system into a {@link JournalFolderError}; other errors pass. */
export async function withFolderErrors<T>(folder: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = errorCode(error);
    throw code === undefined ? error : new JournalFolderError(folder, code, error);
  }
}

/** Makes sure that `folder` is there, durably, and readable by its owner alone when it had to be made. Rejects with {@link JournalFolderError}. */
export async function prepareFolder(folder: string): Promise<void> {
  await withFolderErrors(folder, async () => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first !== undefined) {
      // A new folder survives a crash once the folder above it has been flushed; the same for every level that was new.
      const top = path.dirname(path.resolve(first));
      for (let at = path.resolve(folder); at !== top; at = path.dirname(at)) await syncFolder(path.dirname(at));
    }
    if (!(await stat(folder)).isDirectory()) throw new JournalFolderError(folder, 'ENOTDIR', undefined);
  });
}

/** Flushes a folder's list of names, which is what makes a creation or a rename durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and flushes names with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The system's code of an error, as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code =
    error instanceof Error && !(error instanceof JournalFolderError) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
