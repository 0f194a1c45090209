import { utf8, type ChainParameters } from '../hash/chain.ts';
import type { HasherName } from '../hash/hasher.ts';
import { hasLoneSurrogate } from './normalise.ts';

/** How identifiers are hashed. Every party that shares a service must use the same prefix and iterations. */
export interface HashingOptions {
  /** Put before the value in every round (spec 2.3, step 4): `service-` unless the operator says otherwise. Any string, the empty one too. */
  readonly prefix?: string | undefined;
  /** Rounds of the chain, an integer of at least 1; 32,000 unless the operator says otherwise (spec 8). */
  readonly iterations?: number | undefined;
  /** Forces one implementation, for tests and comparisons. Without it: the fastest that the platform allows. */
  readonly hasher?: HasherName | undefined;
}

export const DEFAULT_PREFIX = 'service-';
export const DEFAULT_ITERATIONS = 32_000;

/** Throws a TypeError or RangeError that names the option. */
export function toChainParameters(options: HashingOptions): ChainParameters {
  const { prefix = DEFAULT_PREFIX, iterations = DEFAULT_ITERATIONS } = options;
  if (typeof prefix !== 'string') throw new TypeError(`"prefix" expected a string, got ${typeof prefix}`);
  if (hasLoneSurrogate(prefix))
    throw new TypeError('"prefix" expected text that UTF-8 can express, got a lone surrogate');
  if (typeof iterations !== 'number') {
    throw new TypeError(`"iterations" expected an integer of at least 1, got ${typeof iterations}`);
  }
  if (!Number.isSafeInteger(iterations) || iterations < 1) {
    throw new RangeError(`"iterations" expected an integer of at least 1, got ${iterations}`);
  }
  return { prefix: utf8.encode(prefix), rounds: iterations };
}
