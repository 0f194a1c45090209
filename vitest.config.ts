import { defineConfig } from 'vitest/config';

// `npm test` runs the ordinary tests. `npm run test:slow` runs the slow-* files, which SLOW=1 adds.
const slow = process.env['SLOW'] === '1';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: slow ? [] : ['test/**/slow-*.test.ts'],
    testTimeout: slow ? 600_000 : 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A worker keeps the sources that it has loaded: loading them again for each file takes a fifth of the time. So a
    // test must leave nothing behind in its process. test/quiet.ts finds loops that a test leaves behind.
    isolate: false,
    globalSetup: ['test/say-what-is-not-built.ts'],
    setupFiles: ['test/quiet.ts'],
    // Many tests wait for a process or a disk. So every core has a worker; the default keeps one core free.
    maxWorkers: '100%',
  },
});
