import { lstat, open, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../arguments.ts';
import type { Row } from './rows.ts';

/** What makes two runs the same one: plain data, compared as JSON. */
export type Identity = Readonly<Record<string, string | number | boolean | null>>;

/** What the unfinished output already holds. */
export interface Taken {
  /** Rows of data, and those of them that hold a hash. */
  readonly rows: number;
  readonly hashed: number;
  /** Bytes of the input that they took. */
  readonly inputBytes: number;
  /** The first row that is not in it; undefined when all are. */
  readonly next: Row | undefined;
}

const HASH_BYTES = 40;
const FLUSH_BYTES = 64 * 1024;
const FLUSH_MS = 200;

/** Where the output is while it is unfinished, and beside it what it is made of. */
export function partOf(out: string): { part: string; sidecar: string } {
  return { part: `${out}.part`, sidecar: `${out}.part.json` };
}

/** Throws CommandError when the output is there already, or is the input under another name. */
export async function refuseTaken(input: { dev: number; ino: number }, out: string): Promise<void> {
  for (const path of [out, partOf(out).part]) {
    const there = await stat(path).catch(ignoreMissing);
    if (there && there.dev === input.dev && there.ino === input.ino)
      throw new CommandError('--csv and --out name the same file');
  }
  if (await lstat(out).catch(ignoreMissing))
    throw new CommandError(
      'the file that --out names is there already, and is never overwritten; delete it or name another',
    );
}

/**
 * The unfinished output of one run, or of a run that was interrupted and now goes on. It holds the rows in order and nothing else, so how far it came is
 * read from it alone; a process that is killed while it writes leaves at worst a torn last row.
 */
export class Part {
  readonly #out: string;
  readonly #handle: FileHandle;
  /** Bytes in the file; nobody else writes it. */
  #size: number;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #flushedAt = performance.now();

  private constructor(out: string, handle: FileHandle, size: number) {
    this.#out = out;
    this.#handle = handle;
    this.#size = size;
  }

  /** Makes the file, or opens the one of an interrupted run. Throws CommandError when that run was another one. */
  static async open(out: string, identity: Identity): Promise<Part> {
    const { part, sidecar } = partOf(out);
    const expected = `${JSON.stringify(identity)}\n`;
    const handle = await open(part, 'r+').catch(ignoreMissing);
    if (handle) {
      try {
        const found = await readFile(sidecar, 'utf8').catch(ignoreMissing);
        if (found !== expected) throw unlike(part, sidecar);
        return new Part(out, handle, (await handle.stat()).size);
      } catch (error) {
        await handle.close();
        throw error;
      }
    }
    // The sidecar first and wholly: where there is a .part, its sidecar is not torn. Both tell of persons, so they are for the owner alone.
    await rm(sidecar, { force: true });
    await writeFile(sidecar, expected, { mode: 0o600, flag: 'wx', flush: true });
    return new Part(out, await open(part, 'wx+', 0o600), 0);
  }

  /** Writes bytes that come before all rows; in a file that an interrupted run began they are there. Says where the rows begin. */
  async begin(mark: Buffer): Promise<number> {
    const found = Buffer.alloc(mark.length);
    const { bytesRead } = await this.#handle.read(found, 0, mark.length, 0);
    if (bytesRead === mark.length && found.equals(mark)) return mark.length;
    if (bytesRead === mark.length) throw this.#isUnlike();
    await this.#cut(0);
    this.add(mark);
    await this.flush();
    return mark.length;
  }

  /**
   * Goes along the rows of the input for as long as the file has them whole, and cuts off what is torn behind.
   * Throws CommandError when the file holds something else than these rows with a hash each.
   * @param from where the rows begin in the file
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
        if (position !== this.#size) throw this.#isUnlike();
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
      if (!isSame) throw this.#isUnlike();
      position += length;
      inputBytes += row.size;
      if (row.cell !== 'kept') dataRows++;
      if (hashBytes > 0) hashed++;
    }
  }

  /** Adds bytes to the end; they are gathered. True when it is time to {@link flush}: an interruption loses no more than a moment's rows. */
  add(...pieces: Buffer[]): boolean {
    for (const piece of pieces) this.#unwrittenBytes += piece.length;
    this.#unwritten.push(...pieces);
    return this.#unwrittenBytes >= FLUSH_BYTES || performance.now() - this.#flushedAt >= FLUSH_MS;
  }

  /** Writes what was gathered. Throws CommandError when somebody else has written the file meanwhile. */
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

  /** Gives the file its name, when all of it is on disk. */
  async finish(): Promise<void> {
    const { part, sidecar } = partOf(this.#out);
    await this.flush();
    await this.#assertAlone();
    await this.#handle.sync();
    if (await lstat(this.#out).catch(ignoreMissing))
      throw new CommandError(
        'the file that --out names appeared meanwhile, and is never overwritten; move it away and run the same command again',
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

  /** Two runs of the same command at once: the later one cut and went on where the earlier one was, so the earlier one leaves it to it. */
  async #assertAlone(): Promise<void> {
    if ((await this.#handle.stat()).size !== this.#size)
      throw new CommandError(`another process writes ${partOf(this.#out).part}; let it finish`);
  }

  #isUnlike(): CommandError {
    const { part, sidecar } = partOf(this.#out);
    return unlike(part, sidecar);
  }
}

function unlike(part: string, sidecar: string): CommandError {
  return new CommandError(
    `${part} is of another run: the input or the options are not the same; delete it and ${sidecar} to begin anew`,
  );
}

/** Reads a file forwards: a function that gives the next so many bytes, fewer only at the end. */
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

/** A rename survives a power cut once its folder is on disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
