import { createHashPool, type HashPool } from '../../browser.ts';
import { encodeUtf8 } from '../../core/hash/chain.ts';
import type { WorkerRequest } from '../../core/hash/worker.ts';
import { DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';
import type { World, WorldTask } from './world-job.ts';
import type { WorldAnswer, WorldRequest } from './world-worker.ts';

/** Starts the worker that hashes what the visitor types. Now, because the network may be cut later. */
export async function startHashThread(): Promise<HashPool> {
  // A worker has its script when it has hashed one round.
  const first: WorkerRequest = {
    id: -1,
    values: ['x'],
    hasher: undefined,
    prefix: encodeUtf8(DEFAULT_PREFIX),
    rounds: 1,
  };
  const loaded = [await loadWorker(createHashWorker(), first)];
  return createHashPool({ size: 1, spawn: () => loaded.pop() ?? createHashWorker() });
}

function createHashWorker(): Worker {
  return new Worker(new URL('hash-worker.js', import.meta.url), { type: 'module' });
}

/** Resolves at the first message of a worker, which may be its reply to `first`. */
function loadWorker(worker: Worker, first?: WorkerRequest): Promise<Worker> {
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', () => reject(new Error('A script could not be loaded. Reload the page.')));
    if (first) worker.postMessage(first);
  });
}

/** Simulates a world in a worker, one at a time. `onShare` gets the progress, 0 to 1. */
export type Simulate = (task: WorldTask, onShare: (share: number) => void) => Promise<World>;

/** Starts the worker, and resolves when its script is loaded. */
export async function startWorldThread(wasm: Promise<ArrayBuffer>): Promise<Simulate> {
  const worker = await loadWorker(new Worker(new URL('world-worker.js', import.meta.url), { type: 'module' }));
  const bytes = await wasm;
  return (task, onShare) =>
    new Promise((resolve, reject) => {
      const end = new AbortController();
      const fail = (message: string): void => {
        end.abort();
        reject(new Error(message));
      };
      const answer = ({ data }: MessageEvent<WorldAnswer>): void => {
        if ('share' in data) return onShare(data.share);
        if ('failure' in data) return fail(data.failure);
        end.abort();
        resolve(data.world);
      };
      worker.addEventListener('message', answer, end);
      for (const type of ['error', 'messageerror'])
        worker.addEventListener(type, () => fail('The simulation failed. Reload the page.'), end);
      worker.postMessage({ ...task, wasm: bytes } satisfies WorldRequest);
    });
}
