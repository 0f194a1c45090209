import { isHash, toIdentifiers, type Identifier } from '../../core/domain/identifier.ts';
import type { Refusal } from '../../core/domain/refusal.ts';

/** Maximum identifiers of a query or report. */
export const MAX_IDENTIFIERS = 32;

/**
 * Returns the identifiers of a query or report: 1 to 32, without duplicates, hashes in lower case. Throws TypeError for
 * an identifier that is none, RangeError for more than 32 or none. No message contains a value.
 */
export function requireIdentifiers(identifiers: readonly Identifier[]): Identifier[] {
  const valid = toIdentifiers(identifiers, MAX_IDENTIFIERS, '');
  if (valid.ok) return valid.value;
  throw toError(valid.refusal);
}

/** Returns the different hashes of hashes or identifiers, in lower case. Throws TypeError if one is no hash. */
export function requireHashes(given: readonly (Identifier | string)[]): string[] {
  if (!Array.isArray(given)) throw new TypeError('"hashes" expected an array of hashes or of { kind, hash }');
  const hashes = given.map((one: Identifier | string) => {
    const hash: unknown = typeof one === 'string' ? one : one?.hash;
    const lower = typeof hash === 'string' ? hash.toLowerCase() : hash;
    if (!isHash(lower)) throw new TypeError('"hashes" expected hashes of 40 hex characters, got another value');
    return lower;
  });
  return [...new Set(hashes)];
}

/** Returns the kinds of each different hash. */
export function kindsByHash(identifiers: readonly Identifier[]): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const { kind, hash } of identifiers) {
    const known = kinds.get(hash);
    if (known === undefined) kinds.set(hash, [kind]);
    else known.push(kind);
  }
  return kinds;
}

function toError({ reason }: Refusal): Error {
  if (reason === 'too-many-identifiers' || reason === 'no-identifier')
    return new RangeError(`"identifiers" expected 1 to ${MAX_IDENTIFIERS} identifiers`);
  return new TypeError('"identifiers" expected a kind and a hash of 40 hex characters each, got another value');
}
