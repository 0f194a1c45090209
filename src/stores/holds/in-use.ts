import { RedflagError } from '../../core/domain/redflag-error.ts';

/**
 * The folder is open elsewhere: in another process, or in another part of this one. In a browser, the store is open in
 * another tab or worker.
 */
export class FolderInUseError extends RedflagError {
  static override readonly kind = 'FolderInUseError';
  /** The folder's path, or the store's name. */
  readonly folder: string;

  constructor(folder: string, message = `the folder ${folder} is in use: this or another process has it open`) {
    super(message);
    this.folder = folder;
  }
}

/** The database file is open elsewhere: in another process, in another part of this one, or in another program. */
export class FileInUseError extends RedflagError {
  static override readonly kind = 'FileInUseError';
  /** The file's path. */
  readonly file: string;

  constructor(file: string, who: string) {
    super(`the file ${file} is in use: ${who}`);
    this.file = file;
  }
}
