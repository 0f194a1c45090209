import { readdir, readFile } from 'node:fs/promises';
import { wrap } from 'node:module';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';

// The whole package is tried in slow-package.test.ts. What a bundler makes of a line is told here, where that line is written.
it('every file for require() is a program', async () => {
  const files = (await readdir('dist')).filter((name) => name.endsWith('.cjs'));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) new Script(wrap(await readFile(`dist/${name}`, 'utf8')), { filename: name });
});
