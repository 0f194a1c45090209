/** `redflag/hash`: from what a person typed to the 40 hex characters that are sent (spec 2.3). */
import { choose } from './hash/choose.ts';
import { createIdentifierHashing } from './identifiers/hash-identifier.ts';

export const { hashIdentifier, hashIdentifierSync, hashIdentifiers } = /* @__PURE__ */ createIdentifierHashing(choose);

export { normaliseIdentifier } from './identifiers/normalise.ts';
export { IdentifierError, type IdentifierProblem } from './identifiers/identifier-error.ts';
export { DEFAULT_ITERATIONS, DEFAULT_PREFIX, MOST_ITERATIONS, type HashingOptions } from './identifiers/hashing-options.ts';
export type { IdentifierHashing, ListHashingOptions } from './identifiers/hash-identifier.ts';
