import { fstatSync, statSync } from 'node:fs';

/**
 * Returns a function that throws if one of these open files was deleted, or replaced by another file of its name. The
 * system accepts writes to such a file without an error, but loses them when the file is closed. The function is
 * synchronous: no other work runs between this check and a commit.
 */
export function watchNames(files: readonly string[]): () => void {
  const opened = files.map((file) => identityOf(file));
  return () => {
    for (const [at, file] of files.entries()) requireName(file, opened[at]);
  };
}

/** Throws if the file with this name does not have this identity. */
export function requireName(file: string, identity: string | undefined): void {
  const named = identityOf(file);
  if (named === identity) return;
  const what = named === undefined ? 'deleted' : 'replaced';
  throw new Error(
    `${file} was ${what} while it was in use: new writes would be lost; stop the program and restore the file`,
  );
}

/**
 * Returns an identity that does not depend on the file's name. Takes a name or a descriptor. Undefined if no file has
 * the name.
 */
export function identityOf(file: string | number): string | undefined {
  // For a name, throws ENOTDIR if a folder in its path has become a file.
  const found =
    typeof file === 'number'
      ? fstatSync(file, { bigint: true })
      : statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}/${found.ino}`;
}
