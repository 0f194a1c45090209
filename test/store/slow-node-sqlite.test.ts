import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';

// The store on `node:sqlite`, which this Node may not have: its tests, run by the other versions.
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('../runtimes/package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};

for (const name of Object.keys(dependencies)) {
  const binary = fileURLToPath(new URL(`../runtimes/node_modules/${name}/bin/node`, import.meta.url));
  // In CI a runtime that is missing is no reason to skip: the test runs and fails.
  const skipped = !existsSync(binary) && !process.env['CI'];
  if (skipped)
    console.warn(
      `test/store/slow-node-sqlite.test.ts, ${name}: skipped, it is not installed (npm install --prefix test/runtimes)`,
    );

  describe.skipIf(skipped)(name, () => {
    it('keeps to the contract of a store on its SQLite', async () => {
      const { stdout } = await promisify(execFile)(
        binary,
        ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', 'test/store/node-sqlite.test.ts'],
        { cwd: ROOT, maxBuffer: 2 ** 26 },
      );
      const { success, numPassedTests, numPendingTests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
        success: boolean;
        numPassedTests: number;
        numPendingTests: number;
      };
      expect({ success, numPendingTests }).toEqual({ success: true, numPendingTests: 0 });
      expect(numPassedTests).toBeGreaterThan(isLong ? 200 : 30);
    });
  });
}
