import { RedflagError } from '../domain/redflag-error.ts';

/** Base class of a store's errors, except for misuse. A message names tables and files, never a stored value. */
export abstract class StoreError extends RedflagError {
  static override readonly kind: string = 'StoreError';
}

/**
 * The store cannot answer now: its disk or server is missing or full. All acknowledged data is safe, and the caller may
 * retry. `cause` is the driver's error. Its message may contain submitted values.
 */
export class StoreUnavailableError extends StoreError {
  /** @internal */
  static override readonly kind = 'StoreUnavailableError';
}

/**
 * A stored row differs from what was written: its checksum differs, or a row that it refers to is missing. A retry does
 * not help. `check` counts such rows. A backup may contain them intact.
 */
export class StoreDamagedError extends StoreError {
  /** @internal */
  static override readonly kind = 'StoreDamagedError';
}

/** Returns the error for damage that `redflag check` can locate. `what` says what is wrong. */
export function damageError(what: string): StoreDamagedError {
  return new StoreDamagedError(`${what}; run redflag check and restore a backup`);
}

/**
 * The store was written under another secret or pepper than the given one, so no hash in it would be found. An operator
 * must supply the right one. The message contains fingerprints, never a secret.
 */
export abstract class StoreKeyError extends StoreError {
  /** @internal */
  static override readonly kind: string = 'StoreKeyError';
}

/** This program cannot use the data as a store: it is damaged, of another program, or of a newer version. */
export class StoreFormatError extends StoreError {
  /** @internal */
  static override readonly kind = 'StoreFormatError';
}

/** The stored elements use a key that was not given. No query could find them. */
export class SealError extends StoreKeyError {
  /** @internal */
  static override readonly kind = 'SealError';
}
