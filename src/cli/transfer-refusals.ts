import { StoreUnavailableError } from '../store/store.ts';
import { ExportError, TransferError } from '../transfer/transfer-errors.ts';
import { CommandError } from './arguments.ts';
import { reasonOf } from './open-store.ts';

/** Throws what a copy of rows was refused with as CommandError: an export or a store that is damaged, two that do not belong together, a disk or server that fails. */
export function rethrow(error: unknown): never {
  if (error instanceof ExportError || error instanceof TransferError) throw new CommandError(error.message);
  throw error instanceof StoreUnavailableError ? new CommandError(reasonOf(error)) : error;
}
