import { RedflagError } from '../../core/domain/redflag-error.ts';

/**
 * The folder cannot hold data. `code` is the system's error code (`EACCES`, `EROFS`, …); `cause` is the system's error.
 */
export class FolderError extends RedflagError {
  static override readonly kind = 'FolderError';
  /** The folder's path. */
  readonly folder: string;
  /** The system's error code, e.g. `EACCES`. */
  readonly code: string;

  constructor(folder: string, code: string, cause: unknown) {
    super(`cannot keep data in ${folder}: ${REASONS.get(code) ?? `system error ${code}`}`, { cause });
    this.folder = folder;
    this.code = code;
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission to write there'],
  ['EPERM', 'the operation is not permitted, or the file system does not support links'],
  ['ENOTSUP', 'the file system does not support sockets or links; use a local disk'],
  ['EROFS', 'the file system is read-only'],
  ['ENOENT', 'it does not exist and cannot be created'],
  ['ENOTDIR', 'it (or a part of its path) is not a directory'],
  ['EEXIST', 'it is not a directory'],
  ['EISDIR', 'there is a directory in place of the data file'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENAMETOOLONG', 'its path is too long'],
]);
