import { randomBytes } from 'node:crypto';
import { writeWholeFile } from '../../stores/holds/whole-file.ts';
import type { Store } from '../../core/store/store.ts';
import { DataFolderError } from './errors.ts';
import { findKeyFiles, prepareKeysFolder, readKeyFile, requireOneFile, requirePlace } from './key-files.ts';

/**
 * Reads the peppers of a file, oldest first: 64 hex characters per line. Without a file, returns an empty list. Throws
 * DataFolderError for other content.
 */
export async function readPeppers(path: string): Promise<string[]> {
  const text = await readKeyFile(path);
  if (text === undefined) return [];
  const peppers = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (peppers.length === 0)
    throw new DataFolderError(`${path} is empty: restore the right file, or remove it if the store has no pepper yet`);
  if (!peppers.every((pepper) => /^[0-9a-f]{64}$/.test(pepper)))
    throw new DataFolderError(`${path} is not a list of peppers (64 hex characters per line); restore the right file`);
  return peppers;
}

/** Reads the peppers of a data folder that may have no store yet, like {@link readPeppers}. */
export async function readPeppersOf(folder: string): Promise<string[]> {
  return readPeppers((await findKeyFiles(folder)).pepper);
}

/**
 * Reads the peppers of a store. Throws DataFolderError if the store uses peppers and the file is missing: without them
 * no stored identifier can be matched.
 */
export async function findPeppers(folder: string, store: Store): Promise<string[]> {
  const { pepper: path } = await findKeyFiles(folder);
  const peppers = await readPeppers(path);
  if (peppers.length === 0 && (await store.findPeppers()).length > 0)
    throw new DataFolderError(
      `${path} is missing, but the store uses its peppers: without them no identifier can be matched; restore the file`,
    );
  return peppers;
}

/** Like {@link findPeppers}. If neither the file nor the store has a pepper, creates the first one. */
export async function openPeppers(folder: string, store: Store): Promise<string[]> {
  const peppers = await findPeppers(folder, store);
  if (peppers.length > 0) return peppers;
  const pepper = randomBytes(32).toString('hex');
  await createPeppers(folder, [pepper]);
  return [pepper];
}

/**
 * Adds a new pepper to the file, durably, and returns it. Throws DataFolderError if the file has fewer than `used`
 * peppers: the new one would be taken for an older one.
 */
export async function addPepper(folder: string, used: number): Promise<string> {
  await requireOneFile(folder, 'pepper');
  const { pepper: path } = await findKeyFiles(folder);
  const peppers = await readPeppers(path);
  if (peppers.length < used)
    throw new DataFolderError(`${path} has ${peppers.length} of the ${used} peppers in use; restore the file`);
  const pepper = randomBytes(32).toString('hex');
  if (peppers.length === 0) await requirePlace(folder, path);
  await prepareKeysFolder(folder, path);
  await writePeppers(path, [...peppers, pepper], true);
  return pepper;
}

/** Writes the pepper file of a folder that has none. Returns its path. */
export async function createPeppers(folder: string, peppers: readonly string[]): Promise<string> {
  const { pepper: path } = await findKeyFiles(folder);
  await requirePlace(folder, path);
  await prepareKeysFolder(folder, path);
  await writePeppers(path, peppers, false);
  return path;
}

function writePeppers(path: string, peppers: readonly string[], replace: boolean): Promise<void> {
  return writeWholeFile(path, (file) => file.append(`${peppers.join('\n')}\n`), { replace });
}
