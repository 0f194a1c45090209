import { lstat } from 'node:fs/promises';
import { WholeFile } from '../../stores/holds/whole-file.ts';
import { DataFolderError, withDataFolderErrors } from './errors.ts';

/** Begins a new file of mode 600. Throws DataFolderError if the name exists or the file cannot be created. */
export async function createNewFile(path: string): Promise<WholeFile> {
  await refuseTaken(path);
  return withDataFolderErrors(WholeFile.create(path));
}

/**
 * Writes a new file completely or not at all. `fill` appends its content. Throws DataFolderError if the name exists or
 * the file cannot be written.
 */
export async function writeNewFile<T>(path: string, fill: (file: Pick<WholeFile, 'append'>) => Promise<T>): Promise<T> {
  const file = await createNewFile(path);
  try {
    const value = await withDataFolderErrors(fill(file));
    await withDataFolderErrors(file.keep());
    return value;
  } catch (error) {
    await file.drop();
    throw error;
  }
}

export async function refuseTaken(path: string): Promise<void> {
  if (await exists(path))
    throw new DataFolderError(`${path} already exists and is never overwritten; choose another name`);
}

/** Returns true if a file, folder or link has this name. */
export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
