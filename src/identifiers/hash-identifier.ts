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
   * Starts the engine's optimiser on the fastest hasher, or on the one named, which is compiled first. The optimiser works in
   * the background for some milliseconds; the call takes 1 to 5 ms, some 20 for `plain`, and the first identifier, when it
   * comes, is hashed at nearly full speed. For a page that has loaded, or a service that has started. Throws a TypeError for a
   * hasher that it does not know.
   */
  prepareHashing(options?: Pick<HashingOptions, 'hasher'>): void;
}

/** V8 spends its budget for baseline code within 220 to 2,000 rounds, by version. */
const ROUNDS_UNTIL_OPTIMISED = 2500;

/**
 * Hashing in this thread, which is compiled here and now, in one to two milliseconds: this is called when a door is loaded.
 * @param choose the hasher for a name, or the fastest; throws for a name that it does not know.
 */
export function createIdentifierHashing(choose: (name?: HasherName) => Hasher): IdentifierHashing {
  function hashIdentifierSync(value: string, options: HashingOptions = {}): string {
    const hasher = choose(options.hasher);
    hasher.warmUp(1);
    const parameters = toChainParameters(options);
    return runChain(hasher, normaliseIdentifier(value), parameters);
  }

  try {
    // One round compiles all that the first identifier needs except the kernel, which is not the same for one and for four.
    runChain(choose(), normaliseIdentifier('x'), toChainParameters({ iterations: 1 }));
  } catch {
    // Whoever hashes hears of it; a door holds more than hashing.
  }

  return {
    hashIdentifierSync,
    async hashIdentifier(value, options) {
      return hashIdentifierSync(value, options);
    },

    prepareHashing({ hasher } = {}) {
      const chosen = choose(hasher);
      const { prefix } = toChainParameters({});
      // One alone and four together: on vectors each has a kernel of its own.
      for (const chains of [1, 4])
        chosen.advance(new Uint32Array(chains * DIGEST_WORDS), prefix, ROUNDS_UNTIL_OPTIMISED);
    },

    ...createManyHashing((parameters, hasher) => createInlineRunner(choose(hasher), parameters)),
  };
}
