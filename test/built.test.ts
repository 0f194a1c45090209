import { readdir, readFile } from 'node:fs/promises';
import { wrap } from 'node:module';
import { Script } from 'node:vm';
import { expect, it } from 'vitest';

// slow-package.test.ts tests the whole package. This test shows at once if the bundler makes a syntax error of a line.
it('every file for require() is a program', async () => {
  const files = (await readdir('dist')).filter((name) => name.endsWith('.cjs'));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) new Script(wrap(await readFile(`dist/${name}`, 'utf8')), { filename: name });
});
