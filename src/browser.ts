/**
 * `redflag/browser`: hashing on Web Workers. For a few identifiers use `redflag/hash`, which needs no worker.
 *
 * @module redflag/browser
 */
import { requireFunction } from './core/domain/options.ts';
import { HashPoolError, type HashPoolProblem, type IndexRange } from './core/hash/pool.ts';
import { defaultWebPoolSize, webWorkers, type WebWorker } from './core/hash/web-workers.ts';
import {
  assertPoolOptions,
  createHashPoolOn,
  type HashPool,
  type HashPoolOptions,
} from './core/identifiers/hash-pool.ts';

/** Options of a pool in a page. */
export interface BrowserHashPoolOptions extends HashPoolOptions {
  /**
   * URL of the worker script `redflag/hash-worker`, on the page's own origin. Default: `hash-worker.js` beside this
   * module. The default needs ES modules: with `require`, set `workerUrl` or `spawn`.
   */
  readonly workerUrl?: string | URL | undefined;
  /** Starts a worker that runs the script. Use it if a URL is not enough. Takes precedence over `workerUrl`. */
  readonly spawn?: (() => WebWorker) | undefined;
}

/**
 * Returns a pool of Web Workers that hash. The default size is the number of cores that the browser reports. The page's
 * content security policy must allow `worker-src 'self'`. The response with the worker script sets the worker's own
 * policy. If that policy forbids WebAssembly, the worker hashes in TypeScript. Throws TypeError or RangeError for wrong
 * options, and HashPoolError in a runtime without Web Workers.
 */
export function createHashPool(options: BrowserHashPoolOptions = {}): HashPool {
  assertPoolOptions(options, 'spawn');
  const { size = defaultWebPoolSize(), hasher, workerUrl, spawn } = options;
  if (spawn !== undefined) requireFunction('spawn', spawn);
  else if (typeof Worker !== 'function')
    throw new HashPoolError(
      'worker-ended',
      'this runtime has no Web Workers: use hashIdentifiers of redflag/hash, or in Node createHashPool of redflag/node',
    );
  return createHashPoolOn(
    webWorkers(spawn ?? (workerUrl === undefined ? besideThis : () => new Worker(workerUrl, { type: 'module' }))),
    { size, hasher },
  );
}

/** Keep this exact form: bundlers recognise it and include the worker script. */
function besideThis(): WebWorker {
  return new Worker(new URL('./hash-worker.js', import.meta.url), { type: 'module' });
}

export { HashPoolError, type HashPoolProblem, type IndexRange };
export type { WebWorker } from './core/hash/web-workers.ts';
export type { HashPool, HashPoolOptions } from './core/identifiers/hash-pool.ts';
export type { HashesOf } from './core/identifiers/hash-many.ts';
export type { ListHashingOptions } from './core/identifiers/hashing-options.ts';
export type { HashingProgress } from './core/identifiers/progress.ts';
export { IdentifierError, type IdentifierProblem } from './core/identifiers/normalise.ts';
