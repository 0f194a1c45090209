import { lstat, open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../../stores/holds/folder.ts';
import { writeWholeFile } from '../../../stores/holds/whole-file.ts';
import { CommandError } from '../errors.ts';
import type { Row } from './rows.ts';

/** Identifies a run: plain data, compared as JSON. A run with the same identity continues an interrupted one. */
export type Identity = Readonly<Record<string, string | number | boolean | null>>;

export interface Taken {
  readonly rows: number;
  readonly hashed: number;
  /** Size of these rows in the input, in bytes. */
  readonly inputBytes: number;
  /** The first missing row; undefined if the output is complete. */
  readonly next: Row | undefined;
}

const HASH_BYTES = 40;
const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 200;

/** Returns two file names: the unfinished output, and the sidecar with the run's identity. */
export function partOf(out: string): { part: string; sidecar: string } {
  return { part: `${out}.part`, sidecar: `${out}.part.json` };
}

/** Throws CommandError if the output already exists, or is the input under another name. */
export async function refuseTaken(input: { dev: number; ino: number }, out: string): Promise<void> {
  for (const path of [out, partOf(out).part]) {
    const there = await stat(path).catch(ignoreMissing);
    if (there && there.dev === input.dev && there.ino === input.ino)
      throw new CommandError('--csv and --out use the same file; choose another --out');
  }
  if (await lstat(out).catch(ignoreMissing))
    throw new CommandError(
      'the file of --out already exists and is never overwritten; delete it or choose another name',
    );
}

/**
 * The unfinished output of a run. A later run may continue it. The file holds only rows, in order, so its content shows
 * which rows are finished. If the process is killed during a write, only the last row can be torn.
 */
export class Part {
  readonly #out: string;
  readonly #handle: FileHandle;
  /** Size of the file in bytes, as this process knows it. */
  #size: number;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #flushedAt = performance.now();

  private constructor(out: string, handle: FileHandle, size: number) {
    this.#out = out;
    this.#handle = handle;
    this.#size = size;
  }

  /**
   * Creates the file, or opens the file of an interrupted run. Throws CommandError if that run had another identity.
   */
  static async open(out: string, identity: Identity): Promise<Part> {
    const { part, sidecar } = partOf(out);
    const expected = `${JSON.stringify(identity)}\n`;
    const handle = await open(part, 'r+').catch(ignoreMissing);
    if (handle) {
      try {
        const found = await readFile(sidecar, 'utf8').catch(ignoreMissing);
        if (found !== expected) throw unlike(out);
        return new Part(out, handle, (await handle.stat()).size);
      } catch (error) {
        await handle.close();
        throw error;
      }
    }
    // Write the complete sidecar first, so that every .part has a valid sidecar. Both contain personal data, so only
    // the owner may read them.
    await writeWholeFile(sidecar, (file) => file.append(expected), { replace: true });
    return new Part(out, await open(part, 'wx+', 0o600), 0);
  }

  /** Writes the byte order mark, unless an interrupted run has written it. Returns the offset of the first row. */
  async begin(mark: Buffer): Promise<number> {
    const found = Buffer.alloc(mark.length);
    const { bytesRead } = await this.#handle.read(found, 0, mark.length, 0);
    if (bytesRead === mark.length && found.equals(mark)) return mark.length;
    if (bytesRead === mark.length) throw unlike(this.#out);
    await this.#cut(0);
    this.add(mark);
    await this.flush();
    return mark.length;
  }

  /**
   * Compares the file's complete rows with the rows of the input. Truncates a torn row at the end. Throws CommandError
   * if the file contains anything except these rows, each with a hash.
   * @param from offset of the first row in the file
   */
  async takeOver(rows: AsyncIterator<Row>, from: number): Promise<Taken> {
    let position = from;
    let dataRows = 0;
    let hashed = 0;
    let inputBytes = 0;
    const read = readerOf(this.#handle, from);
    for (;;) {
      const { done, value: row } = await rows.next();
      if (done) {
        if (position !== this.#size) throw unlike(this.#out);
        return { rows: dataRows, hashed, inputBytes, next: undefined };
      }
      const hashBytes = typeof row.cell === 'string' ? 0 : HASH_BYTES;
      const length = row.before.length + hashBytes + row.after.length;
      const found = await read(length);
      if (found.length < length) {
        await this.#cut(position);
        return { rows: dataRows, hashed, inputBytes, next: row };
      }
      const behind = row.before.length + hashBytes;
      const isSame =
        found.subarray(0, row.before.length).equals(row.before) &&
        found.subarray(behind).equals(row.after) &&
        (hashBytes === 0 || /^[0-9a-f]{40}$/.test(found.toString('latin1', row.before.length, behind)));
      if (!isSame) throw unlike(this.#out);
      position += length;
      inputBytes += row.size;
      if (row.cell !== 'kept') dataRows++;
      if (hashBytes > 0) hashed++;
    }
  }

  /** Buffers bytes. Returns true if {@link flush} is due. An interruption loses at most the rows of 200 ms. */
  add(...pieces: Buffer[]): boolean {
    for (const piece of pieces) this.#unwrittenBytes += piece.length;
    this.#unwritten.push(...pieces);
    return this.#unwrittenBytes >= FLUSH_BYTES || performance.now() - this.#flushedAt >= FLUSH_MS;
  }

  /** Writes the buffered bytes. Throws CommandError if another process has written to the file. */
  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    await this.#assertAlone();
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, bytes.length - done, this.#size);
      done += bytesWritten;
      this.#size += bytesWritten;
    }
    this.#flushedAt = performance.now();
  }

  /** Flushes the file and renames it to its final name. Throws CommandError if that name exists now. */
  async finish(): Promise<void> {
    const { part, sidecar } = partOf(this.#out);
    await this.flush();
    await this.#assertAlone();
    await this.#handle.sync();
    if (await lstat(this.#out).catch(ignoreMissing))
      throw new CommandError(
        'another program created the file of --out during the run; move that file away and run the same command again',
      );
    await rename(part, this.#out);
    await rm(sidecar, { force: true });
    await syncFolder(dirname(this.#out));
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #cut(size: number): Promise<void> {
    await this.#handle.truncate(size);
    this.#size = size;
  }

  /** Throws CommandError if another run of the same command has continued this output. Only the newer run may write. */
  async #assertAlone(): Promise<void> {
    if ((await this.#handle.stat()).size !== this.#size)
      throw new CommandError(`another process is writing ${partOf(this.#out).part}; wait until it ends`);
  }
}

function unlike(out: string): CommandError {
  const { part, sidecar } = partOf(out);
  return new CommandError(
    `${part} belongs to a run with other input or options; to start over, delete it and ${sidecar}`,
  );
}

/** Returns a function that reads the next `length` bytes of a file. At the end of the file, it returns fewer bytes. */
function readerOf(handle: FileHandle, from: number): (length: number) => Promise<Buffer> {
  let position = from;
  let held: Buffer = Buffer.alloc(0);
  return async (length) => {
    while (held.length < length) {
      const chunk = Buffer.alloc(Math.max(FLUSH_BYTES, length - held.length));
      const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) return held;
      position += bytesRead;
      held = Buffer.concat([held, chunk.subarray(0, bytesRead)]);
    }
    const taken = held.subarray(0, length);
    held = held.subarray(length);
    return taken;
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
