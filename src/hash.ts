/**
 * `redflag/hash`: converts an identifier in clear text to the 40 hex characters that a client sends (protocol 2.3).
 * Loading it takes one to two milliseconds, to compile the fastest module that the platform allows.
 *
 * @module redflag/hash
 */
import { choose } from './core/hash/choose.ts';
import { createIdentifierHashing, type IdentifierHashing } from './core/identifiers/hash-identifier.ts';

// Bundlers assume that reading a member has side effects. So each member is read in a call marked as pure. A program
// that only normalises then contains no hasher. The build would inline a call of an arrow function.
const hashing = /* @__PURE__ */ createIdentifierHashing(choose);

function memberOf<Name extends keyof IdentifierHashing>(name: Name): IdentifierHashing[Name] {
  return hashing[name];
}

/**
 * Normalises and hashes one value, in some milliseconds. Resolves with 40 lowercase hex characters. Rejects with
 * IdentifierError for an invalid identifier, and with TypeError or RangeError for wrong options. No message holds the
 * value.
 */
export const hashIdentifier: IdentifierHashing['hashIdentifier'] = /* @__PURE__ */ memberOf('hashIdentifier');

/** Synchronous {@link hashIdentifier}: returns the hash, and throws the same errors. */
export const hashIdentifierSync: IdentifierHashing['hashIdentifierSync'] =
  /* @__PURE__ */ memberOf('hashIdentifierSync');

/**
 * Prepares the hasher, so that the first identifier is as fast as later ones. Call it after the page has loaded or the
 * service has started. Takes 1 to 5 ms, or about 20 ms if WebAssembly is forbidden. Throws TypeError or RangeError for
 * wrong options.
 */
export const prepareHashing: IdentifierHashing['prepareHashing'] = /* @__PURE__ */ memberOf('prepareHashing');

/**
 * Hashes a list and keeps its order. If any identifier is invalid, rejects before it hashes the first. To use several
 * threads, call `createHashPool` of `redflag/node` or `redflag/browser`. See {@link ManyHashing}.
 */
export const hashIdentifiers: IdentifierHashing['hashIdentifiers'] = /* @__PURE__ */ memberOf('hashIdentifiers');

/** Hashes the values of any iterable in order, with bounded memory. See {@link ManyHashing}. */
export const hashStream: IdentifierHashing['hashStream'] = /* @__PURE__ */ memberOf('hashStream');

export { IdentifierError, normaliseIdentifier, type IdentifierProblem } from './core/identifiers/normalise.ts';
export {
  DEFAULT_ITERATIONS,
  DEFAULT_PREFIX,
  type HashingOptions,
  type ListHashingOptions,
} from './core/identifiers/hashing-options.ts';
export type { IdentifierHashing } from './core/identifiers/hash-identifier.ts';
export type { HashesOf, ManyHashing } from './core/identifiers/hash-many.ts';
export type { HashingProgress } from './core/identifiers/progress.ts';
