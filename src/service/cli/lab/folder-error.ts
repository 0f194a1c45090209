import { CommandError } from '../errors.ts';

export function folderError(file: string): CommandError {
  return new CommandError(`${file} is a folder; name a file in it`);
}

/** Returns {@link folderError} if `error` says that `file` is a folder; otherwise `error`. */
export function toFolderError(file: string, error: unknown): unknown {
  const isFolder = error instanceof Error && 'code' in error && error.code === 'EISDIR';
  return isFolder ? folderError(file) : error;
}
