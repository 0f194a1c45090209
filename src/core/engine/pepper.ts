import { utf8ToBytes } from '@noble/hashes/utils.js';
import { SHA256 } from '../crypto/sha256.ts';
import { count } from '../domain/text.ts';
import { StoreKeyError } from '../store/errors.ts';
import type { StoredPepper } from '../store/records.ts';
import { derive } from './secrets.ts';

const PEPPER_BYTES_LEAST = 16;

/** The stored hashes use a pepper that was not given. No query could find them. */
export class PepperError extends StoreKeyError {
  /** @internal */
  static override readonly kind = 'PepperError';
}

/** One of the operator's keys for stored hashes. */
export interface Pepper {
  readonly fingerprint: string;
  /** Returns the first 20 bytes of HMAC-SHA-256 of a hash, as 40 hex characters. */
  of(hash: string): string;
}

/** Returns 16 hex characters that identify a pepper without revealing it. */
export function pepperFingerprint(pepper: string | Uint8Array): string {
  return SHA256.keyed(pepper)('redflag/1 pepper').slice(0, 16);
}

/** Returns a pepper. Throws TypeError or RangeError, with its label, for an invalid one. */
export function createPepper(pepper: string | Uint8Array, label: string): Pepper {
  if (typeof pepper !== 'string' && !(pepper instanceof Uint8Array))
    throw new TypeError(`"${label}" expected text or bytes, got ${typeof pepper}`);
  const bytes = typeof pepper === 'string' ? utf8ToBytes(pepper) : Uint8Array.from(pepper);
  if (bytes.length < PEPPER_BYTES_LEAST)
    throw new RangeError(`"${label}" expected at least ${PEPPER_BYTES_LEAST} bytes, got ${bytes.length}`);
  const keyed = derive(bytes, 'redflag/1 stored hash');
  return { fingerprint: pepperFingerprint(bytes), of: (hash) => keyed(hash, 'hex').slice(0, 40) };
}

/** Throws PepperError unless the engine has the peppers of the store. */
export function requirePeppers(stored: readonly StoredPepper[], peppers: readonly Pepper[]): void {
  for (const [at, { fingerprint }] of stored.entries()) {
    const pepper = peppers[at];
    if (pepper === undefined)
      throw new PepperError(
        `the store needs ${count(stored.length, 'pepper')}, but got ${peppers.length}; ` +
          `add the pepper with the fingerprint ${fingerprint}`,
      );
    if (pepper.fingerprint !== fingerprint)
      throw new PepperError(
        `pepper ${at + 1} has the fingerprint ${pepper.fingerprint}, but the store expects ${fingerprint}; ` +
          'give the peppers of the store, oldest first',
      );
  }
}
