import type { ChainParameters } from './chain.ts';
import { createTurns } from './event-loop.ts';
import type { Hasher, HasherName } from './hasher.ts';
import { runInSlices } from './runner.ts';

/**
 * What a pool tells a worker: the chains of some values, or to stop. A worker has one job at a time, and the next is only
 * sent after its answer, so a `stop` can never meet another job than the one it was meant for.
 */
export type WorkerRequest = { readonly stop: true } | ({ readonly values: readonly string[]; readonly hasher: HasherName | undefined } & ChainParameters);

/** The one answer to each job: hashes in order, or why there are none. */
export type WorkerAnswer = { readonly hashes: readonly string[] } | { readonly stopped: true } | { readonly failed: string };

/**
 * What runs inside a worker, whatever makes it one. Returns what is to be called with each message of the pool. The work
 * gives the worker's event loop its turns, so that `stop` arrives; a stopped worker stays warm and takes the next job.
 */
export function createWorker(choose: (name?: HasherName) => Hasher, answer: (answer: WorkerAnswer) => void): (request: WorkerRequest) => void {
  let stop = new AbortController();

  async function work(request: Exclude<WorkerRequest, { stop: true }>, signal: AbortSignal): Promise<WorkerAnswer> {
    const turns = createTurns();
    try {
      return { hashes: await runInSlices(choose(request.hasher), request.values, request, turns, signal) };
    } catch (error) {
      // Names of the platform's errors (CompileError) do not survive the way between threads; no message holds a value.
      return signal.aborted ? { stopped: true } : { failed: String(error) };
    } finally {
      turns.close();
    }
  }

  return (request) => {
    if ('stop' in request) return stop.abort();
    stop = new AbortController();
    void work(request, stop.signal).then(answer);
  };
}
