import { openFolderStore, type FolderStore } from '../store/sqljs/folder-store.ts';
import { CommandError } from './arguments.ts';

/** An error and what caused it: the journal says that a write failed, its cause that the disk is full. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** Opens a data folder; what the store tells goes to standard error, a line each. Throws CommandError when the folder cannot be used. */
export async function openStore(folder: string): Promise<FolderStore> {
  try {
    return await openFolderStore(folder, {
      onNotice: ({ event, ...details }) => {
        const shown = 'error' in details ? { error: reasonOf(details.error) } : details;
        process.stderr.write(`redflag: ${JSON.stringify({ event, ...shown })}\n`);
      },
    });
  } catch (error) {
    // Damage, a newer format, a folder in use, a disk that cannot be written: all for the operator to read, none a defect.
    throw new CommandError((error as Error).message);
  }
}
