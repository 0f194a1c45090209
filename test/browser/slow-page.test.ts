import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, reasonToSkip } from './chromium.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/** Where a page's server has an installed package. */
const INSTALLED = '/node_modules/redflag/dist/';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-page.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('examples/browser: the engine in a page', () => {
  let folder: string;
  let opened: Awaited<ReturnType<typeof openBrowser>>;

  beforeAll(async () => {
    // The two steps that the example names, on the built package.
    folder = await mkdtemp(join(tmpdir(), 'redflag-page-'));
    await build({
      entryPoints: [join(ROOT, 'examples/browser/page.mjs')],
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'page.js'),
      logLevel: 'silent',
    });
    await cp(join(ROOT, 'node_modules/sql.js/dist/sql-wasm-browser.wasm'), join(folder, 'sql-wasm-browser.wasm'));
    await cp(join(ROOT, 'examples/browser/index.html'), join(folder, 'index.html'));
    opened = await openBrowser(async (request, response) => {
      const name = request.url === '/' ? '/index.html' : request.url!;
      try {
        const path = name.startsWith(INSTALLED) ? join(ROOT, 'dist', name.slice(INSTALLED.length)) : join(folder, name);
        response.setHeader('content-type', TYPES[extname(name)] ?? 'text/plain').end(await readFile(path));
      } catch {
        response.writeHead(404).end();
      }
    });
  });

  afterAll(async () => {
    await opened?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('hashes, reports, queries and refuses, and knows its reports after a reload', async () => {
    const context = await opened.browser.newContext();
    const page = await context.newPage();
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(String(error)));
    await page.goto(`${opened.origin}/`);
    const log = page.locator('#log');
    const press = async (name: string): Promise<string> => {
      const before = await log.textContent();
      await page.getByRole('button', { name }).click();
      await expect.poll(() => log.textContent()).not.toBe(before);
      return (await log.textContent())!;
    };
    await expect.poll(() => log.textContent()).toBe('Ready.');
    expect(JSON.parse(await press('Query'))).toMatchObject({ points: 0, reported: 0, reliability: 0 });
    expect(JSON.parse(await press('Report'))).toMatchObject({ duplicate: false });
    expect(JSON.parse(await press('Query'))).toMatchObject({ points: 24, reported: 1, reliability: 7.1 });
    await page.getByRole('textbox').fill('   ');
    expect(await press('Query')).toBe('the identifier is empty after normalisation');
    const second = await context.newPage();
    await second.goto(`${opened.origin}/`);
    await expect
      .poll(() => second.locator('#log').textContent())
      .toBe('the store example is in use: this or another tab or worker has it open');
    await second.close();
    await page.reload();
    await expect.poll(() => log.textContent()).toBe('Ready.');
    expect(JSON.parse(await press('Query'))).toMatchObject({ points: 24, reported: 1, reliability: 7.1 });
    expect(failures).toEqual([]);
    await context.close();
  });

  it('hashes in the page that docs/browser.md shows, without a bundler', async () => {
    const [, snippet] = /```html\n([\s\S]*?)```/.exec(await readFile(join(ROOT, 'docs/browser.md'), 'utf8'))!;
    await writeFile(join(folder, 'plain.html'), `<!doctype html><body>${snippet}`);
    const page = await opened.browser.newPage();
    await page.goto(`${opened.origin}/plain.html`);
    await expect
      .poll(async () => (await page.locator('body').innerText()).trim())
      .toBe('e6046ea1e61328d5ad100fdf7507b841b5112932');
  });
});
