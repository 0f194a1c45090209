import { StoreError, StoreUnavailableError } from '../../core/store/errors.ts';

/** Errors of work that conflicted with other work. The failed work was rolled back and may run again. */
const CROSSED = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: the other work came first, and the next run sees it
]);

/** True if the server rolled back because of a conflict with a concurrent transaction. A retry is safe. */
export function hasCrossed(error: unknown): boolean {
  return CROSSED.has(codeOf(error));
}

/**
 * Returns the error for the caller. If the server rejects a statement or value, the error passes unchanged, because a
 * retry does not help. Any other error becomes the cause of a {@link StoreUnavailableError}: no connection, no answer
 * in time, disk or memory full, a standby, a server that starts or stops.
 */
export function toStoreError(error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  // Data, constraints, features and syntax. But 42501, insufficient privilege, can be repaired by an operator.
  if (/^(0A|22|23|42)/.test(code) && code !== '42501') return error;
  return new StoreUnavailableError('the database cannot answer now', { cause: error });
}

/** True if the server still answers on the same connection after this error. */
export function isAnswer(error: unknown): boolean {
  return /^(?!08|57P|58|XX)[0-9A-Z]{5}$/.test(codeOf(error));
}

/** Returns the SQLSTATE of a server's error, the system's name of another error (`ECONNREFUSED`), or an empty text. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
