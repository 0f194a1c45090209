import { lstat, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FolderError } from '../../stores/holds/folder-error.ts';
import { prepareFolder } from '../../stores/holds/folder.ts';
import { DataFolderError, rethrowOfFolder } from './errors.ts';
import { GIVEN_SECRET, SECRET_TEXT_VARIABLE } from './secret-variable.ts';

/**
 * Environment variables for the paths of secret and pepper. Without them, a file that an older version keeps in the
 * data folder is used. Otherwise both are in the keys folder, so that a stolen data folder has neither.
 */
export const SECRET_VARIABLE = 'REDFLAG_SECRET_FILE';
export const PEPPER_VARIABLE = 'REDFLAG_PEPPER_FILE';

export type KeyName = 'secret' | 'pepper';
/** The variable that names the file of a key. */
export const KEY_VARIABLES = { secret: SECRET_VARIABLE, pepper: PEPPER_VARIABLE } as const;

/**
 * The paths of a data folder's keys. A file may not exist yet: its path is then the place where it belongs. If the
 * variable {@link SECRET_TEXT_VARIABLE} holds the secret, its file does not exist and is never written.
 */
export type KeyFiles = Readonly<Record<KeyName, string>>;

/** Returns the folder beside a data folder: `redflag-data-keys` for `redflag-data`. */
export function keysFolderOf(folder: string): string {
  return join(folder, '..', `${basename(resolve(folder))}-keys`);
}

/**
 * Finds the keys of a data folder. Throws DataFolderError if the right file is ambiguous: if two places have files that
 * differ, if a variable names no file, but a usual place has one, if a variable and a file both hold the secret, or if
 * both keys are in one file.
 */
export async function findKeyFiles(folder: string): Promise<KeyFiles> {
  const [secret, pepper] = [await findKeyFile(folder, 'secret'), await findKeyFile(folder, 'pepper')];
  // A missing file belongs beside the other one. Then a copy of an older folder still has both.
  const isOlder = [secret, pepper].some((file) => file !== undefined && isInside(folder, file));
  const place = isOlder ? folder : keysFolderOf(folder);
  const files = { secret: secret ?? join(place, 'secret'), pepper: pepper ?? join(place, 'pepper') };
  // The new pepper of a rotation would replace the secret.
  if ((await identityOf(files.secret)) === (await identityOf(files.pepper)))
    throw new DataFolderError(
      `${files.secret} and ${files.pepper} are the same file: secret and pepper need a file each; see ${SECRET_VARIABLE} and ${PEPPER_VARIABLE}`,
    );
  return files;
}

/** Returns a text that two paths share only if they lead to the same file, which may not exist yet. */
async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    // A link to a file that does not exist yet. A link that leads to itself has another code.
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const target = isMissing ? await readlink(path).catch(() => undefined) : undefined;
    if (target !== undefined) return identityOf(resolve(dirname(path), target));
    return join(await realpath(dirname(path)).catch(() => resolve(dirname(path))), basename(path));
  }
}

/** Returns true if a file is in the data folder itself. */
export function isInside(folder: string, file: string): boolean {
  return resolve(dirname(file)) === resolve(folder);
}

/**
 * Throws DataFolderError if both usual places have the file. They are equal; a change of one would make them differ.
 */
export async function requireOneFile(folder: string, name: KeyName): Promise<void> {
  const present = await presentIn(folder, name);
  if (present.length > 1) throw new DataFolderError(`${present.join(' and ')} are equal: remove one of them first`);
}

/** What other users of the machine must not be able to do with a key: bits of its mode, and of that of its folder. */
const EXPOSED = 0o027;
const REPLACED = 0o022;
/** In a folder with this bit, only its owner can replace a file. */
const STICKY = 0o1000;

/**
 * Returns a sentence for each key that other users can read or replace. The service goes on: files of containers often
 * have such modes, where there is no other user. Windows has no modes.
 */
export async function findExposedKeys(files: KeyFiles): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const found: string[] = [];
  for (const path of Object.values(files)) {
    const file = await stat(path).catch(() => undefined);
    if (file === undefined) continue;
    if ((file.mode & EXPOSED) !== 0)
      found.push(`other users can read or change ${path}, which has a key of the service; run chmod 600 ${path}`);
    const place = dirname(await realpath(path));
    const { mode } = await stat(place);
    if ((mode & REPLACED) !== 0 && (mode & STICKY) === 0)
      found.push(`other users can replace files in ${place}, which has a key of the service; run chmod 700 ${place}`);
  }
  return [...new Set(found)];
}

/** Reads a key file. Returns undefined if it does not exist. Throws DataFolderError if it cannot be read. */
export async function readKeyFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    // If a folder's path is a file, opening the store reports it.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return undefined;
    const reason = code === 'EISDIR' ? 'it is a folder, not a file' : code;
    throw new DataFolderError(`${file} cannot be read: ${reason}`, { cause: error });
  }
}

/** Throws DataFolderError if a missing key file cannot be created where a variable names it. Changes nothing. */
export async function requirePlace(folder: string, file: string): Promise<void> {
  if (await isThere(file))
    throw new DataFolderError(`${file} is a link to a file that does not exist; restore the file, or remove the link`);
  if (isInside(keysFolderOf(folder), file) || isInside(folder, file)) return;
  const place = await stat(dirname(file)).catch(() => undefined);
  if (!place?.isDirectory())
    throw new DataFolderError(`${file} cannot be created, because its folder does not exist; create the folder first`);
}

/** Creates the keys folder if the file belongs there. Throws DataFolderError if the file cannot be created. */
export async function prepareKeysFolder(folder: string, file: string): Promise<void> {
  if (!isInside(keysFolderOf(folder), file)) return;
  await prepareFolder(keysFolderOf(folder)).catch((error: unknown) => {
    if (!(error instanceof FolderError)) throw error;
    throw new DataFolderError(
      `${error.message}; name other places with ${SECRET_VARIABLE} and ${PEPPER_VARIABLE}, or another data folder`,
      { cause: error },
    );
  });
}

async function findKeyFile(folder: string, name: KeyName): Promise<string | undefined> {
  const present = await presentIn(folder, name);
  const named = process.env[KEY_VARIABLES[name]];
  if (name === 'secret' && GIVEN_SECRET !== undefined) {
    if (named) throw new DataFolderError(`${SECRET_TEXT_VARIABLE} and ${SECRET_VARIABLE} are both set; set only one`);
    if (present.length === 0) return undefined;
    throw new DataFolderError(
      `${SECRET_TEXT_VARIABLE} is set, but ${present.join(' and ')} exists: unset the variable, or move the file away`,
    );
  }
  if (named) {
    if (present.length === 0 || (await isThere(named))) return named;
    throw new DataFolderError(
      `${KEY_VARIABLES[name]} names ${named}, which does not exist, but ${present.join(' and ')} does: move it there, or unset the variable`,
    );
  }
  const [first, second] = present;
  if (first !== undefined && second !== undefined && (await readKeyFile(first)) !== (await readKeyFile(second)))
    throw new DataFolderError(
      `${first} and ${second} differ: keep the one that belongs to the data, and move the other one away`,
    );
  return first;
}

/** Returns the usual places that have the file: the data folder (older versions) before the keys folder. */
async function presentIn(folder: string, name: KeyName): Promise<string[]> {
  const present: string[] = [];
  for (const place of [folder, keysFolderOf(folder)])
    if (await isThere(join(place, name))) present.push(join(place, name));
  return present;
}

/** Rejects if the system cannot tell, such as without permission: a new file must not replace one that exists. */
async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    // If a folder's path is a file, opening the store reports it.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    return rethrowOfFolder(error);
  }
}
