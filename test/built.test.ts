import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire, wrap } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { expect, it } from 'vitest';
import { useFolder } from './folder.ts';

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

const folder = useFolder('built');

/** Prints the errors of starts at the given places, then starts two at the last one at once. */
const STARTS = `
  import { createSqljsStore } from './dist/sqljs.js';
  const asked = [];
  const start = (place) => createSqljsStore({ locateFile: (file) => (asked.push(file), place) });
  const places = JSON.parse(process.argv[1]);
  const errors = [];
  for (const place of places.slice(0, -1))
    await start(place ?? undefined).catch(({ name, message, cause }) => errors.push([name, message, cause instanceof Error]));
  const both = await Promise.all([start(places.at(-1)), start(places.at(-1))]);
  for (const store of both) await store.close();
  console.log(JSON.stringify({ asked: asked.length, errors }));
`;

// In a process of its own, because sql.js starts once in a process. A second rejection would end it.
it('sql.js that cannot start rejects once and says why, and can start later', async () => {
  const place = (name: string): string => join(folder, name);
  await writeFile(place('text'), '<!doctype html>');
  // A program without imports and exports.
  await writeFile(place('other'), Buffer.from('0061736d01000000', 'hex'));
  await copyFile('node_modules/sql.js/dist/sql-wasm.wasm', place('copy'));
  await writeFile(place('cut'), (await readFile(place('copy'))).subarray(0, 5000));
  const faults: readonly (readonly [place: string | null, message: RegExp])[] = [
    ['/nowhere/sql-wasm.wasm', /"locateFile" returned \/nowhere\/sql-wasm\.wasm, .* copy of/],
    [folder, /which cannot be read/],
    ['file:///nowhere', /"locateFile" returned file:\/\/\/nowhere,/],
    [null, /"locateFile" returned undefined,/],
    [place('text'), /\/text is not the \.wasm file of sql\.js/],
    [place('cut'), /\/cut is not the \.wasm file of sql\.js/],
    [place('other'), /\/other does not fit this version of it/],
  ];
  const places = JSON.stringify([...faults.map(([where]) => where), place('copy')]);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    STARTS,
    places,
  ]);
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    asked: faults.length + 2,
    errors: faults.map(([, message]) => ['StoreUnavailableError', expect.stringMatching(message) as string, true]),
  });
});
