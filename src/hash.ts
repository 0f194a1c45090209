/**
 * `redflag/hash`: from what a person typed to the 40 hex characters that are sent (spec 2.3). Loading it compiles the
 * fastest module that the platform allows, in one to two milliseconds.
 */
import { choose } from './hash/choose.ts';
import { createIdentifierHashing, type IdentifierHashing } from './identifiers/hash-identifier.ts';

// To a bundler a member may be a getter, so each is read in a call that is said to be pure: a program that only normalises
// is not made to carry and compile what hashes.
const hashing = /* @__PURE__ */ createIdentifierHashing(choose);

/**
 * Normalises and hashes one value, some milliseconds of work: 40 lowercase hex characters. Rejects with IdentifierError
 * for a value that is nobody's identifier, with TypeError or RangeError for wrong options; no message holds the value.
 */
export const hashIdentifier: IdentifierHashing['hashIdentifier'] = /* @__PURE__ */ (() => hashing.hashIdentifier)();

/** The same, at once; throws what the other rejects with. */
export const hashIdentifierSync: IdentifierHashing['hashIdentifierSync'] = /* @__PURE__ */ (() =>
  hashing.hashIdentifierSync)();

/**
 * Lets the engine optimise what hashes, in the background, so that the first identifier is not slower than the next ones:
 * 1 to 5 ms, some 20 where WebAssembly is forbidden. For when a page has loaded or a service has started. Throws a TypeError
 * for an unknown hasher.
 */
export const prepareHashing: IdentifierHashing['prepareHashing'] = /* @__PURE__ */ (() => hashing.prepareHashing)();

/**
 * Hashes a list; the answers are in its order. A value that is nobody's identifier rejects before anything is hashed, with
 * an IdentifierError that names its index. The event loop has its turn every few milliseconds; `signal` stops the work.
 * On several threads: `createHashPool` of `redflag/node` and `redflag/browser`.
 */
export const hashIdentifiers: IdentifierHashing['hashIdentifiers'] = /* @__PURE__ */ (() => hashing.hashIdentifiers)();

/**
 * Hashes what any iterable gives, asynchronous or not, in its order and in bounded memory: it reads at most 1000 values (20 at
 * 32,000 iterations) further than the answers that were taken. Errors come after the hashes before them; one about a value
 * names its index. Leaving the loop closes the source. Wrong options throw at once.
 */
export const hashStream: IdentifierHashing['hashStream'] = /* @__PURE__ */ (() => hashing.hashStream)();

export { normaliseIdentifier } from './identifiers/normalise.ts';
export { IdentifierError, type IdentifierProblem } from './identifiers/identifier-error.ts';
export { DEFAULT_ITERATIONS, DEFAULT_PREFIX, type HashingOptions } from './identifiers/hashing-options.ts';
export type { IdentifierHashing } from './identifiers/hash-identifier.ts';
export type { ManyHashing } from './identifiers/hash-many.ts';
export type { ListHashingOptions } from './identifiers/list-options.ts';
export type { HashingProgress } from './identifiers/progress.ts';
