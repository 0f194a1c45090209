import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { createRandom } from '../../core/crypto/crypto.ts';
import { requireString } from '../../core/domain/options.ts';
import { errorCode, prepareFolder, syncFolder, withFolderErrors } from '../../stores/holds/folder.ts';
import { WholeFile, writeWholeFile } from '../../stores/holds/whole-file.ts';
import { importCipherKey } from './book-cipher.ts';
import { openBookStore, type BookMedium } from './book-store.ts';
import type { EvaluationStore } from './evaluations.ts';
import { decodeSigned, encodeSigned, type ReplicaStore } from './replica-store.ts';

const PART = /^part-([0-9a-f]{64})$/;
/** An unfinished file: its name with a random suffix. */
const MANIFEST = /^manifest-\d{10}$/;
const DRAFT = /^(?:manifest-\d{10}|part-[0-9a-f]{64})\.[0-9a-f]{8}$/;
/** Age in milliseconds at which a draft is that of a crashed process. A snapshot is written in seconds. */
const DRAFT_MS = 3_600_000;

/**
 * Opens a replica in a folder of its own, which it creates with mode 0700. Each file has mode 600 and is written whole:
 * after a crash, there is the old file or the new one. Several processes may use one folder. Rejects with `FolderError`
 * if the folder cannot be used. `clock` returns milliseconds, UTC; it only tells the drafts of crashed processes.
 */
export async function openFolderReplica(folder: string, clock: () => number = Date.now): Promise<ReplicaStore> {
  requireString('folder', folder);
  await prepareFolder(folder);
  const fileOf = (name: string): string => path.join(folder, name);
  const inFolder = <T>(work: () => Promise<T>): Promise<T> => withFolderErrors(folder, work);
  const read = (name: string): Promise<Uint8Array | undefined> => inFolder(() => readBytes(fileOf(name)));
  const write = (name: string, bytes: Uint8Array): Promise<void> =>
    inFolder(() => writeWholeFile(fileOf(name), (file) => file.append(bytes), { replace: true }));
  const list = (isListed: (name: string) => boolean): Promise<string[]> =>
    inFolder(async () => (await readdir(folder)).filter(isListed).sort());
  const remove = (names: readonly string[]): Promise<unknown> =>
    inFolder(() => Promise.all(names.map((name) => rm(fileOf(name), { force: true }))));

  for (const name of await list((one) => DRAFT.test(one))) {
    const written = await stat(fileOf(name)).catch(undefinedIfMissing);
    if (written !== undefined && clock() - written.mtimeMs > DRAFT_MS) await remove([name]);
  }

  const manifests = (): Promise<string[]> => list((one) => MANIFEST.test(one));
  return {
    async readManifest() {
      const newest = (await manifests()).at(-1);
      return newest === undefined ? undefined : decodeSigned(await read(newest));
    },
    async keepManifest(sequence, manifest) {
      await write(`manifest-${String(sequence).padStart(10, '0')}`, encodeSigned(manifest));
      // A process that is behind must not hide what another one has seen: the highest sequence stays.
      await remove((await manifests()).slice(0, -1));
    },
    readPart: (sha256) => read(`part-${sha256}`),
    keepPart: (sha256, bytes) => write(`part-${sha256}`, bytes),
    async retainParts(sha256s) {
      const isUnused = (name: string): boolean => PART.test(name) && !sha256s.includes(PART.exec(name)![1]!);
      await remove(await list(isUnused));
    },
    close: async () => undefined,
  };
}

/** Options of {@link openEvaluationFile}. */
export interface EvaluationFileOptions {
  /** 32 random bytes that encrypt the file. Keep them as safe as the API key, and not beside the file. */
  readonly key: Uint8Array;
}

/**
 * Opens a file of evaluations, encrypted with AES-256-GCM. Its folder must exist; a missing file is empty. Each write
 * replaces the whole file, of mode 600. If two processes write in the same moment, an evaluation may get lost and is
 * made again. Rejects with `SealedStoreError` (`wrong-key`, `other-version`), or with the system's error.
 */
export async function openEvaluationFile(file: string, { key }: EvaluationFileOptions): Promise<EvaluationStore> {
  requireString('file', file);
  const cipher = await importCipherKey(key);
  return openBookStore(fileMedium(file), cipher, createRandom());
}

function fileMedium(file: string): BookMedium {
  const version = async (): Promise<string | undefined> => {
    const found = await stat(file).catch(undefinedIfMissing);
    return found && versionOf(found);
  };
  return {
    version,
    async read() {
      // Before the bytes: if another process replaces the file in between, the next write reads again.
      const before = await version();
      const bytes = await readBytes(file);
      return bytes === undefined || before === undefined ? undefined : { bytes, version: before };
    },
    async replace(bytes, over) {
      if ((await version()) !== over) return undefined;
      const whole = await WholeFile.create(file, { replace: true });
      try {
        await whole.append(bytes);
        await whole.takeName();
        return versionOf(await whole.handle.stat());
      } catch (error) {
        await whole.drop();
        throw error;
      } finally {
        await whole.handle.close().catch(() => undefined);
        await syncFolder(path.dirname(file));
      }
    },
    close: async () => undefined,
  };
}

/** Returns the bytes of a file; undefined if it is missing. Not a Buffer, whose `slice` is a view. */
async function readBytes(file: string): Promise<Uint8Array | undefined> {
  const buffer = await readFile(file).catch(undefinedIfMissing);
  return buffer && new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

function versionOf({ ino, size, mtimeMs }: { readonly ino: number; readonly size: number; readonly mtimeMs: number }) {
  return `${ino} ${size} ${mtimeMs}`;
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
