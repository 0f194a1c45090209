import { defineConfig } from 'vitest/config';

// `npm test` runs the ordinary tests; `npm run test:slow` runs the slow-* files, which SLOW=1 adds.
const slow = process.env['SLOW'] === '1';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: slow ? [] : ['test/**/slow-*.test.ts'],
    testTimeout: slow ? 600_000 : 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // A worker keeps what it has loaded: loading the sources for each file anew takes a fifth of the time. A test leaves nothing behind in its process; what test/quiet.ts can see of that it proves.
    isolate: false,
    setupFiles: ['test/quiet.ts'],
    // Many tests wait for a process or a disk: every core may have a worker, where the default keeps one core free.
    maxWorkers: '100%',
  },
});
