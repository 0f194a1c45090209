import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';

// A million identifiers through the built package, each run in a process of its own that watches its memory.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COUNT = 1_000_000;
const MAX_BYTES = 200e6;

const program = (stream: string) => `
  import { createHash } from 'node:crypto';
  import { hashIdentifierSync, hashStream } from 'redflag/hash';
  import { createHashPool } from 'redflag/node';
  function* soon() { for (let at = 0; at < ${COUNT}; at++) yield 'person' + at + '@example.com'; }
  async function* later() { yield* soon(); }
  const pool = createHashPool({ size: 2 });
  const options = { iterations: 1 };
  let count = 0, most = 0;
  for await (const hash of ${stream}) {
    if (count % 10_000 === 0) {
      most = Math.max(most, process.memoryUsage.rss());
      if (hash !== createHash('sha1').update('service-person' + count + '@example.com').digest('hex')) throw new Error('wrong at ' + count);
    }
    count++;
  }
  console.log(JSON.stringify({ count, most: Math.max(most, process.memoryUsage.rss()) }));`;

describe('a stream of a million', () => {
  const streams = [
    'pool.hashStream(later(), options)',
    'hashStream(later(), options)',
    'hashStream(soon(), options)',
    'pool.hashStream(soon(), options)',
  ];
  it.each(isLong ? streams : streams.slice(0, 1))(
    'stays under 200 MB: %s',
    async (stream) => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program(stream)], {
        cwd: ROOT,
      });
      const { count, most } = JSON.parse(stdout) as { count: number; most: number };
      console.log(`${stream}: ${(most / 1e6).toFixed(0)} MB`);
      expect(count).toBe(COUNT);
      expect(most).toBeLessThan(MAX_BYTES);
    },
    120_000,
  );
});
