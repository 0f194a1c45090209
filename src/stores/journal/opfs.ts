import { crc32 } from './format.ts';
import { JournalDamagedError, JournalVersionError } from './errors.ts';
import type { JournalMedium } from './medium.ts';

/**
 * Two files: one contains the journal's bytes after a header. The other one is empty or being written.
 *
 * ```
 * header = "redflagS" · version u16 · 0 u16 · revision f64 · CRC-32 of these 20 bytes   24 bytes, little-endian
 * ```
 *
 * A replacement is written into the empty file and flushed. Then its header is written, with the next revision, and
 * the old file is truncated. If both files have a header, the higher revision is current, so exactly one file is
 * current at any time. No file is renamed: the browser does not guarantee that a rename survives a crash.
 */
const FILES: readonly string[] = ['journal-a', 'journal-b'];
const MAGIC: readonly number[] = [...'redflagS'].map((character) => character.charCodeAt(0));
const VERSION = 1;
const HEADER_BYTES = 24;
/** Maximum attempts to open a file. After a crash, the browser may release the previous holder's files late. */
const TRIES = 100;
/** Milliseconds between two attempts. */
const TRY_AGAIN_MS = 50;

/** The used part of FileSystemSyncAccessHandle. Types for pages lack it: it exists only in dedicated workers. */
interface SyncFile {
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

type WithSyncFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> };

/** True in a dedicated worker of a browser with an origin private file system. */
export function hasOpfs(): boolean {
  return typeof FileSystemFileHandle === 'function' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
}

/**
 * Opens a journal in a folder of the origin private file system. Works only in a dedicated worker ({@link hasOpfs}).
 * Creates a missing folder. Every write is flushed before it resolves.
 *
 * Rejects with `JournalVersionError` for newer files, with `JournalDamagedError` if no file has a valid header, and
 * with a DOMException where the browser stores nothing.
 */
export async function openOpfsMedium(folder: string): Promise<JournalMedium> {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(folder, { create: true });
  const files: SyncFile[] = [];
  try {
    for (const name of FILES)
      files.push(await openSyncFile((await directory.getFileHandle(name, { create: true })) as WithSyncFile));
    return new OpfsMedium(files, pickCurrent(files));
  } catch (error) {
    for (const file of files) file.close();
    throw error;
  }
}

async function openSyncFile(handle: WithSyncFile): Promise<SyncFile> {
  for (let left = TRIES; ; left--) {
    try {
      return await handle.createSyncAccessHandle();
    } catch (error) {
      if (left === 0 || !(error instanceof DOMException && error.name === 'NoModificationAllowedError')) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

/** The current file. */
interface Current {
  readonly index: number;
  readonly revision: number;
}

/** Finds the current file and empties the other one. Initializes the first file if both are empty. */
function pickCurrent(files: readonly SyncFile[]): Current {
  const revisions = files.map(readHeader);
  const sizes = files.map((file) => file.getSize());
  const later = (revisions[1] ?? 0) > (revisions[0] ?? 0) ? 1 : 0;
  const revision = revisions[later];
  if (revision === undefined) {
    // An interrupted first start leaves nothing, or a part of the first header. Any other content was acknowledged
    // before, so it is damage.
    if (sizes[1]! > 0 || !isTornFirstHeader(files[0]!)) throw new JournalDamagedError(0, 'a file with a valid header');
    files[0]!.truncate(0);
    writeHeader(files[0]!, 1);
    return { index: 0, revision: 1 };
  }
  if (sizes[1 - later]! > 0) empty(files[1 - later]!);
  return { index: later, revision };
}

class OpfsMedium implements JournalMedium {
  readonly #files: readonly SyncFile[];
  #current: Current;
  /** Set when the medium is closed, or if it is unknown which file a crash leaves as current. */
  #broken: unknown;
  #closed = false;

  constructor(files: readonly SyncFile[], current: Current) {
    this.#files = files;
    this.#current = current;
  }

  async size(): Promise<number> {
    return this.#usable().getSize() - HEADER_BYTES;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const file = this.#usable();
    const bytes = new Uint8Array(Math.max(0, Math.min(length, file.getSize() - HEADER_BYTES - offset)));
    let done = 0;
    while (done < bytes.byteLength) {
      const count = file.read(bytes.subarray(done), { at: HEADER_BYTES + offset + done });
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  }

  async append(bytes: Uint8Array): Promise<void> {
    const file = this.#usable();
    writeAll(file, bytes, file.getSize());
    file.flush();
  }

  async truncate(size: number): Promise<void> {
    const file = this.#usable();
    if (file.getSize() > HEADER_BYTES + size) file.truncate(HEADER_BYTES + size);
    file.flush();
  }

  async replace(chunks: readonly Uint8Array[]): Promise<void> {
    const old = this.#usable();
    const index = 1 - this.#current.index;
    const revision = this.#current.revision + 1;
    const file = this.#files[index]!;
    try {
      let at = HEADER_BYTES;
      for (const chunk of chunks) at = writeAll(file, chunk, at);
      // Flush even without bytes: a header must never reach the disk before its bytes.
      file.flush();
      writeHeader(file, revision);
    } catch (error) {
      this.#orBroken(() => empty(file));
      throw error;
    }
    this.#current = { index, revision };
    // The new file is already current. Empty the old one: it may contain erased data.
    this.#orBroken(() => empty(old));
    if (this.#broken !== undefined) throw this.#broken;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#broken = new Error('the files of the journal are closed');
    for (const file of this.#files) file.close();
  }

  #usable(): SyncFile {
    if (this.#broken !== undefined) throw this.#broken;
    return this.#files[this.#current.index]!;
  }

  #orBroken(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#broken = error;
    }
  }
}

/**
 * Returns the revision in a file's header; undefined without a valid header. Throws JournalVersionError for a newer
 * version.
 */
function readHeader(file: SyncFile): number | undefined {
  const bytes = new Uint8Array(HEADER_BYTES);
  if (file.read(bytes, { at: 0 }) !== HEADER_BYTES || MAGIC.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = new DataView(bytes.buffer);
  if (crc32(bytes.subarray(0, HEADER_BYTES - 4)) !== view.getUint32(HEADER_BYTES - 4, true)) return undefined;
  const version = view.getUint16(8, true);
  if (version > VERSION) throw new JournalVersionError(version, VERSION);
  return view.getFloat64(12, true);
}

/** True for an empty file, and for a first header of which a part never reached the disk. */
function isTornFirstHeader(file: SyncFile): boolean {
  const whole = encodeHeader(1);
  const bytes = new Uint8Array(HEADER_BYTES);
  file.read(bytes, { at: 0 });
  return file.getSize() <= HEADER_BYTES && bytes.every((byte, at) => byte === 0 || byte === whole[at]);
}

function writeHeader(file: SyncFile, revision: number): void {
  writeAll(file, encodeHeader(revision), 0);
  file.flush();
}

function encodeHeader(revision: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, VERSION, true);
  view.setFloat64(12, revision, true);
  view.setUint32(HEADER_BYTES - 4, crc32(bytes.subarray(0, HEADER_BYTES - 4)), true);
  return bytes;
}

/** Writes all of `bytes` and returns the offset after them. One call of the browser may write fewer bytes. */
function writeAll(file: SyncFile, bytes: Uint8Array, offset: number): number {
  let done = 0;
  while (done < bytes.byteLength) {
    const count = file.write(bytes.subarray(done), { at: offset + done });
    if (count === 0) throw new Error('the browser wrote no bytes to the journal');
    done += count;
  }
  return offset + done;
}

function empty(file: SyncFile): void {
  file.truncate(0);
  file.flush();
}
