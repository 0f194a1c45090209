import { defaultNodePoolSize, nodeWorkers } from './hash/node-workers.ts';
import { createHashPoolOn, type HashPool, type HashPoolOptions } from './identifiers/hash-pool.ts';

/** Options of a pool in Node. */
export interface NodeHashPoolOptions extends HashPoolOptions {
  /**
   * Where the script of the workers is, a path or a `file:` URL: for a program that was bundled into one file. It is
   * `require.resolve('redflag/hash-worker')`, and may be copied. By default the file in the package.
   */
  readonly workerUrl?: string | URL | undefined;
}

/**
 * A pool of worker threads that hash. Throws TypeError or RangeError for a wrong size. An idle pool keeps no process alive.
 * The size is by default the number of cores that this process may use.
 */
export function createHashPool({
  size = defaultNodePoolSize(),
  hasher,
  workerUrl,
}: NodeHashPoolOptions = {}): HashPool {
  return createHashPoolOn(nodeWorkers(workerUrl), { size, hasher });
}

export { HashPoolError, type HashPoolProblem, type IndexRange } from './hash/pool-error.ts';
export type { HashPool, HashPoolOptions } from './identifiers/hash-pool.ts';
export { createListener, type ListenerOptions } from './http/listener.ts';
export { JournalFolderError } from './journal/folder.ts';
export type { FolderLock } from './journal/folder-lock.ts';
export { FolderInUseError } from './journal/in-use.ts';
export { openFolderStore, type FolderStore } from './store/sqljs/folder-store.ts';
