import { useState } from 'preact/hooks';
import type { HashPool } from '../../../browser.ts';
import { formatWhole } from '../../../core/domain/text.ts';
import type { HasherName } from '../../../core/hash/hasher.ts';
import { DEFAULT_ITERATIONS } from '../../../hash.ts';
import { bars } from '../../../lab/page/chart.ts';
import { Drawn } from '../../web/parts.tsx';
import type { Desk } from '../desk.ts';
import { useMessage } from '../parts.tsx';
import type { HashThreads } from '../workers.ts';

/** Measures how fast the visitor's machine hashes. */
export function Benchmark({ desk }: { readonly desk: Desk }) {
  const [speeds, setSpeeds] = useState<readonly Speed[]>([]);
  const message = useMessage();
  const run = async (): Promise<void> => {
    setSpeeds([]);
    await measure(desk.threads, (speed) => setSpeeds((before) => [...before, speed]));
    message.tell('The measurement is complete.');
  };
  const most = Math.max(1, ...speeds.map(({ identifiersPerSecond }) => identifiersPerSecond));
  return (
    <>
      <h2>How fast is this machine?</h2>
      <p>
        An identifier takes 32,000 rounds, one after the other. A shop hashes one or a few for each order; a thief who
        guesses addresses needs millions. Close other programs first, because they slow the measurement.
      </p>
      <p class="actions">
        <button type="button" class="button primary" disabled={message.isBusy} onClick={() => message.attempt(run)}>
          {message.isBusy ? 'Measuring…' : 'Measure'}
        </button>
      </p>
      {message.shown}
      {speeds.length > 0 && (
        <section class="card">
          <h3>Identifiers a second</h3>
          <Drawn
            of={bars(
              speeds.map(({ name, identifiersPerSecond, roundsPerSecond }) => ({
                name,
                value: formatWhole(identifiersPerSecond),
                parts: { speed: identifiersPerSecond },
                words: `${(roundsPerSecond / 1e6).toFixed(1)} million rounds`,
              })),
              most,
            )}
          />
        </section>
      )}
    </>
  );
}

/** How fast one way of hashing is. */
interface Speed {
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
async function measure({ one, all }: HashThreads, onSpeed: (speed: Speed) => void): Promise<void> {
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
