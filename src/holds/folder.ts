import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { RedflagError } from '../domain/redflag-error.ts';

/**
 * The folder cannot hold data. `code` is the system's error code (`EACCES`, `EROFS`, …); `cause` is the system's error.
 */
export class FolderError extends RedflagError {
  static override readonly kind = 'FolderError';
  readonly folder: string;
  readonly code: string;

  constructor(folder: string, code: string, cause: unknown) {
    super(`cannot keep data in ${folder}: ${REASONS.get(code) ?? `system error ${code}`}`, { cause });
    this.folder = folder;
    this.code = code;
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission to write there'],
  ['EPERM', 'the operation is not permitted, or the file system does not support links'],
  ['ENOTSUP', 'the file system does not support sockets or links; use a local disk'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'it does not exist and cannot be created'],
  ['ENOTDIR', 'it (or a part of its path) is not a directory'],
  ['EEXIST', 'it is not a directory'],
  ['EISDIR', 'there is a directory in place of the data file'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENAMETOOLONG', 'its path is too long'],
]);

/** Runs `action`. Rethrows a system error as {@link FolderError}; other errors pass unchanged. */
export async function withFolderErrors<T>(folder: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const code = errorCode(error);
    throw code === undefined ? error : new FolderError(folder, code, error);
  }
}

/**
 * Creates a missing `folder` durably, with mode 0700. Rejects with {@link FolderError} if the folder cannot be created
 * or is not a directory.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await withFolderErrors(folder, async () => {
    const first = await createFolders(path.resolve(folder));
    if (first !== undefined) {
      // A new folder survives a crash only after its parent was flushed. Flush the parent of every new level.
      const top = path.dirname(first);
      for (let at = path.resolve(folder); at !== top; at = path.dirname(at)) await syncFolder(path.dirname(at));
    }
    if (!(await stat(folder)).isDirectory()) throw new FolderError(folder, 'EEXIST', undefined);
  });
}

/**
 * Creates a folder and its missing parents. Returns the topmost new one. Not with mkdir's `recursive`: where the system
 * answers ENOENT below an existing folder, as in `/proc`, it never returns.
 */
async function createFolders(folder: string): Promise<string | undefined> {
  if (await exists(folder)) return undefined;
  const parent = path.dirname(folder);
  const first = parent === folder ? undefined : await createFolders(parent);
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has created it meanwhile.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return first ?? folder;
}

async function exists(name: string): Promise<boolean> {
  try {
    await stat(name);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Flushes a folder's list of names. Before that, a crash may undo the creation or renaming of a file in the folder. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders. It flushes names with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Returns the system's code of an error, such as `ENOENT`. Undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && !(error instanceof FolderError) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
