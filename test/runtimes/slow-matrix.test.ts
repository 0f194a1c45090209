import { describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import type { SuiteResult } from './matrix/run.ts';
// @ts-expect-error: plain JavaScript
import { notFor, notInstalled, runCell, RUNTIMES, SUITES, textOf } from './matrix/matrix.mjs';

// `npm run matrix` prints what this test asserts under `npm run test:long`: every suite in every runtime. In CI it runs
// those that show whether the library works there at all: the vectors, and the protocol with its refusals. It leaves
// out the Node of this process, because `npm test` runs the same tests there. Between the oldest and the newest of the
// other Nodes, slow-runtimes.test.ts runs the package.
const SMOKE = ['hashing', 'hashing: threads', 'protocol', 'store: Durable Object'];
const LEFT_OUT = isLong ? [] : ['Node 24'];
const NAMES = isLong ? Object.keys(SUITES as object) : SMOKE;

type Cell = SuiteResult & { readonly reason?: string };
interface Runtime {
  readonly name: string;
  readonly binary: string;
}
const run = runCell as (runtime: Runtime, suite: string) => Promise<Cell>;
const text = textOf as (cell: Cell) => string;
const reasonOf = notFor as (runtime: Runtime, suite: string) => string | undefined;

const OTHERS = (RUNTIMES as readonly Runtime[]).filter(
  ({ name, binary }) => binary !== process.execPath && !LEFT_OUT.includes(name),
);

for (const runtime of OTHERS) {
  // In CI, a missing runtime is a failure and no reason to skip.
  const missing = process.env['CI'] ? undefined : (notInstalled as (one: Runtime) => string | undefined)(runtime);
  if (missing !== undefined)
    console.warn(
      `test/runtimes/slow-matrix.test.ts, ${runtime.name}: skipped, it is not installed (npm install --prefix test/runtimes; apt install chromium)`,
    );

  describe.skipIf(missing !== undefined)(runtime.name, () => {
    it.each(NAMES)('%s', async (suite) => {
      const cell = await run(runtime, suite);
      expect(cell.failed).toEqual([]);
      // A test that is skipped inside a suite is a failure.
      const known = reasonOf(runtime, suite);
      if (known === undefined) expect(text(cell)).toMatch(/^[1-9]\d* passed$/);
      else expect(text(cell)).toBe(`skipped: ${known}`);
    });
  });
}
