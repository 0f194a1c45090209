import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, statSync, type Stats } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../../stores/holds/folder.ts';
import { WholeFile, writeWholeFile } from '../../../stores/holds/whole-file.ts';
import { SealedError } from '../../../sealed/errors.ts';
import { parseKeys, serialiseKeys } from '../../../sealed/key-file.ts';
import type { SealedKeys } from '../../../sealed/keys.ts';
import { DataFolderError, withDataFolderErrors } from '../errors.ts';
import { findKeyFiles, prepareKeysFolder, readKeyFile, requirePlace } from '../key-files.ts';

/** Environment variable for the path of the sealed keys. Without it, they are beside the pepper. */
export const SEALED_VARIABLE = 'REDFLAG_SEALED_FILE';
const NAME = 'sealed-keys';
/** What an unfinished change leaves beside the file: a draft, or keys that are to be overwritten. */
const LEFT = /^\.(?:old-)?[0-9a-f]{8}(?:\.[0-9a-f]{8})?$/;
/** Attempts to change a file that another change replaces meanwhile. */
const MAX_TRIES = 10;

/** Returns the path of the sealed keys of a data folder. The file may not exist. */
export async function sealedKeysPath(folder: string): Promise<string> {
  return process.env[SEALED_VARIABLE] || join(dirname((await findKeyFiles(folder)).pepper), NAME);
}

/** Reads the sealed keys. Undefined without a file. Throws DataFolderError for any other content or a public file. */
export async function readSealedKeys(path: string): Promise<SealedKeys | undefined> {
  for (let before: string | undefined; ;) {
    const text = await readKeyFile(path);
    if (text === undefined) return undefined;
    requirePrivate(path, statSync(path));
    const keys = parse(path, text, before);
    if (keys) return keys;
    before = text;
  }
}

/** Throws DataFolderError if the file exists. */
export async function requireNoSealedKeys(path: string): Promise<void> {
  if ((await readKeyFile(path)) !== undefined)
    throw new DataFolderError(`${path} already exists: the sealed look-up has its keys; see redflag sealed status`);
}

/** Writes the keys of a store that has none. Throws DataFolderError if the file exists or cannot be created. */
export async function createSealedKeys(folder: string, path: string, keys: SealedKeys): Promise<void> {
  await requireNoSealedKeys(path);
  await requirePlace(folder, path);
  await prepareKeysFolder(folder, path);
  await withDataFolderErrors(writeWholeFile(path, (file) => file.append(serialiseKeys(keys))));
}

/**
 * Replaces the keys by the result of `change`, durably and as a whole, and then overwrites the old file. If the result
 * is the same object, changes nothing. If another change of this process was faster, `change` is called again. Throws
 * DataFolderError if the file is missing or cannot be written.
 */
export async function changeSealedKeys(path: string, change: (keys: SealedKeys) => SealedKeys): Promise<SealedKeys> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const keys = await readSealedKeys(path);
    if (keys === undefined) throw new DataFolderError(`${path} is missing; restore it, or run redflag sealed init`);
    const next = change(keys);
    if (next === keys) return keys;
    const draft = `${path}.${randomBytes(4).toString('hex')}`;
    const file = await withDataFolderErrors(WholeFile.create(draft));
    try {
      await file.append(serialiseKeys(next));
      await file.keep();
      const old = `${path}.old-${randomBytes(4).toString('hex')}`;
      // In one turn: no other change of this process comes in between.
      if (readFileSync(path, 'utf8') === serialiseKeys(keys)) {
        linkSync(path, old);
        renameSync(draft, path);
        await syncFolder(dirname(path));
        await overwrite(old);
        return next;
      }
    } catch (error) {
      throw error instanceof Error ? new DataFolderError(`${path} cannot be replaced: ${error.message}`) : error;
    } finally {
      await file.drop();
      await rm(draft, { force: true });
    }
  }
  throw new DataFolderError(`${path} changes all the time; stop other commands, then run this one again`);
}

/** Overwrites and removes what a killed process left beside the file. Call it while no other process changes it. */
export async function removeLeftKeys(path: string): Promise<void> {
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(basename(path)) && LEFT.test(name.slice(basename(path).length)))
      await withDataFolderErrors(overwrite(join(dirname(path), name)));
}

/**
 * Returns a function that returns the present keys: the same object until the file changes. Any process may change the
 * file. The function throws DataFolderError if the file is missing or wrong.
 */
export function watchSealedKeys(path: string): () => SealedKeys {
  let known: { readonly stats: Stats; readonly keys: SealedKeys } | undefined;
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) throw new DataFolderError(`${path} is missing; restore the file`);
    if (known?.stats.ino !== stats.ino || known.stats.mtimeMs !== stats.mtimeMs || known.stats.size !== stats.size) {
      requirePrivate(path, stats);
      known = { stats, keys: readNow(path) };
    }
    return known.keys;
  };
}

/**
 * Overwrites the bytes of a file, flushes them and removes the file. A disk or file system may keep copies. A second
 * name of the file in use, left by a process that was killed during a change, is only removed.
 */
async function overwrite(path: string): Promise<void> {
  const { size, nlink } = await lstat(path);
  if (nlink === 1) {
    const handle = await open(path, 'r+');
    try {
      await handle.write(randomBytes(size), 0, size, 0);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await rm(path);
  await syncFolder(dirname(path));
}

/** Throws DataFolderError if other users can read a file. */
export function requirePrivate(path: string, { mode }: Stats): void {
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new DataFolderError(`${path} can be read by other users: run chmod 600 on it`);
}

function readNow(path: string): SealedKeys {
  for (let before: string | undefined; ;) {
    const text = readFileSync(path, 'utf8');
    const keys = parse(path, text, before);
    if (keys) return keys;
    before = text;
  }
}

/**
 * Returns the keys of a text. Undefined if the text is wrong for the first time: another process may have replaced and
 * overwritten the file while it was read, so read it again. Throws DataFolderError if the reading before had the same
 * wrong text.
 */
function parse(path: string, text: string, before: string | undefined): SealedKeys | undefined {
  try {
    return parseKeys(text);
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    if (text !== before) return undefined;
    throw new DataFolderError(`${path} is not a file of sealed keys; restore the right file`);
  }
}
