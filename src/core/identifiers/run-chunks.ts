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

/** Reads a source into chunks, and has them hashed. Its caller takes the chunks in order. */
class ReadAhead {
  readonly #source: Source;
  readonly #runner: ChunkRunner;
  readonly #plan: ChunkPlan;
  readonly #eventLoop = createEventLoop();
  /** Chunks that run or ran, in order. */
  readonly #flights: Flight[] = [];
  #chunk: string[] = [];
  #textLength = 0;
  #read = 0;
  #isReading = false;
  /** True if the source was slow after the first value of the chunk. */
  #isRipe = false;
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #wake = (): void => {};

  constructor(source: Source, runner: ChunkRunner, plan: ChunkPlan) {
    this.#source = source;
    this.#runner = runner;
    this.#plan = plan;
  }

  /** Resolves to the hashes of the next chunk; undefined at the end. Throws what ended the source, after the rest. */
  async next(): Promise<readonly string[] | undefined> {
    const { signal, failFast } = this.#plan;
    for (;;) {
      signal?.throwIfAborted();
      this.#readAhead();
      const broken = failFast && this.#flights.find(({ failed }) => failed);
      if (broken) await broken.hashes;
      const [first] = this.#flights;
      if (first && first.failed !== undefined) {
        this.#flights.shift();
        return await first.hashes;
      }
      if (this.#hasEnded && this.#flights.length === 0) {
        if (this.#failure) throw this.#failure.error;
        return undefined;
      }
      if (this.#isRipe && this.#chunk.length > 0 && this.#hasIdleWorker()) this.#begin();
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Cancels running chunks. */
  stop(reason: unknown): void {
    for (const flight of this.#flights) flight.cancel(reason);
    this.#wake();
  }

  close(): void {
    this.#hasEnded = true;
    // No caller waits for these chunks, so the reason does not matter.
    for (const flight of this.#flights) flight.cancel(undefined);
    this.#eventLoop.close();
  }

  #hasIdleWorker(): boolean {
    const busy = this.#flights.filter(({ failed }) => failed === undefined).length;
    return busy < this.#runner.size && this.#flights.length < this.#runner.ahead;
  }

  #readAhead(): void {
    while (!this.#hasEnded && !this.#isReading && this.#flights.length < this.#runner.ahead) {
      try {
        const step = this.#source.next();
        if (!('then' in step)) {
          this.#accept(step);
          continue;
        }
        this.#isReading = true;
        step
          .then(
            (result) => this.#accept(result),
            (error: unknown) => this.#fail(error),
          )
          .finally(() => {
            this.#isReading = false;
            if (this.#chunk.length === 1 && !this.#hasEnded) this.#ripen();
            this.#wake();
          });
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  #accept(step: IteratorResult<string>): void {
    // Ignore a read that was pending when the run ended.
    if (this.#hasEnded) return;
    if (step.done) return this.#end();
    let text: string;
    try {
      text = this.#plan.normalise(step.value, this.#read);
    } catch (error) {
      return this.#fail(error);
    }
    this.#read++;
    this.#chunk.push(text);
    this.#textLength += text.length;
    if (this.#chunk.length >= this.#plan.size || this.#textLength >= MAX_CHARACTERS) this.#begin();
  }

  #begin(): void {
    const flight: Flight = { ...this.#runner.start(this.#chunk, this.#read - this.#chunk.length), failed: undefined };
    const settle = (failed: boolean): void => {
      flight.failed = failed;
      this.#wake();
    };
    flight.hashes.then(
      () => settle(false),
      () => settle(true),
    );
    this.#flights.push(flight);
    this.#chunk = [];
    this.#textLength = 0;
    this.#isRipe = false;
  }

  /** Waits one turn of the event loop. A source with more values sends them within this turn. */
  #ripen(): void {
    const waiting = this.#chunk;
    void this.#eventLoop.nextTurn().then(() => {
      if (this.#chunk !== waiting) return;
      this.#isRipe = true;
      this.#wake();
    });
  }

  #end(): void {
    this.#hasEnded = true;
    if (this.#chunk.length > 0) this.#begin();
  }

  #fail(error: unknown): void {
    if (this.#hasEnded) return;
    this.#failure = { error };
    this.#end();
  }
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
  plan: ChunkPlan,
): AsyncGenerator<readonly string[], void, undefined> {
  const { signal } = plan;
  const ahead = new ReadAhead(source, runner, plan);
  const stop = (): void => ahead.stop(signal?.reason);
  let hasFailed = false;
  try {
    signal?.addEventListener('abort', stop);
    for (let hashes = await ahead.next(); hashes !== undefined; hashes = await ahead.next()) yield hashes;
  } catch (error) {
    hasFailed = true;
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    ahead.close();
    runner.close();
    await source.close(hasFailed);
  }
}
