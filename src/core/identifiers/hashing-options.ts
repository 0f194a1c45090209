import { refuseUnknown } from '../domain/options.ts';
import { encodeUtf8, type ChainParameters } from '../hash/chain.ts';
import { assertWhole, type HasherName } from '../hash/hasher.ts';
import { hasLoneSurrogate } from './normalise.ts';
import type { HashingProgress } from './progress.ts';

/** How identifiers are hashed. All parties of a service must use the same prefix and iterations. */
export interface HashingOptions {
  /** Text before the value in every round (protocol 2.3, step 4). May be any string. Default: `service-`. */
  readonly prefix?: string | undefined;
  /** Rounds of the chain, a whole number of at least 1 (protocol 8). Default: 32,000. */
  readonly iterations?: number | undefined;
  /** Forces one implementation, for tests and comparisons. Default: the fastest that the platform allows. */
  readonly hasher?: HasherName | undefined;
}

/** Options of a list or a stream. */
export interface ListHashingOptions extends HashingOptions {
  /** Stops the work within some milliseconds. The call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called at most ten times a second and once at the end. If it throws, the call rejects with the same error. */
  readonly onProgress?: ((progress: HashingProgress) => void) | undefined;
}

/** Text before the value in each round (protocol 2.3). */
export const DEFAULT_PREFIX = 'service-';
/** Rounds of SHA-1 (protocol 2.3). */
export const DEFAULT_ITERATIONS = 32_000;

/**
 * Validates the options of a call and returns prefix and rounds. `more` lists allowed options that are not in {@link
 * HashingOptions}. Does not validate the hasher's name; `choose` does. Throws TypeError or RangeError that names the
 * option.
 */
export function toChainParameters(options: ListHashingOptions, ...more: string[]): ChainParameters {
  refuseUnknown(options, ['prefix', 'iterations', 'hasher', ...more]);
  const { prefix = DEFAULT_PREFIX, iterations = DEFAULT_ITERATIONS, signal, onProgress } = options;
  if (typeof prefix !== 'string') throw new TypeError(`"prefix" expected a string, got ${typeof prefix}`);
  if (hasLoneSurrogate(prefix)) throw new TypeError('"prefix" expected well-formed text, got a lone surrogate');
  assertWhole('iterations', iterations, 1);
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw new TypeError(`"signal" expected an AbortSignal, got ${typeof signal}`);
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw new TypeError(`"onProgress" expected a function, got ${typeof onProgress}`);
  return { prefix: encodeUtf8(prefix), rounds: iterations };
}
