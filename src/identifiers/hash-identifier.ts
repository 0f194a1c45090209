import { runChains, runChainsAtOnce } from '../hash/chain.ts';
import type { Hasher, HasherName } from '../hash/hasher.ts';
import { createEventLoop } from './event-loop.ts';
import { toChainParameters, type HashingOptions } from './hashing-options.ts';
import { IdentifierError } from './identifier-error.ts';
import { normaliseIdentifier } from './normalise.ts';

/** Options of a list. */
export interface ListHashingOptions extends HashingOptions {
  /** Stops the work, at its next turn of the event loop; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The hashing of identifiers (spec 2.3), from the text a person typed to the 40 lowercase hex characters that are sent. */
export interface IdentifierHashing {
  /** Normalises and hashes one value; some milliseconds of work. Rejects with what {@link hashIdentifierSync} throws. */
  hashIdentifier(value: string, options?: HashingOptions): Promise<string>;
  /**
   * The same, at once. Throws {@link IdentifierError} for a value that is nobody's identifier, TypeError or RangeError for
   * options that are wrong.
   */
  hashIdentifierSync(value: string, options?: HashingOptions): string;
  /**
   * Hashes a list; the answers are in its order. All values are read and proved before the first is hashed, so one that
   * is nobody's identifier rejects early, with an {@link IdentifierError} that names its index. The event loop has its
   * turn after every few milliseconds of work.
   */
  hashIdentifiers(values: Iterable<string>, options?: ListHashingOptions): Promise<string[]>;
}

/** Rounds, and characters while normalising, between two turns of the event loop: 1 to 4 ms, by hasher and machine. */
const WORK_A_TURN = 16_000;

/** @param choose the hasher for a name, or the fastest; throws for a name that it does not know. */
export function createIdentifierHashing(choose: (name?: HasherName) => Hasher): IdentifierHashing {
  function hashIdentifierSync(value: string, options: HashingOptions = {}): string {
    const parameters = toChainParameters(options);
    return runChainsAtOnce(choose(options.hasher), [normaliseIdentifier(value)], parameters)[0]!;
  }

  return {
    hashIdentifierSync,

    async hashIdentifier(value, options) {
      return hashIdentifierSync(value, options);
    },

    async hashIdentifiers(values, options = {}) {
      if (typeof values === 'string' || typeof values?.[Symbol.iterator] !== 'function') {
        throw new TypeError(`"values" expected a list of strings, got ${values === null ? 'null' : typeof values}`);
      }
      const parameters = toChainParameters(options);
      const hasher = choose(options.hasher);
      const signal = toSignal(options.signal);
      const eventLoop = createEventLoop();
      let work = 0;
      const afterWork = async (done: number): Promise<void> => {
        work += done;
        if (work < WORK_A_TURN) return;
        work = 0;
        await eventLoop.nextTurn();
        signal?.throwIfAborted();
      };

      try {
        signal?.throwIfAborted();
        const normalised: string[] = [];
        for (const value of values) {
          normalised.push(normaliseAt(normalised.length, value));
          await afterWork(16 + value.length);
        }
        const run = runChains(hasher, normalised, parameters);
        try {
          for (;;) {
            const step = run.next();
            if (step.done) return step.value;
            await afterWork(step.value);
          }
        } finally {
          // A run that was left early still holds digests.
          run.return([]);
        }
      } finally {
        eventLoop.close();
      }
    },
  };
}

/** The signal, or a TypeError for what is none. */
export function toSignal(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || typeof signal?.throwIfAborted === 'function') return signal;
  throw new TypeError(`"signal" expected an AbortSignal, got ${signal === null ? 'null' : typeof signal}`);
}

function normaliseAt(index: number, value: string): string {
  try {
    return normaliseIdentifier(value);
  } catch (error) {
    throw error instanceof IdentifierError ? new IdentifierError(error.reason, index) : error;
  }
}
