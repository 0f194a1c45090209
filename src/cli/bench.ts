import { createHash } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { DEFAULT_ITERATIONS, DEFAULT_PREFIX, hashIdentifiers, hashIdentifierSync } from '../hash.ts';
import type { HasherName } from '../hash/hasher.ts';
import { createHashPool } from '../node.ts';
import { readArguments, UsageError, type Command } from './arguments.ts';
import { allowWide } from './hash-all.ts';

interface Figure {
  readonly what: string;
  /** Milliseconds an identifier: median and quartiles; of the pool, time that passed for all, divided by their number. */
  readonly milliseconds: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
  readonly identifiersPerSecond: number;
}

const VALUES = Array.from({ length: 240 }, (_, at) => `client${at}@example.com`);

/** `redflag bench`: how fast this machine hashes. The rivals are in the repository's `npm run bench`. */
export const bench: Command = {
  help: `redflag bench: how fast this machine hashes identifiers

Each implementation that this platform allows hashes the same identifiers; their hashes are compared with those of
node:crypto first. Figures are medians; other programs that run at the same time make them worse.

  --seconds N        time for each figure (default 1)
  --wide             also eight chains at a time, by an experimental flag of V8, on Node 22 or later
  --json             the figures as JSON
`,
  async run(args) {
    const { values } = readArguments(args, {
      seconds: { type: 'string' },
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const seconds = Number(values.seconds ?? '1');
    if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--seconds expects a number over 0 and up to 600');
    const first = timed(() => hashIdentifierSync(VALUES[0]!));
    const there = (['simd', 'scalar', 'plain'] as const).filter(isThere);
    const size = availableParallelism();
    const figures: Figure[] = [];
    for (const hasher of there) figures.push(...(await measureOneCore(hasher, 24, seconds)));
    figures.push(await measurePool(there[0]!, size, seconds));
    if (values.wide) {
      // Last: V8's flag is the whole process's.
      const wide = allowWide();
      figures.push(...(await measureOneCore(wide, 24, seconds)), await measurePool(wide, size, seconds));
    }

    const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${size} cores, Node ${process.version}`;
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ machine, iterations: DEFAULT_ITERATIONS, firstMilliseconds: first, figures }, null, 2)}\n`
        : describe(machine, first, figures),
    );
    return 0;
  },
};

function isThere(hasher: HasherName): boolean {
  try {
    hashIdentifierSync('x', { hasher, iterations: 1 });
    return true;
  } catch {
    return false;
  }
}

/** Throws unless the hasher gives what node:crypto gives: a whole chain, and shorter ones together. */
async function assertRight(hasher: HasherName): Promise<void> {
  for (const [values, iterations] of [
    [VALUES.slice(0, 1), DEFAULT_ITERATIONS],
    [VALUES.slice(0, 13), 500],
  ] as const) {
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
      throw new Error(`${hasher} does not give what node:crypto gives: please report this`);
  }
}

/** One identifier, and `together` of them where the hasher has lanes for several. */
async function measureOneCore(hasher: HasherName, together: number, seconds: number): Promise<Figure[]> {
  await assertRight(hasher);
  const one = await measure(`${hasher}, one identifier`, 1, seconds, async () =>
    hashIdentifierSync(VALUES[1]!, { hasher }),
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
  // Until the optimised code has taken over.
  for (let run = 0; run < 3; run++) await work();
  const samples: number[] = [];
  const end = performance.now() + seconds * 1000;
  do {
    const start = performance.now();
    await work();
    samples.push((performance.now() - start) / identifiers);
  } while (performance.now() < end);
  samples.sort((a, b) => a - b);
  const at = (part: number): number => samples[Math.min(samples.length - 1, Math.floor(part * samples.length))]!;
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
  return `${machine}\n${DEFAULT_ITERATIONS} rounds an identifier; median (quartiles); of several, the time that passed divided by their number\n\n${rows.join('')}\nThe first identifier of this process took ${first.toFixed(1)} ms.\n`;
}
