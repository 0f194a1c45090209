import { open, rm, stat } from 'node:fs/promises';
import { CommandError } from '../arguments.ts';

/** Throws a CommandError when a file cannot be written, or is one of those that are read, at the beginning of a run and not at its end. Leaves what is there, and nothing where nothing was. */
export async function proveOutput(
  option: string,
  file: string | undefined,
  inputs: readonly (string | undefined)[],
): Promise<void> {
  if (file === undefined) return;
  const refuse = (why: string): never => {
    throw new CommandError(`the file of --${option} cannot be written: ${why}`);
  };
  try {
    const there = await stat(file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : Promise.reject(error),
    );
    if (there?.isDirectory()) refuse('it is a folder');
    for (const input of inputs) {
      // What cannot be read is refused by who reads it.
      const read = input === undefined ? undefined : await stat(input).catch(() => undefined);
      if (read?.isFile() && read.ino === there?.ino && read.dev === there.dev) refuse('it is what is read');
    }
    // A pipe would take an opening for the beginning, and the closing for the end.
    if (there !== undefined && !there.isFile()) return;
    // To append: what is in the file stays until there is something to put in its place.
    await (await open(file, there === undefined ? 'ax' : 'a')).close();
    if (there === undefined) await rm(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A link that leads to no file yet.
    if (code !== 'EEXIST') refuse((code !== undefined && REASONS[code]) || (error as Error).message);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read only',
};
