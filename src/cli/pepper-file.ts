import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store } from '../store/store.ts';
import { CommandError } from './arguments.ts';

/** Another place for the peppers than the data folder: whoever steals the folder then has none. */
export const PEPPER_VARIABLE = 'REDFLAG_PEPPER_FILE';

/** Where the peppers of a data folder are. */
export function pepperFileOf(folder: string): string {
  return process.env[PEPPER_VARIABLE] || join(folder, 'pepper');
}

/** The peppers in a file, oldest first: 64 hex characters a line. None when there is no file. Throws CommandError for another text. */
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
    throw new CommandError(`${path} is not a list of peppers, 64 hex characters a line; put the right file back`);
  return peppers;
}

/**
 * The peppers for a store, the first of which is made when neither the file nor the store has any. Throws CommandError when the store is under peppers and the file is
 * missing: with new ones nothing in it would ever be found again.
 */
export async function openPeppers(path: string, store: Store): Promise<string[]> {
  const peppers = await readPeppers(path);
  if (peppers.length > 0) return peppers;
  if ((await store.findPeppers()).length > 0)
    throw new CommandError(
      `${path} is missing while what is stored is under its peppers: without it nothing is found again; put the file back`,
    );
  return [await addPepper(path)];
}

/** Adds a new pepper to the file, and says which. It is on the disk afterwards. */
export async function addPepper(path: string): Promise<string> {
  const pepper = randomBytes(32).toString('hex');
  const lines = [...(await readPeppers(path)), pepper];
  // Written whole under another name: a crash leaves the old file or the new one.
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(`${lines.join('\n')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  const directory = await open(dirname(path), 'r');
  await directory.sync();
  await directory.close();
  return pepper;
}
