import { expect, it } from 'vitest';
// @ts-expect-error: plain JavaScript
import { findPageTests } from '../../scripts/screenshots.mjs';

it('pictures are taken by every slow test that looks at pages', () => {
  const tests: readonly string[] = findPageTests();
  for (const file of ['test/lab/slow-page.test.ts', 'test/web/slow-record.test.ts', 'test/web/slow-style.test.ts'])
    expect(tests).toContain(file);
  for (const file of tests) expect(file).toMatch(/^test\/[a-z/-]+\/slow-[a-z-]+\.test\.ts$/);
});
