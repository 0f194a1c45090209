import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Found {
  readonly counts: object;
  readonly samples: number;
  readonly aside: readonly number[];
  readonly misses: number;
  readonly memory: readonly { readonly rss: number; readonly heap: number }[];
  readonly seconds: number;
  readonly peak: number;
}

async function run(): Promise<Found> {
  const child = spawn(process.execPath, ['--expose-gc', 'test/lab/million-events.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as Found;
}

it('replays a million events in memory that grows with the reports only', async () => {
  const { counts, samples, aside, misses, memory, seconds, peak } = await run();
  console.log(
    `${Math.round(1_000_000 / seconds)} events a second, peak ${peak.toFixed(0)} MiB, at 200,000 and 1,000,000: ${memory.map(({ rss, heap }) => `rss ${rss.toFixed(0)}, heap ${heap.toFixed(1)}`).join('; ')}`,
  );
  expect(counts).toMatchObject({
    events: 1_000_000,
    reporters: 50,
    reports: 20_000,
    removed: 0,
    disputes: 0,
    queries: 980_000,
    labelled: 196_000,
    matched: 98_000,
  });
  expect({ samples, aside, misses }).toEqual({ samples: 1000, aside: [1000], misses: 10 });
  // All reports precede the first measurement. Ten bytes for each of the 800,000 queries would be 8 MiB.
  expect(memory[1]!.heap - memory[0]!.heap).toBeLessThan(4);
  // The rest is garbage that is not collected yet.
  expect(memory[1]!.rss - memory[0]!.rss).toBeLessThan(64);
});
