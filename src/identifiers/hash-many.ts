import type { ChainParameters } from '../hash/chain.ts';
import { createTurns } from '../hash/event-loop.ts';
import type { HasherName } from '../hash/hasher.ts';
import type { ChunkRunner } from '../hash/runner.ts';
import { toChainParameters } from './hashing-options.ts';
import { assertListOptions, type ListHashingOptions } from './list-options.ts';
import { normaliseAt } from './normalise.ts';
import { createProgress } from './progress.ts';
import { chunkSize, evenChunkSize, runChunks } from './run-chunks.ts';
import { openSource } from './source.ts';

/** The hashing of many identifiers, in this thread or in a pool of workers. */
export interface ManyHashing {
  /**
   * Hashes a list; the answers are in its order. All values are read and proved before the first is hashed, so one that is
   * nobody's identifier rejects early, with an {@link IdentifierError} that names its index. The event loop has its turn
   * after every few milliseconds of work.
   */
  hashIdentifiers(values: Iterable<string>, options?: ListHashingOptions): Promise<string[]>;
  /**
   * Hashes any number of values in bounded memory; the answers are in their order. Values are read while answers are asked
   * for, and at most 1000 further than the answers that were taken, in a pool 2000 for each worker (at 32,000 iterations 24,
   * and 48 for each worker); a value that has come is not kept waiting for the next one.
   *
   * A value that is nobody's identifier throws an {@link IdentifierError} that names its index, what the source throws is
   * passed on; either comes after the hashes before it. Leaving the loop closes the source. Wrong options throw at once.
   */
  hashStream(
    values: Iterable<string> | AsyncIterable<string>,
    options?: ListHashingOptions,
  ): AsyncGenerator<string, void, undefined>;
}

/** @param open where the chains of one call run; throws for a hasher that it does not know or cannot have. */
export function createManyHashing(
  open: (parameters: ChainParameters, hasher: HasherName | undefined) => ChunkRunner,
): ManyHashing {
  async function hashIdentifiers(values: Iterable<string>, options: ListHashingOptions = {}): Promise<string[]> {
    assertList(values);
    const parameters = toChainParameters(options);
    assertListOptions(options);
    const runner = open(parameters, options.hasher);
    options.signal?.throwIfAborted();
    const normalised = await normaliseAll(values, options.signal);
    const progress = createProgress(options.onProgress, normalised.length);
    const size = evenChunkSize(parameters.rounds, normalised.length, runner.size);
    const hashes: string[] = [];
    for await (const chunk of runChunks(openSource(normalised), runner, {
      size,
      prove: (value) => value,
      signal: options.signal,
      failFast: true,
    })) {
      for (const hash of chunk) hashes.push(hash);
      progress.report(hashes.length);
    }
    progress.end(hashes.length);
    return hashes;
  }

  function hashStream(
    values: Iterable<string> | AsyncIterable<string>,
    options: ListHashingOptions = {},
  ): AsyncGenerator<string, void, undefined> {
    const source = openSource(values);
    const parameters = toChainParameters(options);
    assertListOptions(options);
    const runner = open(parameters, options.hasher);
    return (async function* () {
      const progress = createProgress(options.onProgress);
      let done = 0;
      for await (const chunk of runChunks(source, runner, {
        size: chunkSize(parameters.rounds),
        prove: normaliseAt,
        signal: options.signal,
        failFast: false,
      })) {
        for (const hash of chunk) {
          options.signal?.throwIfAborted();
          yield hash;
          done++;
        }
        progress.report(done);
      }
      progress.end(done);
    })();
  }

  return { hashIdentifiers, hashStream };
}

function assertList(values: Iterable<string>): void {
  if (typeof values === 'string' || typeof values?.[Symbol.iterator] !== 'function') {
    throw new TypeError(`"values" expected a list of strings, got ${values === null ? 'null' : typeof values}`);
  }
}

/** What normalising costs beside its characters, counted as rounds of a chain. */
const VALUE_WORK = 16;

async function normaliseAll(values: Iterable<string>, signal: AbortSignal | undefined): Promise<string[]> {
  const turns = createTurns();
  try {
    const normalised: string[] = [];
    for (const value of values) {
      normalised.push(normaliseAt(value, normalised.length));
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
