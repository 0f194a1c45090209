import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { prepareFolder, syncFolder, withFolderErrors } from './folder.ts';
import type { JournalMedium } from './medium.ts';

/** The journal's name in its folder. */
export const JOURNAL_NAME = 'redflag.journal';
const NEW_NAME = 'redflag.journal.new';
/** One system call moves at most so many bytes: the system takes less than 2 GiB at once, and other work gets a turn between two. */
const CHUNK_BYTES = 16 * 1024 * 1024;
/** Readable and writable by its owner alone. */
const FILE_MODE = 0o600;

/**
 * The journal file `<folder>/redflag.journal`, made with mode 0600 when it is not there; the folder is made with mode 0700.
 * Take `lockFolder` first: two processes on one file would destroy it, and this removes what an interrupted replacement left behind.
 * Rejects with `JournalFolderError` when the folder cannot be used.
 */
export async function openJournalFile(folder: string): Promise<JournalMedium> {
  await prepareFolder(folder);
  return withFolderErrors(folder, async () => {
    await rm(path.join(folder, NEW_NAME), { force: true });
    const handle = await open(path.join(folder, JOURNAL_NAME), 'a+', FILE_MODE);
    try {
      await syncFolder(folder);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return new JournalFile(folder, handle);
  });
}

class JournalFile implements JournalMedium {
  readonly #folder: string;
  /** Opened for appending: every write goes to the end, whatever happened before. */
  #handle: FileHandle;
  /** Set when the file's state is no longer known; see {@link replace}. */
  #broken: unknown;

  constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#handle = handle;
  }

  async size(): Promise<number> {
    return (await this.#usable().stat()).size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const handle = this.#usable();
    const there = Math.max(0, Math.min(length, (await handle.stat()).size - offset));
    const bytes = new Uint8Array(there);
    let done = 0;
    while (done < there) {
      const { bytesRead } = await handle.read(bytes, done, Math.min(CHUNK_BYTES, there - done), offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  }

  async append(bytes: Uint8Array): Promise<void> {
    const handle = this.#usable();
    await writeAll(handle, bytes);
    // Not fsync: times need not be flushed, and the file's length is, since the bytes could not be read without it.
    await handle.datasync();
    await this.#mustHaveItsName(handle);
  }

  async truncate(size: number): Promise<void> {
    const handle = this.#usable();
    await handle.truncate(size);
    await handle.sync();
  }

  async replace(chunks: readonly Uint8Array[]): Promise<void> {
    // What has our name may be a copy that somebody has just put back: it is not ours to write over.
    await this.#mustHaveItsName(this.#usable());
    const newPath = path.join(this.#folder, NEW_NAME);
    await rm(newPath, { force: true });
    const replacement = await open(newPath, 'ax+', FILE_MODE);
    try {
      for (const chunk of chunks) await writeAll(replacement, chunk);
      await replacement.sync();
      await rename(newPath, path.join(this.#folder, JOURNAL_NAME));
    } catch (error) {
      await replacement.close().catch(() => undefined);
      await rm(newPath, { force: true }).catch(() => undefined);
      throw error;
    }
    const old = this.#handle;
    this.#handle = replacement;
    await old.close().catch(() => undefined);
    try {
      await syncFolder(this.#folder);
    } catch (error) {
      // The new file has the name, and nobody knows whether it would still have it after a crash: appending to it could be appending to nothing.
      this.#broken = error;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#broken ??= new Error('the journal file is closed');
    await this.#handle.close();
  }

  /** A file that was deleted takes writes as before, and they are gone when it is closed; no error says so. */
  async #mustHaveItsName(handle: FileHandle): Promise<void> {
    const name = path.join(this.#folder, JOURNAL_NAME);
    const [named, held] = await Promise.all([identityOf(name), identityOf(handle)]);
    if (named !== held)
      throw new Error(
        `${name} was ${named === undefined ? 'deleted' : 'replaced'} while it was in use: what is written now would be in no file`,
      );
  }

  #usable(): FileHandle {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#handle;
  }
}

/** Tells a file from any other, by whatever name; undefined when nothing has the name. */
async function identityOf(file: string | FileHandle): Promise<string | undefined> {
  const found = await (typeof file === 'string' ? stat(file, { bigint: true }) : file.stat({ bigint: true })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw error;
    },
  );
  return found && `${found.dev}/${found.ino}`;
}

/** Writes all of `bytes`; a system may take fewer than it was offered. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.byteLength) {
    const { bytesWritten } = await handle.write(bytes, done, Math.min(CHUNK_BYTES, bytes.byteLength - done));
    done += bytesWritten;
  }
}
