import type { ChainParameters } from '../hash/chain.ts';
import { createTurns } from '../hash/event-loop.ts';
import type { HasherName } from '../hash/hasher.ts';
import type { ChunkRunner } from '../hash/runner.ts';
import { toChainParameters, type ListHashingOptions } from './hashing-options.ts';
import { normaliseIdentifier } from './normalise.ts';
import { createProgress } from './progress.ts';
import { chunkSize, evenChunkSize, runChunks } from './run-chunks.ts';
import { openSource, refuseValues } from './source.ts';

/** One hash per value. The type is a tuple of the same length for a tuple, and an array for any other iterable. */
export type HashesOf<Values> = Values extends readonly unknown[]
  ? { -readonly [Index in keyof Values]: string }
  : string[];

/** Hashing of many identifiers, in this thread or in a pool of workers. */
export interface ManyHashing {
  /**
   * Hashes a list and keeps its order. Validates all values before it hashes the first. If a value is not a valid
   * identifier, rejects with an {@link IdentifierError} that names the index. Rejects with TypeError or RangeError for
   * wrong options. The event loop runs every few milliseconds.
   */
  hashIdentifiers<Values extends Iterable<string> | readonly []>(
    values: Values,
    options?: ListHashingOptions,
  ): Promise<HashesOf<Values>>;
  /**
   * Hashes any number of values in order, with bounded memory. Reads values only while hashes are requested. Reads at
   * most 1000 values ahead, or 2000 per worker of a pool. At 32,000 iterations, the limits are 24 and 48. Hashes each
   * value without waiting for the next one.
   *
   * If a value is not a valid identifier, throws an {@link IdentifierError} that names the index. Errors of the source
   * are thrown unchanged. Both are thrown after all earlier hashes were returned. Leaving the loop closes the source.
   * Wrong options throw at once.
   */
  hashStream(
    values: Iterable<string> | AsyncIterable<string>,
    options?: ListHashingOptions,
  ): AsyncGenerator<string, void, undefined>;
}

/**
 * Returns the functions that hash many values.
 *
 * @param open returns the runner for one call; throws if the hasher is unknown or unavailable.
 */
export function createManyHashing(
  open: (parameters: ChainParameters, hasher: HasherName | undefined) => ChunkRunner,
): ManyHashing {
  async function hashIdentifiers(values: Iterable<string>, options: ListHashingOptions = {}): Promise<string[]> {
    if (typeof values === 'string' || typeof values?.[Symbol.iterator] !== 'function') refuseValues(values);
    const parameters = toChainParameters(options, 'signal', 'onProgress');
    const runner = open(parameters, options.hasher);
    options.signal?.throwIfAborted();
    const normalised = await normaliseValues(values, options.signal);
    const report = createProgress(options.onProgress, normalised.length);
    const size = evenChunkSize(parameters.rounds, normalised.length, runner.size);
    const hashes: string[] = [];
    for await (const chunk of runChunks(openSource(normalised), runner, {
      size,
      normalise: (value) => value,
      signal: options.signal,
      failFast: true,
    })) {
      for (const hash of chunk) hashes.push(hash);
      report(hashes.length);
    }
    report(hashes.length, true);
    return hashes;
  }

  function hashStream(
    values: Iterable<string> | AsyncIterable<string>,
    options: ListHashingOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const source = openSource(values);
    const parameters = toChainParameters(options, 'signal', 'onProgress');
    const runner = open(parameters, options.hasher);
    return (async function* () {
      const report = createProgress(options.onProgress);
      let done = 0;
      for await (const chunk of runChunks(source, runner, {
        size: chunkSize(parameters.rounds),
        normalise: normaliseIdentifier,
        signal: options.signal,
        failFast: false,
      })) {
        for (const hash of chunk) {
          options.signal?.throwIfAborted();
          yield hash;
          done++;
        }
        report(done);
      }
      report(done, true);
    })();
  }

  // The implementation returns arrays. Only the types know about tuples.
  return { hashIdentifiers: hashIdentifiers as ManyHashing['hashIdentifiers'], hashStream };
}

/** Fixed cost of normalising a value, in rounds of a chain. Each character costs extra. */
const VALUE_WORK = 16;

async function normaliseValues(values: Iterable<string>, signal: AbortSignal | undefined): Promise<string[]> {
  const turns = createTurns();
  try {
    const normalised: string[] = [];
    for (const value of values) {
      normalised.push(normaliseIdentifier(value, normalised.length));
      const turn = turns.after(VALUE_WORK + value.length);
      if (turn === undefined) continue;
      await turn;
      signal?.throwIfAborted();
    }
    return normalised;
  } finally {
    turns.close();
  }
}
