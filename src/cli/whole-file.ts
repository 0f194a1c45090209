import { randomBytes } from 'node:crypto';
import { link, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../journal/folder.ts';
import { CommandError } from './arguments.ts';

/** So much is gathered before the disk is asked to write it. */
const GATHERED_BYTES = 256 * 1024;

/** A file that gets its name when it is whole: until then it has another one, and a file that has the name already stays as it is. */
export interface WholeFile {
  append(text: string | Uint8Array): Promise<void>;
  /** Resolves when the file has its name and is on the disk. Throws CommandError when there is one of this name by now. */
  keep(): Promise<void>;
  /** Leaves nothing behind; does nothing once it is kept. */
  drop(): Promise<void>;
}

/** Begins a file of mode 600. Throws CommandError when there is one of this name, or none can be made here. */
export async function createWholeFile(path: string): Promise<WholeFile> {
  await refuseTaken(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const handle = await asCommandError(open(draft, 'wx', 0o600));
  const held: { pieces: Uint8Array[]; length: number } = { pieces: [], length: 0 };
  const write = async (): Promise<void> => {
    const gathered = Buffer.concat(held.pieces);
    Object.assign(held, { pieces: [], length: 0 });
    await asCommandError(handle.writeFile(gathered));
  };
  return {
    async append(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      held.pieces.push(bytes);
      held.length += bytes.length;
      if (held.length >= GATHERED_BYTES) await write();
    },
    async keep() {
      await write();
      await asCommandError(handle.sync());
      await handle.close();
      // Not renamed: that would replace a file which came meanwhile.
      await asCommandError(link(draft, path));
      await rm(draft, { force: true });
      await asCommandError(syncFolder(dirname(path)));
    },
    async drop() {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true }).catch(() => undefined);
    },
  };
}

/** Fills a file and keeps it, or leaves nothing of it. */
export async function writeWholeFile<T>(
  path: string,
  fill: (file: Pick<WholeFile, 'append'>) => Promise<T>,
): Promise<T> {
  const file = await createWholeFile(path);
  try {
    const value = await fill(file);
    await file.keep();
    return value;
  } catch (error) {
    await file.drop();
    throw error;
  }
}

/** Throws CommandError when there is something of this name. */
export async function refuseTaken(path: string): Promise<void> {
  const taken = await lstat(path).then(
    () => true,
    () => false,
  );
  if (taken) throw new CommandError(`${path} is there already; nothing is ever overwritten`);
}

/** What the system says (no permission, a full disk) is for whoever asked, also where a service does it for them. */
export async function asCommandError<T>(action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? new CommandError(error.message) : error;
  }
}
