import { StoreFormatError } from '../sql/format-error.ts';
import { StoreUnavailableError } from '../store.ts';

/** The answer to work that crossed another's: nothing of it was done, and it may be done again from its beginning. */
const CROSSED = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: another one came first, and the next run sees it
]);

/** True when the server undid the work for another's sake. */
export function hasCrossed(error: unknown): boolean {
  return CROSSED.has(codeOf(error));
}

/**
 * What to tell the caller: a statement or a value that the server refuses is told as it is, for trying again would not help. Everything else (no connection,
 * no answer in time, disk or memory full, a standby, a server that starts or stops) is a {@link StoreUnavailableError} with the error as its cause.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreUnavailableError || error instanceof StoreFormatError) return error;
  const code = codeOf(error);
  // Data exceptions, broken constraints, unknown features, wrong statements; but not 42501, insufficient privilege, which an operator can mend.
  if (/^(0A|22|23|42)/.test(code) && code !== '42501') return error;
  return new StoreUnavailableError('the database cannot answer now', { cause: error });
}

/** True for an error that the server answered with and after which it answers on: the connection is not gone, and the server does not end it. */
export function isAnswer(error: unknown): boolean {
  return /^(?!08|57P|58|XX)[0-9A-Z]{5}$/.test(codeOf(error));
}

/** The SQLSTATE of a server's error, the system's name of another (`ECONNREFUSED`), or nothing. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
