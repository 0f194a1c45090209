import { crc32 } from './crc32.ts';
import { JournalDamagedError } from './damaged.ts';
import { JournalVersionError } from './format.ts';
import type { JournalMedium } from './medium.ts';

/**
 * Two files, of which one holds the journal's bytes behind a header, and the other one is empty or being written:
 *
 * ```
 * header = "redflagS" · version u16 · 0 u16 · generation f64 · CRC-32 of the 20 bytes before          24 bytes, little-endian
 * ```
 *
 * A replacement is written and flushed into the empty file first, then its header, with the next generation; then the old file is cut to nothing. Of two files with a header the
 * one of the later generation counts, so at any moment there is one that does. No name ever changes: nobody promises that a rename outlives a crash here.
 */
const FILES: readonly string[] = ['journal-a', 'journal-b'];
const MAGIC: readonly number[] = [...'redflagS'].map((character) => character.charCodeAt(0));
const VERSION = 1;
const HEADER_BYTES = 24;
/** Whoever held the files and died may not have let go of them yet: so often are they asked for, … */
const TRIES = 100;
/** … and so many milliseconds lie between. */
const TRY_AGAIN_MS = 50;

/** What is used of a FileSystemSyncAccessHandle, which the types of pages do not have: it is for dedicated workers. */
interface SyncFile {
  read(into: Uint8Array, options: { readonly at: number }): number;
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

type WithSyncFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncFile> };

/** True in a dedicated worker of a browser that has such files. */
export function hasOpfs(): boolean {
  return typeof FileSystemFileHandle === 'function' && 'createSyncAccessHandle' in FileSystemFileHandle.prototype;
}

/**
 * A journal in a folder of the origin's private file system, which is made if it is not there. In a dedicated worker only ({@link hasOpfs}). Every write is flushed before it resolves.
 *
 * Rejects with `JournalVersionError` for a newer kind of files, `JournalDamagedError` when no file has a right header, and with a DOMException where the browser keeps nothing.
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

/** Which file counts. */
interface Current {
  readonly index: number;
  readonly generation: number;
}

/** Finds the file that counts and empties the other one; makes the first one new when there is nothing. */
function pickCurrent(files: readonly SyncFile[]): Current {
  const generations = files.map(readHeader);
  const sizes = files.map((file) => file.getSize());
  const later = (generations[1] ?? 0) > (generations[0] ?? 0) ? 1 : 0;
  const generation = generations[later];
  if (generation === undefined) {
    // Nothing, or a part of the first header, is what a first start leaves. Anything else has held bytes that somebody relied on.
    if (sizes[1]! > 0 || !isTornFirstHeader(files[0]!)) throw new JournalDamagedError(0, 'a file with a right header');
    files[0]!.truncate(0);
    writeHeader(files[0]!, 1);
    return { index: 0, generation: 1 };
  }
  if (sizes[1 - later]! > 0) empty(files[1 - later]!);
  return { index: later, generation };
}

class OpfsMedium implements JournalMedium {
  readonly #files: readonly SyncFile[];
  #current: Current;
  /** Set when it is closed, or when nobody knows which file counts after a crash. */
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
    const generation = this.#current.generation + 1;
    const file = this.#files[index]!;
    try {
      let at = HEADER_BYTES;
      for (const chunk of chunks) at = writeAll(file, chunk, at);
      // Also where there are no bytes: a header never comes to lie in front of what is not there yet.
      file.flush();
      writeHeader(file, generation);
    } catch (error) {
      this.#orBroken(() => empty(file));
      throw error;
    }
    this.#current = { index, generation };
    // The new file counts already, but what was to be erased is still in the old one.
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

/** The generation in a file's header; undefined when there is none. Throws JournalVersionError. */
function readHeader(file: SyncFile): number | undefined {
  const bytes = new Uint8Array(HEADER_BYTES);
  if (file.read(bytes, { at: 0 }) !== HEADER_BYTES || MAGIC.some((byte, at) => bytes[at] !== byte)) return undefined;
  const view = new DataView(bytes.buffer);
  if (crc32(bytes.subarray(0, HEADER_BYTES - 4)) !== view.getUint32(HEADER_BYTES - 4, true)) return undefined;
  const version = view.getUint16(8, true);
  if (version > VERSION) throw new JournalVersionError(version);
  return view.getFloat64(12, true);
}

/** True for an empty file, and for a first header whose end or whose middle never reached the disk. */
function isTornFirstHeader(file: SyncFile): boolean {
  const whole = encodeHeader(1);
  const bytes = new Uint8Array(HEADER_BYTES);
  file.read(bytes, { at: 0 });
  return file.getSize() <= HEADER_BYTES && bytes.every((byte, at) => byte === 0 || byte === whole[at]);
}

function writeHeader(file: SyncFile, generation: number): void {
  writeAll(file, encodeHeader(generation), 0);
  file.flush();
}

function encodeHeader(generation: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, VERSION, true);
  view.setFloat64(12, generation, true);
  view.setUint32(HEADER_BYTES - 4, crc32(bytes.subarray(0, HEADER_BYTES - 4)), true);
  return bytes;
}

/** Writes all of `bytes` and gives where they end; a browser may take fewer than it was offered. */
function writeAll(file: SyncFile, bytes: Uint8Array, offset: number): number {
  let done = 0;
  while (done < bytes.byteLength) {
    const count = file.write(bytes.subarray(done), { at: offset + done });
    if (count === 0) throw new Error('the browser wrote nothing of what it was given');
    done += count;
  }
  return offset + done;
}

function empty(file: SyncFile): void {
  file.truncate(0);
  file.flush();
}
