import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';

// What Node and a page cannot do. slow-workerd.test.ts has the same for workerd.
const CONSUMER = fileURLToPath(new URL('../consumer/', import.meta.url));

it('Node refuses what it cannot do, and says what to use', async () => {
  const names = ['createSqliteStore', 'createHashPool', 'openBrowserStore', 'createDurableObjectStore'];
  const script = `import { refusalsOf } from './refusals.mjs';
    console.log(JSON.stringify(await refusalsOf(${JSON.stringify(names)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: CONSUMER,
  });
  expect(JSON.parse(stdout)).toEqual({
    createSqliteStore:
      'TypeError: "database" expected an open database of node:sqlite (Node 22.5 or newer) or better-sqlite3; ' +
      'without one, use openSqliteFile',
    createHashPool:
      'HashPoolError: this runtime has no Web Workers: use hashIdentifiers of redflag/hash, ' +
      'or in Node createHashPool of redflag/node',
    openBrowserStore:
      'StoreUnavailableError: a store in a browser needs IndexedDB, which is missing here; ' +
      'in Node, use openFolderStore of redflag/node, in workerd createDurableObjectStore of redflag/durable-object',
    createDurableObjectStore:
      'TypeError: "storage" expected ctx.storage of a Durable Object that uses SQLite (new_sqlite_classes), got undefined',
  });
});

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/runtimes/slow-refusals.test.ts, Chromium: skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('a page', () => {
  it('refuses what it cannot do, and says what to use', async () => {
    const bundle = await build({
      stdin: {
        contents: `import { refusalsOf } from './refusals.mjs'; globalThis.refusalsOf = refusalsOf;`,
        resolveDir: CONSUMER,
      },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    const opened = await openBrowser((request, response) => {
      if (request.url === '/script.js')
        response.setHeader('content-type', 'text/javascript').end(bundle.outputFiles[0]!.text);
      else if (request.url === '/')
        response
          .setHeader('content-type', 'text/html')
          .setHeader('content-security-policy', "default-src 'none'; script-src 'self'; connect-src 'self'")
          .end('<!doctype html><script type="module" src="/script.js"></script>');
      else response.writeHead(404).end();
    });
    const page = await opened.browser.newPage();
    await page.goto(opened.origin);
    await page.waitForFunction(() => 'refusalsOf' in globalThis);
    const names = ['openFolderStore', 'openSqliteFile', 'createNodePool', 'createSqljsStore', 'hasher: simd'];
    const refused = await page.evaluate(
      (asked) =>
        (globalThis as unknown as { refusalsOf(names: readonly string[]): Promise<unknown> }).refusalsOf(asked),
      names,
    );
    await opened.close();
    const stores =
      'in a browser use openBrowserStore of redflag/sqljs, in workerd createDurableObjectStore of redflag/durable-object';
    expect(refused).toEqual({
      openFolderStore: `WrongRuntimeError: openFolderStore needs Node, Bun or Deno: ${stores}`,
      openSqliteFile: `WrongRuntimeError: openSqliteFile needs Node, Bun or Deno: ${stores}`,
      createNodePool: expect.stringContaining('in a browser use createHashPool of redflag/browser') as string,
      createSqljsStore: expect.stringContaining('in a page, set "locateFile"') as string,
      'hasher: simd':
        'Error: "hasher": this platform forbids or lacks the WebAssembly of simd: leave the option out, or use plain; in workerd, set the export condition workerd',
    });
  });
});
