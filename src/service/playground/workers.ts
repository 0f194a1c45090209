import { createHashPool, type HashPool } from '../../browser.ts';
import { utf8 } from '../../core/hash/chain.ts';
import type { WorkerRequest } from '../../core/hash/worker.ts';
import { DEFAULT_PREFIX } from '../../core/identifiers/hashing-options.ts';

/** Threads that hash. */
export interface HashThreads {
  /** One worker, for what the visitor types. */
  readonly one: HashPool;
  /** One worker for each core, for the benchmark. */
  readonly all: HashPool;
}

/** Each worker takes some megabytes. */
const MOST_WORKERS = 16;

/** Starts all workers now, because the page must also work if the network is cut later. */
export async function startThreads(): Promise<HashThreads> {
  const size = Math.min(MOST_WORKERS, navigator.hardwareConcurrency || 2);
  const loaded = await Promise.all(Array.from({ length: size + 1 }, loadWorker));
  const spawn = (): Worker => loaded.pop() ?? createWorker();
  return { one: createHashPool({ size: 1, spawn }), all: createHashPool({ size, spawn }) };
}

function createWorker(): Worker {
  return new Worker(new URL('hash-worker.js', import.meta.url), { type: 'module' });
}

/** Resolves when the worker has its script and has hashed one round. */
function loadWorker(): Promise<Worker> {
  const worker = createWorker();
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', () => resolve(worker), { once: true });
    worker.addEventListener('error', () => reject(new Error('A script could not be loaded. Reload the page.')));
    const first: WorkerRequest = {
      id: -1,
      values: ['x'],
      hasher: undefined,
      prefix: utf8.encode(DEFAULT_PREFIX),
      rounds: 1,
    };
    worker.postMessage(first);
  });
}
