/** `redflag/browser`: hashing on Web Workers. The hashing of a few identifiers is in `redflag/hash`, which needs no worker. */
import { defaultWebPoolSize, webWorkers, type WebWorker } from './hash/web-workers.ts';
import { createHashPoolOn, type HashPool, type HashPoolOptions } from './identifiers/hash-pool.ts';

/** Options of a pool in a page. */
export interface BrowserHashPoolOptions extends HashPoolOptions {
  /** Where the script of the workers is: `redflag/hash-worker`, on the page's own origin. By default the file beside this one, which only an ES module can name. */
  readonly workerUrl?: string | URL | undefined;
  /** Makes a worker that runs that script, where an address is not enough. Goes before `workerUrl`. */
  readonly spawn?: (() => WebWorker) | undefined;
}

/**
 * A pool of Web Workers that hash. Throws TypeError or RangeError for a wrong size. The size is by default the number of
 * cores that the browser tells. A policy for scripts must allow the page's own (`worker-src 'self'`); a worker has the
 * policy that its script was served with, and hashes in TypeScript where that forbids WebAssembly.
 */
export function createHashPool({
  size = defaultWebPoolSize(),
  hasher,
  workerUrl,
  spawn,
}: BrowserHashPoolOptions = {}): HashPool {
  return createHashPoolOn(
    webWorkers(spawn ?? (workerUrl === undefined ? besideThis : () => new Worker(workerUrl, { type: 'module' }))),
    { size, hasher },
  );
}

/** In these words, because bundlers look for them and bring the file along. */
function besideThis(): WebWorker {
  return new Worker(new URL('./hash-worker.js', import.meta.url), { type: 'module' });
}

export { HashPoolError, type HashPoolProblem, type IndexRange } from './hash/pool-error.ts';
export type { WebWorker } from './hash/web-workers.ts';
export type { HashPool, HashPoolOptions } from './identifiers/hash-pool.ts';
export type { ListHashingOptions } from './identifiers/list-options.ts';
export type { HashingProgress } from './identifiers/progress.ts';
