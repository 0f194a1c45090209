import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from './folder.ts';

/** Bytes of small pieces to collect before one write. */
const GATHERED_BYTES = 256 * 1024;
/** Options of {@link WholeFile.create} and {@link writeWholeFile}. */
export interface WholeFileOptions {
  /** True replaces an existing file of this name. By default, an existing file causes EEXIST. */
  readonly replace?: boolean;
  /** Name of the unfinished file, in the same folder. Default: the final name with a random suffix. */
  readonly draft?: string;
}

/**
 * A file of mode 600 that gets its final name only when all its bytes are on disk. After a crash, the name has the old
 * file or the whole new one; a draft may remain. Methods reject with the system's error.
 */
export class WholeFile {
  /** Open for reading and appending. */
  readonly handle: FileHandle;
  readonly #path: string;
  readonly #draft: string;
  readonly #replace: boolean;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;

  private constructor(handle: FileHandle, filePath: string, draft: string, replace: boolean) {
    this.handle = handle;
    this.#path = filePath;
    this.#draft = draft;
    this.#replace = replace;
  }

  static async create(filePath: string, { replace = false, draft }: WholeFileOptions = {}): Promise<WholeFile> {
    const name = draft ?? `${filePath}.${randomBytes(4).toString('hex')}`;
    return new WholeFile(await open(name, 'ax+', 0o600), filePath, name, replace);
  }

  async append(content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    if (bytes.byteLength < GATHERED_BYTES) {
      this.#gathered.push(bytes);
      this.#gatheredBytes += bytes.byteLength;
      if (this.#gatheredBytes >= GATHERED_BYTES) await this.#writeGathered();
      return;
    }
    // Write a large piece directly, without copying it.
    await this.#writeGathered();
    await this.handle.writeFile(bytes);
  }

  /**
   * Flushes the bytes and gives the file its name. Call `syncFolder` to make the name survive a crash. The handle stays
   * open.
   */
  async takeName(): Promise<void> {
    await this.#writeGathered();
    await this.handle.sync();
    if (this.#replace) return rename(this.#draft, this.#path);
    // Link instead of rename: a link fails if the name exists, but a rename would replace that file.
    await link(this.#draft, this.#path);
    await rm(this.#draft, { force: true });
  }

  /** Gives the file its name, flushes the folder and closes the handle. */
  async keep(): Promise<void> {
    await this.takeName();
    await this.handle.close();
    await syncFolder(path.dirname(this.#path));
  }

  /** Closes the handle and removes the draft. A file that already has its name stays. Never rejects. */
  async drop(): Promise<void> {
    await this.handle.close().catch(() => undefined);
    await rm(this.#draft, { force: true }).catch(() => undefined);
  }

  async #writeGathered(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    const bytes = Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#gatheredBytes = 0;
    await this.handle.writeFile(bytes);
  }
}

/**
 * Writes a whole file: `fill` appends its content. Returns the result of `fill`. On an error, removes the draft; a file
 * that already has its name stays.
 */
export async function writeWholeFile<T>(
  filePath: string,
  fill: (file: Pick<WholeFile, 'append'>) => Promise<T>,
  options?: WholeFileOptions,
): Promise<T> {
  const file = await WholeFile.create(filePath, options);
  try {
    const value = await fill(file);
    await file.keep();
    return value;
  } catch (error) {
    await file.drop();
    throw error;
  }
}
