import type { FileHandle } from 'node:fs/promises';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareFolder, syncFolder, withFolderErrors } from '../holds/folder.ts';
import { identityOf, requireName } from '../holds/watch-names.ts';
import { WholeFile } from '../holds/whole-file.ts';
import type { JournalMedium } from './medium.ts';

/** Name of the journal file in its folder. */
export const JOURNAL_NAME = 'redflag.journal';
const NEW_NAME = 'redflag.journal.new';
/**
 * Maximum bytes per read. The system reads less than 2 GiB at once, and smaller reads let other work run in between.
 */
const CHUNK_BYTES = 16 * 1024 * 1024;
/** Readable and writable by its owner only. */
const FILE_MODE = 0o600;

/**
 * Opens the journal file `<folder>/redflag.journal`. Creates a missing file with mode 0600 and a missing folder with
 * mode 0700. Removes what an interrupted replacement left behind. Call `lockFolder` first: two processes would corrupt
 * the file. Rejects with `FolderError` if the folder cannot be used.
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
  readonly #path: string;
  /** Opened for appending: every write goes to the end of the file. */
  #handle: FileHandle;
  /** Error of all later calls: set by {@link close}, and by a {@link replace} whose result is unknown. */
  #broken: unknown;

  constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#path = path.join(folder, JOURNAL_NAME);
    this.#handle = handle;
  }

  async size(): Promise<number> {
    return (await this.#usable().stat()).size;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const handle = this.#usable();
    const present = Math.max(0, Math.min(length, (await handle.stat()).size - offset));
    const bytes = new Uint8Array(present);
    let done = 0;
    while (done < present) {
      const { bytesRead } = await handle.read(bytes, done, Math.min(CHUNK_BYTES, present - done), offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  }

  async append(bytes: Uint8Array): Promise<void> {
    const handle = this.#usable();
    await handle.writeFile(bytes);
    // fdatasync is enough: it also flushes the file's length, and the file's times are not needed.
    await handle.datasync();
    // The system accepts writes to a deleted file without an error, but loses them when the file is closed.
    requireName(this.#path, identityOf(handle.fd));
  }

  async truncate(size: number): Promise<void> {
    const handle = this.#usable();
    await handle.truncate(size);
    await handle.sync();
  }

  async replace(chunks: readonly Uint8Array[]): Promise<void> {
    // An operator may have restored a copy under our name: do not overwrite it.
    requireName(this.#path, identityOf(this.#usable().fd));
    const draft = path.join(this.#folder, NEW_NAME);
    await rm(draft, { force: true });
    const replacement = await WholeFile.create(this.#path, { replace: true, draft });
    try {
      for (const chunk of chunks) await replacement.append(chunk);
      await replacement.takeName();
    } catch (error) {
      await replacement.drop();
      throw error;
    }
    const old = this.#handle;
    this.#handle = replacement.handle;
    await old.close().catch(() => undefined);
    try {
      await syncFolder(this.#folder);
    } catch (error) {
      // A crash may still undo the rename, and lose records that are appended now. Refuse later calls.
      this.#broken = error;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#broken ??= new Error('the journal file is closed');
    await this.#handle.close();
  }

  #usable(): FileHandle {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#handle;
  }
}
