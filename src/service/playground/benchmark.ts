import type { HasherName } from '../../core/hash/hasher.ts';
import type { HashPool } from '../../browser.ts';
import { DEFAULT_ITERATIONS } from '../../hash.ts';
import type { HashThreads } from './workers.ts';

/** How fast one way of hashing is. */
export interface Speed {
  readonly name: string;
  readonly identifiersPerSecond: number;
  readonly roundsPerSecond: number;
}

interface Way {
  readonly name: string;
  readonly pool: HashPool;
  readonly hasher: HasherName | undefined;
  /** Number of identifiers in a run. */
  readonly values: number;
}

const MEASURE_MS = 700;

/** Measures the ways one after the other. Calls `onSpeed` after each. */
export async function measure({ one, all }: HashThreads, onSpeed: (speed: Speed) => void): Promise<void> {
  const ways: readonly Way[] = [
    { name: 'Plain JavaScript, one thread', pool: one, hasher: 'plain', values: 4 },
    { name: 'WebAssembly, one thread', pool: one, hasher: 'scalar', values: 8 },
    { name: 'WebAssembly with vectors, one thread', pool: one, hasher: 'simd', values: 24 },
    { name: `All ${all.size} threads, the fastest way`, pool: all, hasher: undefined, values: 24 * all.size },
  ];
  for (const way of ways) {
    const speed = await measureWay(way);
    if (speed) onSpeed(speed);
  }
}

/** Returns undefined if the browser does not have the hasher. */
async function measureWay({ name, pool, hasher, values }: Way): Promise<Speed | undefined> {
  const list = Array.from({ length: values }, (_, at) => `client${at}@example.com`);
  const options = hasher === undefined ? {} : { hasher };
  try {
    // Warm up, so that the browser has optimised the code.
    await pool.hashIdentifiers(list, options);
  } catch {
    return undefined;
  }
  let hashed = 0;
  const startMs = performance.now();
  let ms: number;
  do {
    await pool.hashIdentifiers(list, options);
    hashed += values;
    ms = performance.now() - startMs;
  } while (ms < MEASURE_MS);
  const identifiersPerSecond = (hashed / ms) * 1000;
  return { name, identifiersPerSecond, roundsPerSecond: identifiersPerSecond * DEFAULT_ITERATIONS };
}
