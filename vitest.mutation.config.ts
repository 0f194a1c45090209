import { defineConfig } from 'vitest/config';

// For Stryker (scripts/mutation.mjs), which runs the tests in one thread of an instrumented copy of the sources.
export default defineConfig({
  test: {
    include: (process.env['MUTATION_TESTS'] ?? '**').split(' ').map((room) => `test/${room}/**/*.test.ts`),
    exclude: [
      'test/**/{slow,long}-*.test.ts',
      // They read the text of the sources, or run what is built of them, which no mutant changes.
      'test/{architecture,source-form,built,cli/command-line}.test.ts',
      'test/{bench,docs,examples}/**',
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
