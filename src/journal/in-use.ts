/** Somebody else has the folder open, or in a browser the store: another process, tab or worker, or another part of this one. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  /** The folder's path, or the store's name. */
  readonly folder: string;

  constructor(folder: string, message = `the folder ${folder} is in use: another process serves it`) {
    super(message);
    this.folder = folder;
  }
}
