import type { ChainParameters } from './chain.ts';
import { createTurns } from './event-loop.ts';
import type { Hasher, HasherName } from './hasher.ts';
import { runInSlices, type Stop } from './runner.ts';

/** A message from the pool: start a job with this id, or stop it. */
export type WorkerRequest =
  | { readonly stop: number }
  | ({
      readonly id: number;
      readonly values: readonly string[];
      readonly hasher: HasherName | undefined;
    } & ChainParameters);

type Result = { readonly hashes: string[] } | { readonly stopped: true } | { readonly failed: string };

/** The answer to a job. A worker answers each job once, in order. */
export type WorkerAnswer = { readonly id: number } & Result;

/**
 * Returns the function that receives the pool's messages inside a worker, on any platform. Jobs run one after the
 * other. The event loop runs between slices, so that the worker receives `stop`. After a stopped job, the worker keeps
 * its compiled code for the next job.
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
      // Send the error as text: messages between threads lose the names of errors. The text holds no value.
      return 'reason' in stop ? { stopped: true } : { failed: String(error) };
    } finally {
      turns.close();
    }
  }

  return (request) => {
    if ('stop' in request) {
      const stopped = stops.get(request.stop);
      if (stopped) stopped.reason = 'stopped by the pool';
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
