import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { FolderError } from './folder-error.ts';

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
