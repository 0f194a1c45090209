import { RefusedError } from '../../core/domain/refusal.ts';
import { RedflagError } from '../../core/domain/redflag-error.ts';
import { formatRefusal } from '../../core/protocol/wording.ts';
import { ExportError, TransferError } from '../../stores/transfer/transfer-errors.ts';

/** A data folder cannot be used as requested. The message is for an operator and contains no submitted value. */
export class DataFolderError extends RedflagError {
  static override readonly kind: string = 'DataFolderError';
}

/** The text is not a store address. The message does not repeat it: an address may contain a password. */
export class StoreAddressError extends DataFolderError {
  static override readonly kind = 'StoreAddressError';
}

/**
 * Awaits `action` and rethrows expected errors as {@link DataFolderError}: a refusal, a damaged or unavailable store,
 * an export that does not match, a system error (no permission, a full disk). Other errors are defects and stay
 * unchanged.
 */
export async function withDataFolderErrors<T>(action: Promise<T>): Promise<T> {
  try {
    return await action;
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    if (error instanceof RefusedError) throw new DataFolderError(formatRefusal(error.refusal));
    if (error instanceof ExportError || error instanceof TransferError) throw new DataFolderError(error.message);
    if (error instanceof RedflagError) throw new DataFolderError(reasonOf(error), { cause: error });
    // Without a cause: the file may be one that the command line names, such as an export.
    if (isSystemError(error)) throw new DataFolderError(error.message);
    throw error;
  }
}

/**
 * Rethrows a system error about the data or keys folder as {@link DataFolderError}. If its cause is `EACCES`, the
 * program says who may use the folder. Other errors stay unchanged.
 */
export function rethrowOfFolder(error: unknown): never {
  throw isSystemError(error) ? new DataFolderError(error.message, { cause: error }) : error;
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Returns the messages of an error and of its causes, separated by colons. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}

/** What the parts of a service tell its operator. */
export interface PrintedNotice {
  readonly event: string;
  readonly error?: unknown;
  readonly cause?: unknown;
  readonly keyId?: unknown;
  readonly reporterId?: unknown;
  readonly reportId?: unknown;
  readonly webhookId?: unknown;
  readonly advice?: unknown;
}

export type PrintNotice = <Notice extends PrintedNotice>(notice: Notice) => void;

/** Returns what is printed of a notice: of an error its reason only. */
export function formatNotice<Notice extends PrintedNotice>(notice: Notice): object {
  const { event, ...details } = notice;
  return { event, ...details, ...('error' in notice && { error: reasonOf(notice.error) }) };
}

/** Prints a notice of a command on standard error, as one line of JSON. */
export function printNotice<Notice extends PrintedNotice>(notice: Notice): void {
  process.stderr.write(`redflag: ${JSON.stringify(formatNotice(notice))}\n`);
}
