import { createHash } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX, hashIdentifiers, hashIdentifierSync } from '../../../hash.ts';
import type { HasherName } from '../../../core/hash/hasher.ts';
import { createHashPool } from '../../../node.ts';
import { command, form } from '../command.ts';
import { UsageError } from '../errors.ts';
import { flag, text, type ValuesOf } from '../option.ts';
import { allowWide } from '../hash-all.ts';
import { toJson } from '../output.ts';

interface Figure {
  readonly what: string;
  /** Median milliseconds per identifier. With several identifiers: elapsed time divided by their number. */
  readonly milliseconds: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  readonly identifiersPerSecond: number;
}

const VALUES = Array.from({ length: 240 }, (_, at) => `client${at}@example.com`);
/** The fastest first. */
const HASHERS: readonly HasherName[] = ['simd', 'scalar', 'plain'];
const ONE_VALUE = 'client@example.com';

const OPTIONS = {
  seconds: text('N', 'time for each figure', { default: '1', read: parseSeconds }),
  wide: flag('also measure eight chains at a time (experimental V8 flag, Node 22 or later)'),
  json: flag('print the figures as JSON'),
};

export const bench = command({
  name: 'bench',
  title: 'measure how fast this machine hashes identifiers',
  about: `Each implementation that this platform supports hashes the same identifiers. Their hashes are first
compared with those of node:crypto. Figures are medians. Close other programs first, because they slow
the measurement.
`,
  forms: { '': form({ options: OPTIONS, run: measureAll }) },
});

function parseSeconds(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError('expects a number over 0 and up to 600');
  return seconds;
}

async function measureAll({ seconds, wide: isWide, json }: ValuesOf<typeof OPTIONS>): Promise<void> {
  const first = timed(() => hashIdentifierSync(ONE_VALUE));
  const supported = HASHERS.filter(isSupported);
  const fastest = supported[0] ?? 'plain';
  const size = availableParallelism();
  const figures: Figure[] = [];
  for (const hasher of supported) figures.push(...(await measureOneCore(hasher, 24, seconds)));
  figures.push(await measurePool(fastest, size, seconds));
  if (isWide) {
    // Apply this last: V8's flag affects the whole process.
    const wide = allowWide();
    figures.push(...(await measureOneCore(wide, 24, seconds)), await measurePool(wide, size, seconds));
  }

  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${size} cores, Node ${process.version}`;
  process.stdout.write(
    json
      ? toJson({ machine, iterations: DEFAULT_ITERATIONS, firstMilliseconds: first, figures }, 2)
      : describe(machine, first, figures),
  );
}

function isSupported(hasher: HasherName): boolean {
  try {
    hashIdentifierSync('x', { hasher, iterations: 1 });
    return true;
  } catch {
    return false;
  }
}

/** Throws unless the hasher agrees with node:crypto, both on a whole chain and on shorter chains hashed together. */
async function assertRight(hasher: HasherName): Promise<void> {
  for (const [together, iterations = DEFAULT_ITERATIONS] of [[1], [13, 500]]) {
    const values = VALUES.slice(0, together);
    const expected = values.map((value) => {
      let hash = value;
      for (let round = 0; round < iterations; round++)
        hash = createHash('sha1')
          .update(DEFAULT_PREFIX + hash)
          .digest('hex');
      return hash;
    });
    const hashes = await hashIdentifiers(values, { hasher, iterations });
    if (hashes.join() !== expected.join())
      throw new Error(`${hasher} computes other hashes than node:crypto: please report this bug`);
  }
}

/** Measures one identifier. If the hasher has lanes for several, also measures `together` identifiers. */
async function measureOneCore(hasher: HasherName, together: number, seconds: number): Promise<Figure[]> {
  await assertRight(hasher);
  const one = await measure(`${hasher}, one identifier`, 1, seconds, async () =>
    hashIdentifierSync(ONE_VALUE, { hasher }),
  );
  if (hasher === 'plain' || hasher === 'scalar') return [one];
  return [
    one,
    await measure(`${hasher}, ${together} together`, together, seconds, () =>
      hashIdentifiers(VALUES.slice(0, together), { hasher }),
    ),
  ];
}

async function measurePool(hasher: HasherName, size: number, seconds: number): Promise<Figure> {
  const pool = createHashPool({ size, hasher });
  try {
    return await measure(`${hasher}, pool of ${size}`, VALUES.length, seconds, () => pool.hashIdentifiers(VALUES));
  } finally {
    await pool.close();
  }
}

async function measure(
  what: string,
  identifiers: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<Figure> {
  // Warm-up, until V8 has optimised the code.
  for (let run = 0; run < 3; run++) await work();
  const samples: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    const start = performance.now();
    await work();
    samples.push((performance.now() - start) / identifiers);
  } while (performance.now() < end);
  return figureOf(what, samples);
}

/** Returns the quartiles of at least one measurement, in milliseconds. */
export function figureOf(what: string, milliseconds: readonly number[]): Figure {
  const samples = [...milliseconds].sort((a, b) => a - b);
  const at = (part: number): number => samples[Math.min(samples.length - 1, Math.floor(part * samples.length))] ?? 0;
  return {
    what,
    milliseconds: at(0.5),
    lowerQuartile: at(0.25),
    upperQuartile: at(0.75),
    identifiersPerSecond: Math.round(1000 / at(0.5)),
  };
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function describe(machine: string, first: number, figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ what }) => what.length));
  const rows = figures.map(
    ({ what, milliseconds, lowerQuartile, upperQuartile, identifiersPerSecond }) =>
      `${what.padEnd(width)}  ${milliseconds.toFixed(2).padStart(7)} ms  ${`(${lowerQuartile.toFixed(2)} to ${upperQuartile.toFixed(2)})`.padEnd(18)} ${String(identifiersPerSecond).padStart(6)}/s\n`,
  );
  return `${machine}\nMedian time per identifier (quartiles), ${DEFAULT_ITERATIONS} rounds each. For several identifiers: elapsed time divided by their number.\n\n${rows.join('')}\nThe first identifier of this process took ${first.toFixed(1)} ms.\n`;
}
