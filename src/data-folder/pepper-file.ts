import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWholeFile } from '../holds/whole-file.ts';
import type { Store } from '../store/store.ts';
import { DataFolderError } from './errors.ts';

/**
 * Environment variable for the path of the pepper file. With a path outside the data folder, a stolen folder has no
 * peppers.
 */
export const PEPPER_VARIABLE = 'REDFLAG_PEPPER_FILE';

export function pepperFileOf(folder: string): string {
  return process.env[PEPPER_VARIABLE] || join(folder, 'pepper');
}

/**
 * Reads the peppers of a file, oldest first: 64 hex characters per line. Without a file, returns an empty list. Throws
 * DataFolderError for other content.
 */
export async function readPeppers(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const peppers = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!peppers.every((pepper) => /^[0-9a-f]{64}$/.test(pepper)))
    throw new DataFolderError(`${path} is not a list of peppers (64 hex characters per line); restore the right file`);
  return peppers;
}

/**
 * Reads the peppers of a store. If neither the file nor the store has any, creates the first one. Throws
 * DataFolderError if the store uses peppers and the file is missing: a new pepper would match no stored identifier.
 */
export async function openPeppers(path: string, store: Store): Promise<string[]> {
  const peppers = await readPeppers(path);
  if (peppers.length > 0) return peppers;
  if ((await store.findPeppers()).length > 0)
    throw new DataFolderError(
      `${path} is missing, but the store uses its peppers: without them no identifier can be matched; restore the file`,
    );
  return [await addPepper(path)];
}

/** Adds a new pepper to the file, durably, and returns it. */
export async function addPepper(path: string): Promise<string> {
  const pepper = randomBytes(32).toString('hex');
  await writePeppers(path, [...(await readPeppers(path)), pepper], true);
  return pepper;
}

/** Writes a pepper file. If the file exists, fails unless `replace` is true. */
export function writePeppers(path: string, peppers: readonly string[], replace = false): Promise<void> {
  return writeWholeFile(path, (file) => file.append(`${peppers.join('\n')}\n`), { replace });
}
