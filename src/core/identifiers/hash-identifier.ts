import { runChain } from '../hash/chain.ts';
import { DIGEST_WORDS, type Hasher, type HasherName } from '../hash/hasher.ts';
import { createInlineRunner } from '../hash/runner.ts';
import { createManyHashing, type ManyHashing } from './hash-many.ts';
import { toChainParameters, type HashingOptions } from './hashing-options.ts';
import { normaliseIdentifier } from './normalise.ts';

/** Hashing of identifiers (protocol 2.3): converts clear text to 40 lowercase hex characters. */
export interface IdentifierHashing extends ManyHashing {
  /** Normalises and hashes one value. Rejects with the errors of {@link hashIdentifierSync}. */
  hashIdentifier(value: string, options?: HashingOptions): Promise<string>;
  /**
   * Normalises and hashes one value. Throws {@link IdentifierError} for an invalid identifier, and TypeError or
   * RangeError for wrong options.
   */
  hashIdentifierSync(value: string, options?: HashingOptions): string;
  /** Compiles the hasher for these options and makes the JavaScript engine optimise it in the background. */
  prepareHashing(options?: HashingOptions): void;
}

/** V8 starts to optimise after 220 to 2,000 rounds, depending on the version. */
const ROUNDS_UNTIL_OPTIMISED = 2500;

/**
 * Returns functions that hash in this thread. Compiles the hasher at once, in one to two milliseconds.
 * @param choose returns the named hasher, or by default the fastest; throws for an unknown name.
 */
export function createIdentifierHashing(choose: (name?: HasherName) => Hasher): IdentifierHashing {
  function hashIdentifierSync(value: string, options: HashingOptions = {}): string {
    const hasher = choose(options.hasher);
    hasher.warmUp(1);
    const parameters = toChainParameters(options);
    return runChain(hasher, normaliseIdentifier(value), parameters);
  }

  try {
    // One round compiles everything that the first identifier needs, except the kernels for one and for four chains.
    runChain(choose(), normaliseIdentifier('x'), toChainParameters({ iterations: 1 }));
  } catch {
    // Ignore the error here: some exports need no hasher, and later calls throw the error again.
  }

  return {
    hashIdentifierSync,
    async hashIdentifier(value, options) {
      return hashIdentifierSync(value, options);
    },

    prepareHashing(options = {}) {
      const { prefix } = toChainParameters(options);
      const hasher = choose(options.hasher);
      // Run one chain, and four in parallel: with vectors, each case has its own kernel.
      for (const chains of [1, 4])
        hasher.advance(new Uint32Array(chains * DIGEST_WORDS), prefix, ROUNDS_UNTIL_OPTIMISED);
    },

    ...createManyHashing((parameters, hasher) => createInlineRunner(choose(hasher), parameters)),
  };
}
