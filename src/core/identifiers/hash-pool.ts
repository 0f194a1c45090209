import { refuseUnknown, requireWhole } from '../domain/options.ts';
import { assertHasherName, type HasherName } from '../hash/hasher.ts';
import { createPool, type Spawn } from '../hash/pool.ts';
import { createManyHashing, type ManyHashing } from './hash-many.ts';

/** Options of a pool that all platforms share. */
export interface HashPoolOptions {
  /** Maximum number of workers, 1 to 1024. A worker starts when it is needed. Default: one per core. */
  readonly size?: number | undefined;
  /** Implementation for calls that name none. Default: the fastest that the platform allows. */
  readonly hasher?: HasherName | undefined;
}

/**
 * Hashing on other threads. Many calls can share a pool. If a worker crashes, the call whose chunk it was hashing
 * rejects with {@link HashPoolError}. Other calls continue, and the pool replaces the worker.
 */
export interface HashPool extends ManyHashing {
  /** Maximum number of workers. */
  readonly size: number;
  /** Ends the workers at once. Await your calls first: unfinished calls reject with {@link HashPoolError}. */
  close(): Promise<void>;
}

const MAX_WORKERS = 1024;

/**
 * Throws TypeError for an unknown or wrong option, and RangeError for a size out of range. `more` lists the options of
 * this platform only.
 */
export function assertPoolOptions(
  options: HashPoolOptions & { readonly workerUrl?: string | URL | undefined },
  ...more: string[]
): void {
  refuseUnknown(options, ['size', 'hasher', 'workerUrl', ...more]);
  const { size, hasher, workerUrl } = options;
  if (size !== undefined) requireWhole('size', size, 1, MAX_WORKERS);
  if (hasher !== undefined) assertHasherName(hasher);
  if (workerUrl !== undefined && typeof workerUrl !== 'string' && !(workerUrl instanceof URL))
    throw new TypeError(`"workerUrl" expected a string or a URL, got ${typeof workerUrl}`);
}

/** Returns a pool on the given platform. Its options must be valid. */
export function createHashPoolOn(
  spawn: Spawn,
  { size, hasher: usual }: { readonly size: number; readonly hasher?: HasherName | undefined },
): HashPool {
  const pool = createPool({ size, spawn });
  return {
    size,
    ...createManyHashing((parameters, hasher = usual) => pool.runner(parameters, hasher)),
    close: () => pool.close(),
  };
}
