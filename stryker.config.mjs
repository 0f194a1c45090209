import { cpus } from 'node:os';

// Settings of `npm run test:mutation`. scripts/mutation.mjs chooses the rooms or files, the tests and the sample.
const { MUTATION_PLACES = 'core/scoring core/domain core/protocol', MUTATION_REPORT, MUTATION_SAMPLE } = process.env;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  concurrency: cpus().length,
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  mutate: [
    ...MUTATION_PLACES.split(' ').map((place) => (place.endsWith('.ts') ? `src/${place}` : `src/${place}/**/*.ts`)),
    '!src/**/*.generated.ts',
    '!src/**/*.d.ts',
  ],
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutation-sample.mjs'],
  ...(MUTATION_SAMPLE ? { checkers: ['sample'] } : { thresholds: { high: 95, low: 90, break: 90 } }),
  reporters: ['clear-text', 'progress', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  jsonReporter: { fileName: MUTATION_REPORT ?? 'build/mutation/gate.json' },
  dryRunTimeoutMinutes: 30,
  ignorePatterns: ['bench/.cache', 'coverage', 'redflag-data', 'redflag-data-keys', 'test/runtimes/node_modules'],
  // assembly/ has decorators that Stryker cannot parse. Mutants that the compiler rejects run all the same.
  disableTypeChecks: 'src/**/*.ts',
};
