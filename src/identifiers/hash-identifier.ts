import { runChain } from '../hash/chain.ts';
import { DIGEST_WORDS, type Hasher, type HasherName } from '../hash/hasher.ts';
import { createInlineRunner } from '../hash/runner.ts';
import { createManyHashing, type ManyHashing } from './hash-many.ts';
import { toChainParameters, type HashingOptions } from './hashing-options.ts';
import { normaliseIdentifier } from './normalise.ts';

/** The hashing of identifiers (spec 2.3), from the text a person typed to the 40 lowercase hex characters that are sent. */
export interface IdentifierHashing extends ManyHashing {
  /** Normalises and hashes one value; some milliseconds of work. Rejects with what {@link hashIdentifierSync} throws. */
  hashIdentifier(value: string, options?: HashingOptions): Promise<string>;
  /**
   * The same, at once. Throws {@link IdentifierError} for a value that is nobody's identifier, TypeError or RangeError for
   * options that are wrong.
   */
  hashIdentifierSync(value: string, options?: HashingOptions): string;
  /**
   * Compiles what hashes and starts the engine's optimiser, which works in the background for some milliseconds: 3 to 10 ms
   * now, and the first identifier, when it comes, is hashed at nearly full speed. For a page that has loaded, or a service
   * that has started. Throws a TypeError for a hasher that it does not know.
   */
  prepareHashing(options?: Pick<HashingOptions, 'hasher'>): void;
}

/** V8 spends its budget for baseline code within 220 to 2,000 rounds, by version. */
const ROUNDS_UNTIL_OPTIMISED = 2500;

/**
 * Hashing in this thread.
 * @param choose the hasher for a name, or the fastest; throws for a name that it does not know.
 */
export function createIdentifierHashing(choose: (name?: HasherName) => Hasher): IdentifierHashing {
  function hashIdentifierSync(value: string, options: HashingOptions = {}): string {
    const hasher = choose(options.hasher);
    hasher.warmUp(1);
    const parameters = toChainParameters(options);
    return runChain(hasher, normaliseIdentifier(value), parameters);
  }

  return {
    hashIdentifierSync,
    async hashIdentifier(value, options) {
      return hashIdentifierSync(value, options);
    },

    prepareHashing({ hasher } = {}) {
      const parameters = toChainParameters({ iterations: ROUNDS_UNTIL_OPTIMISED });
      const chosen = choose(hasher);
      // One alone and four together: each has a kernel of its own.
      runChain(chosen, 'x', parameters);
      chosen.advance(new Uint32Array(4 * DIGEST_WORDS), parameters.prefix, parameters.rounds);
    },

    ...createManyHashing((parameters, hasher) => createInlineRunner(choose(hasher), parameters)),
  };
}
