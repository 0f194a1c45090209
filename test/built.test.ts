import { readdir, readFile } from 'node:fs/promises';
import { createRequire, wrap } from 'node:module';
import { dirname, join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { expect, it } from 'vitest';

const isTwin = (name: string) => name.endsWith('.cjs');

// slow-package.test.ts tests the whole package. This test shows at once if the bundler makes a syntax error of a line.
it('every file for require() is a program', async () => {
  const files = (await readdir('dist')).filter(isTwin);
  expect(files.length).toBeGreaterThan(10);
  for (const name of files) new Script(wrap(await readFile(`dist/${name}`, 'utf8')), { filename: name });
});

// jsdom has no TextEncoder, fetch, Response, structuredClone, setImmediate and so on, and other hosts lack others.
it('every file for require() loads with no globals but `process` and those of the language', async () => {
  const texts = new Map<string, string>();
  for (const name of (await readdir('dist')).filter(isTwin))
    texts.set(join(process.cwd(), 'dist', name), await readFile(`dist/${name}`, 'utf8'));

  const context = createContext({ process });
  const loaded = new Map<string, object>();
  const load = (file: string): object => {
    const known = loaded.get(file);
    if (known) return known;
    const module = { exports: {} };
    loaded.set(file, module.exports);
    const { resolve } = createRequire(file);
    const requireHere = (asked: string): unknown => {
      const found = resolve(asked);
      return texts.has(found) ? load(found) : createRequire(file)(found);
    };
    const run = new Script(wrap(texts.get(file)!), { filename: file }).runInContext(context) as (
      ...given: unknown[]
    ) => void;
    run.call(module.exports, module.exports, requireHere, module, file, dirname(file));
    return module.exports;
  };
  for (const file of texts.keys()) expect(Object.keys(load(file)).length, file).toBeGreaterThan(0);
});
