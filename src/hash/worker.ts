import type { ChainParameters } from './chain.ts';
import { createTurns } from './event-loop.ts';
import type { Hasher, HasherName } from './hasher.ts';
import { runInSlices, type Stop } from './runner.ts';

/** What a pool tells a worker: the chains of some values, under a number of the pool's, or to stop those of a number. */
export type WorkerRequest =
  | { readonly stop: number }
  | ({
      readonly id: number;
      readonly values: readonly string[];
      readonly hasher: HasherName | undefined;
    } & ChainParameters);

/** What became of a job: hashes in order, or why there are none. */
type Result = { readonly hashes: readonly string[] } | { readonly stopped: true } | { readonly failed: string };

/** The one answer to each job, in the order in which they came. */
export type WorkerAnswer = { readonly id: number } & Result;

/**
 * What runs inside a worker, whatever makes it one: one job after the other. Returns what is to be called with each message of the pool. The work
 * gives the worker's event loop its turns, so that `stop` arrives; a stopped worker stays warm and takes the next job.
 */
export function createWorker(
  choose: (name?: HasherName) => Hasher,
  answer: (answer: WorkerAnswer) => void,
): (request: WorkerRequest) => void {
  const stops = new Map<number, Stop>();
  let before = Promise.resolve();

  async function work(request: Exclude<WorkerRequest, { stop: number }>, stop: Stop): Promise<Result> {
    if ('reason' in stop) return { stopped: true };
    const turns = createTurns();
    try {
      return { hashes: await runInSlices(choose(request.hasher), request.values, request, turns, stop) };
    } catch (error) {
      // Names of the platform's errors (CompileError) do not survive the way between threads; no message holds a value.
      return 'reason' in stop ? { stopped: true } : { failed: String(error) };
    } finally {
      turns.close();
    }
  }

  return (request) => {
    if ('stop' in request) {
      const stopped = stops.get(request.stop);
      if (stopped) stopped.reason = 'the pool said so';
      return;
    }
    const stop: Stop = {};
    stops.set(request.id, stop);
    before = before.then(async () => {
      const result = await work(request, stop);
      stops.delete(request.id);
      answer({ id: request.id, ...result });
    });
  };
}
