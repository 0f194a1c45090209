import { createEventLoop } from '../hash/event-loop.ts';
import type { ChunkRun, ChunkRunner } from '../hash/runner.ts';
import type { Source } from './source.ts';

/**
 * Maximum number of rounds per chunk, unless the chunk has the minimum number of values. About 20 to 100 ms of one
 * core.
 */
const CHUNK_ROUNDS = 768_000;
/** Minimum number of values per chunk: a multiple of eight, the lanes of the widest hasher. */
const FEWEST_VALUES = 24;
const LANES = 4;
/** Maximum number of values per chunk. Bounds the memory of the caller, even if chains are short. */
export const MAX_VALUES = 1000;
/** A chunk is full at this number of UTF-16 units. */
const MAX_CHARACTERS = 100_000;

/** Returns the number of values per chunk: 24 at 32,000 rounds, up to 1000 for shorter chains. */
export function chunkSize(rounds: number): number {
  const values = Math.floor(CHUNK_ROUNDS / rounds);
  return Math.min(MAX_VALUES, Math.max(FEWEST_VALUES, values - (values % FEWEST_VALUES)));
}

/** {@link chunkSize} for a list of known length. Chunks have about the same size, so that all workers end together. */
export function evenChunkSize(rounds: number, length: number, workers: number): number {
  if (workers === 1 || length === 0) return chunkSize(rounds);
  const turns = Math.ceil(length / (workers * chunkSize(rounds)));
  const even = Math.ceil(length / (workers * turns));
  // Fill all lanes: three chains take as long as four.
  return even < LANES ? even : Math.ceil(even / LANES) * LANES;
}

export interface ChunkPlan {
  readonly size: number;
  /** Returns the text to hash for the value at an index, or throws. */
  readonly normalise: (value: string, index: number) => string;
  readonly signal: AbortSignal | undefined;
  /** If true, the error of a chunk is thrown at once, without the earlier hashes. */
  readonly failFast: boolean;
}

interface Flight extends ChunkRun {
  /** Undefined while the chunk runs. */
  failed: boolean | undefined;
}

/**
 * Yields the hashes of a source in order, one chunk at a time.
 *
 * Reads only while the next chunk is requested and fewer than `runner.ahead` chunks run. If a worker is idle and the
 * source is slow, starts an incomplete chunk. So a source can wait for one hash before it sends the next value.
 *
 * Throws an error of the source or of `normalise` after the earlier hashes. If the caller leaves early or aborts, or
 * after an error, stops running chunks and closes the source.
 */
export async function* runChunks(
  source: Source,
  runner: ChunkRunner,
  { size, normalise, signal, failFast }: ChunkPlan,
): AsyncGenerator<string[], void, undefined> {
  const flights: Flight[] = [];
  let chunk: string[] = [];
  let textLength = 0;
  let read = 0;
  let reading = false;
  /** True if the source was slow after the first value of the chunk. */
  let ripe = false;
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const eventLoop = createEventLoop();

  function begin(): void {
    const flight: Flight = { ...runner.start(chunk, read - chunk.length), failed: undefined };
    const settle = (failed: boolean): void => {
      flight.failed = failed;
      wake();
    };
    flight.hashes.then(
      () => settle(false),
      () => settle(true),
    );
    flights.push(flight);
    chunk = [];
    textLength = 0;
    ripe = false;
  }

  function end(): void {
    ended = true;
    if (chunk.length > 0) begin();
  }

  function fail(error: unknown): void {
    if (ended) return;
    failure = { error };
    end();
  }

  function accept(step: IteratorResult<string>): void {
    // Ignore a read that was pending when the run ended.
    if (ended) return;
    if (step.done) return end();
    let text: string;
    try {
      text = normalise(step.value, read);
    } catch (error) {
      return fail(error);
    }
    read++;
    chunk.push(text);
    textLength += text.length;
    if (chunk.length >= size || textLength >= MAX_CHARACTERS) begin();
  }

  /** Waits one turn of the event loop. A source with more values sends them within this turn. */
  function ripen(): void {
    const waiting = chunk;
    void eventLoop.nextTurn().then(() => {
      if (chunk !== waiting) return;
      ripe = true;
      wake();
    });
  }

  function readAhead(): void {
    while (!ended && !reading && flights.length < runner.ahead) {
      try {
        const step = source.next();
        if (!('then' in step)) {
          accept(step);
          continue;
        }
        reading = true;
        step.then(accept, fail).finally(() => {
          reading = false;
          if (chunk.length === 1 && !ended) ripen();
          wake();
        });
      } catch (error) {
        fail(error);
      }
    }
  }

  function stop(): void {
    for (const flight of flights) flight.cancel(signal?.reason);
    wake();
  }

  let hasFailed = false;
  try {
    signal?.addEventListener('abort', stop);
    for (;;) {
      signal?.throwIfAborted();
      readAhead();
      const broken = failFast && flights.find(({ failed }) => failed);
      if (broken) await broken.hashes;
      const busy = flights.filter(({ failed }) => failed === undefined).length;
      const [first] = flights;
      if (first && first.failed !== undefined) {
        flights.shift();
        yield await first.hashes;
      } else if (ended && flights.length === 0) break;
      else if (ripe && chunk.length > 0 && busy < runner.size && flights.length < runner.ahead) begin();
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (failure) throw failure.error;
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    ended = true;
    signal?.removeEventListener('abort', stop);
    // No caller waits for these chunks, so the reason does not matter.
    for (const flight of flights) flight.cancel(undefined);
    eventLoop.close();
    runner.close();
    await source.close(hasFailed);
  }
}
