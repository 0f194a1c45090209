import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const peppers = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  if (!peppers.every((pepper) => /^[0-9a-f]{64}$/.test(pepper))) throw new CommandError(`${path} is not a list of peppers, 64 hex characters a line; put the right file back`);
  return peppers;
}
