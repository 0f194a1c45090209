import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { Slowest } from './test/slowest.ts';

// `npm test` runs the ordinary tests. `npm run test:slow` runs the slow-* files, which SLOW=1 adds. `npm run test:long`
// runs all files with ten times the budget (test/budget.ts), also the long-* files.
const long = process.env['LONG'] === '1';
const slow = long || process.env['SLOW'] === '1';
// Limits end a test that hangs, so no test on a busy machine comes near them. Few tests need their own.
const timeLimit = long ? 3_600_000 : slow ? 600_000 : 120_000;

// Ordinary tests wait longer for flushes than for anything else, so their temporary files are in memory if there is
// room. Killing a process loses nothing there either, and no test takes the power away. Slow tests have the disk.
const MEMORY = '/dev/shm';
const ROOM = 2 ** 30;
if (!slow && existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize >= ROOM) process.env['TMPDIR'] ??= MEMORY;
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      ...(slow ? [] : ['test/**/slow-*.test.ts']),
      ...(long ? [] : ['test/**/long-*.test.ts']),
    ],
    reporters: ['default', new Slowest()],
    sequence: { sequencer: LongestFirst },
    testTimeout: timeLimit,
    hookTimeout: timeLimit,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // A worker keeps the sources that it has loaded: loading them again for each file takes a fifth of the time. So a
    // test must leave nothing behind in its process. test/quiet.ts finds loops that a test leaves behind.
    isolate: false,
    // Sources are compiled once for all runs: the cache in node_modules goes by their content.
    experimental: { fsModuleCache: true },
    globalSetup: ['test/say-what-is-not-built.ts', 'test/postgres-patterns.ts'],
    setupFiles: ['test/quiet.ts', 'test/own-connections.ts'],
    // Tests wait for disks, processes, servers and browsers: three workers for two cores. Vitest reads more than 100 %
    // as 100 %.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
  },
});
