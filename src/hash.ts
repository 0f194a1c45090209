/** `redflag/hash`: from what a person typed to the 40 hex characters that are sent (spec 2.3). */
import { choose } from './hash/choose.ts';
import { createIdentifierHashing, type IdentifierHashing } from './identifiers/hash-identifier.ts';

const hashing = /* @__PURE__ */ createIdentifierHashing(choose);

/**
 * Normalises and hashes one value, some milliseconds of work: 40 lowercase hex characters. Rejects with IdentifierError
 * for a value that is nobody's identifier, with TypeError or RangeError for wrong options; no message holds the value.
 */
export const hashIdentifier: IdentifierHashing['hashIdentifier'] = hashing.hashIdentifier;

/** The same, at once; throws what the other rejects with. */
export const hashIdentifierSync: IdentifierHashing['hashIdentifierSync'] = hashing.hashIdentifierSync;

/**
 * Compiles what hashes and lets the engine optimise it in the background, so that the first identifier is not slower than
 * the next ones: 3 to 10 ms, for when a page has loaded or a service has started. Throws a TypeError for an unknown hasher.
 */
export const prepareHashing: IdentifierHashing['prepareHashing'] = hashing.prepareHashing;

/**
 * Hashes a list; the answers are in its order. A value that is nobody's identifier rejects before anything is hashed, with
 * an IdentifierError that names its index. The event loop has its turn every few milliseconds; `signal` stops the work.
 * On several threads: `createHashPool` of `redflag/node` and `redflag/browser`.
 */
export const hashIdentifiers: IdentifierHashing['hashIdentifiers'] = hashing.hashIdentifiers;

/**
 * Hashes what any iterable gives, asynchronous or not, in its order and in bounded memory: it reads at most 1000 values (20 at
 * 32,000 iterations) further than the answers that were taken. Errors come after the hashes before them; one about a value
 * names its index. Leaving the loop closes the source. Wrong options throw at once.
 */
export const hashStream: IdentifierHashing['hashStream'] = hashing.hashStream;

export { normaliseIdentifier } from './identifiers/normalise.ts';
export { IdentifierError, type IdentifierProblem } from './identifiers/identifier-error.ts';
export { DEFAULT_ITERATIONS, DEFAULT_PREFIX, type HashingOptions } from './identifiers/hashing-options.ts';
export type { IdentifierHashing } from './identifiers/hash-identifier.ts';
export type { ManyHashing } from './identifiers/hash-many.ts';
export type { ListHashingOptions } from './identifiers/list-options.ts';
export type { HashingProgress } from './identifiers/progress.ts';
