/**
 * What needs Node: the listener, the guarded server, the folder store, the folder of a sealed client, worker threads
 * and the playground as a page.
 *
 * @module redflag/node
 */
import { defaultNodePoolSize, nodeWorkers } from './core/hash/node-workers.ts';
import {
  assertPoolOptions,
  createHashPoolOn,
  type HashPool,
  type HashPoolOptions,
} from './core/identifiers/hash-pool.ts';

/** Options of {@link createHashPool} in Node. */
export interface NodeHashPoolOptions extends HashPoolOptions {
  /**
   * Path or `file:` URL of the worker script. Set it if your program is bundled into one file: pass
   * `require.resolve('redflag/hash-worker')` or a copy of that file. Default: the file in the package.
   */
  readonly workerUrl?: string | URL | undefined;
}

/**
 * Returns a pool of worker threads for hashing. An idle pool does not keep the process alive. Default size: the number
 * of cores that this process may use. Throws TypeError or RangeError for wrong options.
 */
export function createHashPool(options: NodeHashPoolOptions = {}): HashPool {
  assertPoolOptions(options);
  const { size = defaultNodePoolSize(), hasher, workerUrl } = options;
  return createHashPoolOn(nodeWorkers(workerUrl), { size, hasher });
}

export { HashPoolError, type HashPoolProblem, type IndexRange } from './core/hash/pool.ts';
export type { HashPool, HashPoolOptions } from './core/identifiers/hash-pool.ts';
export type { AnswerLoad } from './core/http/exchange.ts';
export { createGuardedServer, type GuardedServer } from './service/cli/operations/guarded-server.ts';
export { createListener, type Listener, type ListenerOptions } from './core/http/listener.ts';
export type { ClosedConnections, ServerLimits, ServerUsage } from './service/cli/operations/server-limits.ts';
export { FolderError } from './stores/holds/folder-error.ts';
export type { FolderLock } from './stores/holds/folder-lock.ts';
export { FolderInUseError } from './stores/holds/in-use.ts';
export { openClientFolder, type ClientFolderOptions } from './sealed/client/folder.ts';
export { openFolderStore, type FolderStore } from './stores/sqljs/folder-store.ts';
export { createPlayground } from './service/playground/part.ts';
export { IdentifierError, type IdentifierProblem } from './core/identifiers/normalise.ts';
