import { createEventLoop } from '../hash/event-loop.ts';
import type { ChunkRun, ChunkRunner } from '../hash/runner.ts';
import type { Source } from './source.ts';

/** Rounds that one chunk is to be worth at most, when it has more than the fewest values: some 20 to 100 ms of one core. */
const CHUNK_ROUNDS = 768_000;
/** A multiple of four and of eight, the lanes of the vector hashers. */
const FEWEST_VALUES = 24;
const LANES = 4;
/** However short the chains: what a caller may have to keep for each chunk. */
export const MOST_VALUES = 1000;
/** UTF-16 units after which a chunk of long values is full. */
const MOST_TEXT = 100_000;

/** Values of a chunk in a stream: 24 at 32,000 rounds, up to 1000 where chains are shorter, so that a message is worth its price. */
export function chunkSize(rounds: number): number {
  const values = Math.floor(CHUNK_ROUNDS / rounds);
  return Math.min(MOST_VALUES, Math.max(FEWEST_VALUES, values - (values % FEWEST_VALUES)));
}

/** The same for a list of known length: no larger, and about even, so that the workers of a pool end at about the same time. */
export function evenChunkSize(rounds: number, length: number, workers: number): number {
  if (workers === 1 || length === 0) return chunkSize(rounds);
  const turns = Math.ceil(length / (workers * chunkSize(rounds)));
  const even = Math.ceil(length / (workers * turns));
  // A chunk that fills its lanes: three of four would take as long.
  return even < LANES ? even : Math.ceil(even / LANES) * LANES;
}

/** How a source is hashed. */
export interface ChunkPlan {
  /** Values of a chunk. */
  readonly size: number;
  /** Makes of a value and its index what is hashed, or throws. */
  readonly prove: (value: string, index: number) => string;
  readonly signal: AbortSignal | undefined;
  /** Throw the error of a chunk at once, for whoever has no use for the hashes before it. */
  readonly failFast: boolean;
}

interface Flight extends ChunkRun {
  settled: boolean;
  failed: boolean;
}

/**
 * The hashes of a source, in its order, a chunk at a time.
 *
 * Reads only while it is asked for the next chunk, and only until `runner.ahead` chunks are on their way. A value that has
 * come is not kept waiting for others to fill its chunk: when a worker is free and the source makes us wait, it is begun, so
 * a source that gives a value only after the hash of the last one is served too.
 *
 * An error of the source or of `prove` is thrown after the hashes before it. Left early, stopped or failed, it stops what
 * runs and closes the source.
 */
export async function* runChunks(
  source: Source,
  runner: ChunkRunner,
  { size, prove, signal, failFast }: ChunkPlan,
): AsyncGenerator<string[], void, undefined> {
  const flights: Flight[] = [];
  let chunk: string[] = [];
  let text = 0;
  let read = 0;
  /** A read that has not come back. */
  let reading = false;
  /** The source has made us wait since the chunk's first value came. */
  let ripe = false;
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  const eventLoop = createEventLoop();

  function begin(): void {
    const flight: Flight = { ...runner.start(chunk, read - chunk.length), settled: false, failed: false };
    const settle = (failed: boolean): void => {
      flight.settled = true;
      flight.failed = failed;
      wake();
    };
    flight.hashes.then(
      () => settle(false),
      () => settle(true),
    );
    flights.push(flight);
    chunk = [];
    text = 0;
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
    // A read that came back when all was over.
    if (ended) return;
    if (step.done) return end();
    let proved: string;
    try {
      proved = prove(step.value, read);
    } catch (error) {
      return fail(error);
    }
    read++;
    chunk.push(proved);
    text += proved.length;
    if (chunk.length >= size || text >= MOST_TEXT) begin();
  }

  /** A turn of the event loop is enough for a source that has more at hand. */
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
    for (const flight of flights) flight.cancel(signal!.reason);
    wake();
  }

  let because: 'left' | 'failed' = 'left';
  try {
    signal?.addEventListener('abort', stop);
    for (;;) {
      signal?.throwIfAborted();
      readAhead();
      const broken = failFast ? flights.find(({ failed }) => failed) : undefined;
      if (broken) await broken.hashes;
      const busy = flights.filter(({ settled }) => !settled).length;
      if (flights[0]?.settled) yield await flights.shift()!.hashes;
      else if (ended && flights.length === 0) break;
      else if (ripe && chunk.length > 0 && busy < runner.size && flights.length < runner.ahead) begin();
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    if (failure) throw failure.error;
  } catch (error) {
    because = 'failed';
    throw error;
  } finally {
    ended = true;
    signal?.removeEventListener('abort', stop);
    for (const flight of flights) flight.cancel(new Error('nobody waits'));
    eventLoop.close();
    runner.close();
    await source.close(because);
  }
}
