import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { SUITES } from './matrix/matrix.mjs';

/** What `matrix/vitest.ts` does not have: it would fail in other runtimes only, in the slow tests. */
const MISSING = /\bexpect\.(?:poll|soft)\b|\bvi\.(?!fn\b|spyOn\b|restoreAllMocks\b)\w+|toMatch(?:Inline)?Snapshot/u;

it('the files of the suites use only the parts of vitest that every runtime has', () => {
  const files = Object.values(SUITES as Record<string, { files: readonly string[] }>).flatMap((suite) => suite.files);
  expect(files.filter((file) => MISSING.test(readFileSync(file, 'utf8')))).toEqual([]);
});
