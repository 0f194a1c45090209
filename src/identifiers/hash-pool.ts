import { assertHasherName, type HasherName } from '../hash/hasher.ts';
import { createPool, type Spawn } from '../hash/pool.ts';
import { createManyHashing, type ManyHashing } from './hash-many.ts';

/** Options of a pool on any platform. */
export interface HashPoolOptions {
  /** Workers at most, an integer from 1 to 1024; they are started when they are needed. One for each core by default. */
  readonly size?: number | undefined;
  /** Forces one implementation where a call does not. Without it each worker takes the fastest that its platform allows. */
  readonly hasher?: HasherName | undefined;
}

/**
 * Hashing on other threads. Any number of calls may share a pool: each has its own answers, and chunks of all are worked off
 * in turn. Its calls reject with {@link HashPoolError}, beside what they reject with in one thread, when a worker dies; the
 * pool replaces the worker, and other calls are not affected.
 */
export interface HashPool extends ManyHashing {
  /** Workers at most. */
  readonly size: number;
  /** Ends the workers at once; calls that are not done reject with {@link HashPoolError}. Await them first. */
  close(): Promise<void>;
}

const MOST_WORKERS = 1024;

/** Throws TypeError or RangeError for a size or a hasher that is none. */
export function createHashPoolOn(
  spawn: Spawn,
  { size, hasher: usual }: { readonly size: number; readonly hasher?: HasherName | undefined },
): HashPool {
  if (typeof size !== 'number')
    throw new TypeError(`"size" expected an integer from 1 to ${MOST_WORKERS}, got ${typeof size}`);
  if (!Number.isSafeInteger(size) || size < 1 || size > MOST_WORKERS)
    throw new RangeError(`"size" expected an integer from 1 to ${MOST_WORKERS}, got ${size}`);
  if (usual !== undefined) assertHasherName(usual);
  const pool = createPool({ size, spawn });
  return {
    size,
    ...createManyHashing((parameters, hasher = usual) => pool.runner(parameters, hasher)),
    close: () => pool.close(),
  };
}
