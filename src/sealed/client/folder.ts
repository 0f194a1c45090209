import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { optionError, requireString } from '../../core/domain/options.ts';
import { errorCode, prepareFolder, syncFolder, withFolderErrors } from '../../stores/holds/folder.ts';
import { WholeFile, writeWholeFile } from '../../stores/holds/whole-file.ts';
import { ClientFolder, type ClientFiles } from './client-folder.ts';

/** An unfinished file: its name with a random suffix. */
const DRAFT = /^(?:state|rows-[0-9a-f]{64})\.[0-9a-f]{8}$/;
/** Age in milliseconds at which a draft is that of a crashed process. A file is written in seconds. */
const DRAFT_MS = 3_600_000;
const KEY = /^[0-9a-f]{64}\n?$/;

/** Options of {@link openClientFolder}. */
export interface ClientFolderOptions {
  /**
   * File of the key that seals the state: 64 hex characters. A missing one is created, if the folder is new. Keep it as
   * safe as the API key. Default: the folder's name with `.key`.
   */
  readonly keyFile?: string | undefined;
}

/**
 * Opens the folder of a sealed client, and creates a missing one with mode 0700. Each file has mode 600 and is written
 * whole: after a crash, there is the old file or the new one. Several processes may use one folder. Rejects with
 * `FolderError` if the folder or the file of the key cannot be used, and with TypeError if that file has no key.
 */
export async function openClientFolder(folder: string, options: ClientFolderOptions = {}): Promise<ClientFolder> {
  requireString('folder', folder);
  await prepareFolder(folder);
  const { keyFile = `${path.resolve(folder)}.key` } = options;
  const files = filesOf(folder);
  await withFolderErrors(folder, () => removeDrafts(folder));
  const secret = await readKey(keyFile, (await files.version('state')) === undefined);
  return new ClientFolder(files, secret);
}

async function removeDrafts(folder: string, clock: () => number = Date.now): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => DRAFT.test(one))) {
    const written = await stat(path.join(folder, name)).catch(undefinedIfMissing);
    if (written !== undefined && clock() - written.mtimeMs > DRAFT_MS)
      await rm(path.join(folder, name), { force: true });
  }
}

async function readKey(file: string, isNew: boolean): Promise<Uint8Array> {
  // It may be there, or another process has created it meanwhile. Reading finds out.
  if (isNew)
    await writeWholeFile(file, (draft) => draft.append(`${randomBytes(32).toString('hex')}\n`)).catch(() => undefined);
  const text = await readFile(file, 'utf8').catch(() => '');
  if (!KEY.test(text)) throw optionError(TypeError, 'keyFile', 'a file with 64 hex characters');
  return Uint8Array.from(Buffer.from(text.trim(), 'hex'));
}

function filesOf(folder: string): ClientFiles {
  const fileOf = (name: string): string => path.join(folder, name);
  const inFolder = <T>(work: () => Promise<T>): Promise<T> => withFolderErrors(folder, work);
  return {
    read: (name) =>
      inFolder(async () => {
        const buffer = await readFile(fileOf(name)).catch(undefinedIfMissing);
        // Not a Buffer, whose `slice` is a view.
        return buffer && new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
      }),
    version: (name) =>
      inFolder(async () => {
        const found = await stat(fileOf(name)).catch(undefinedIfMissing);
        return found && versionOf(found);
      }),
    write: (name, bytes, isCurrent = async () => true) =>
      inFolder(async () => {
        const whole = await WholeFile.create(fileOf(name), { replace: true });
        try {
          await whole.append(bytes);
          if (!(await isCurrent())) return undefined;
          await whole.takeName();
          const version = versionOf(await whole.handle.stat());
          await syncFolder(folder);
          return version;
        } finally {
          await whole.drop();
        }
      }),
    removeOthers: (prefix, name) =>
      inFolder(async () => {
        const others = (await readdir(folder)).filter((one) => one.startsWith(prefix) && one !== name);
        await Promise.all(others.filter((one) => !DRAFT.test(one)).map((one) => rm(fileOf(one), { force: true })));
      }),
  };
}

function versionOf({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }) {
  return `${ino} ${size} ${mtimeMs}`;
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
