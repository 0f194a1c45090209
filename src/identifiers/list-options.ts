import type { HashingOptions } from './hashing-options.ts';
import type { HashingProgress } from './progress.ts';

/** Options of a list or a stream. */
export interface ListHashingOptions extends HashingOptions {
  /** Stops the work within some milliseconds; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the work is, at most ten times a second and once at the end. What it throws ends the call. */
  readonly onProgress?: ((progress: HashingProgress) => void) | undefined;
}

/** Throws a TypeError that names the option. */
export function assertListOptions({ signal, onProgress }: ListHashingOptions): void {
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function') {
    throw new TypeError(`"signal" expected an AbortSignal, got ${signal === null ? 'null' : typeof signal}`);
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new TypeError(`"onProgress" expected a function, got ${onProgress === null ? 'null' : typeof onProgress}`);
  }
}
