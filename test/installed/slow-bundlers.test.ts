import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, reasonToSkip as reasonForBrowser } from '../browser/chromium.ts';
import { readPage } from '../docs/page.ts';
import { freePort } from '../free-port.ts';
import { createProject, PACKAGES, reasonToSkip, type Project } from './install.ts';

// The page and the settings that docs/browser.md shows, built from the packed package and opened in Chromium.
// `npm run sizes` also writes the table of sizes into docs/browser.md.
const GUIDE = fileURLToPath(new URL('../../docs/browser.md', import.meta.url));
const blocks = readPage(readFileSync(GUIDE, 'utf8')).flatMap((block) => (block.kind === 'code' ? [block] : []));
const fileOf = (name: string): string => blocks.find(({ file }) => file === name)!.text;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};
const KNOWN_HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';

/** What a page can do, and its script. */
const PAGES: Readonly<Record<string, string>> = {
  'hash (`redflag/hash`)':
    "import { hashIdentifier } from 'redflag/hash'; document.body.append(await hashIdentifier('client@example.com'));",
  'hash on workers (`redflag/browser`)':
    "import { createHashPool } from 'redflag/browser'; const pool = createHashPool(); document.body.append(...await pool.hashIdentifiers(['client@example.com']));",
  'the page above': fileOf('page.mjs'),
};
const FULL = 'the page above';

const BUNDLERS: Readonly<Record<string, (project: Project) => Promise<string>>> = {
  Vite: ({ run }) => run('vite/bin/vite.js', 'build'),
  webpack: ({ run }) => run('webpack-cli/bin/cli.js'),
};

interface Built {
  /** By name in the folder `dist`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly output: string;
}

const skipped = reasonForBrowser() ?? reasonToSkip(join(PACKAGES, 'vite'), join(PACKAGES, 'webpack'));
if (skipped !== undefined) console.warn(`test/installed/slow-bundlers.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('a page with the packed package', () => {
  let project: Project;
  /** `[bundler][page]` */
  const built: Record<string, Record<string, Built>> = {};

  beforeAll(async () => {
    project = await createProject();
    for (const name of ['index.html', 'webpack.config.mjs']) await writeFile(join(project.folder, name), fileOf(name));
    for (const [bundler, run] of Object.entries(BUNDLERS)) {
      built[bundler] = {};
      for (const [page, script] of Object.entries(PAGES)) {
        await writeFile(join(project.folder, 'page.mjs'), script);
        const output = await run(project);
        const folder = join(project.folder, 'dist');
        const names = await readdir(folder, { recursive: true, withFileTypes: true });
        const files = new Map<string, Uint8Array>();
        for (const entry of names.filter((one) => one.isFile())) {
          const path = join(entry.parentPath, entry.name);
          files.set(path.slice(folder.length), await readFile(path));
        }
        // webpack writes no page.
        if (!files.has('/index.html'))
          files.set('/index.html', Buffer.from(fileOf('index.html').replace('/page.mjs', '/main.js')));
        built[bundler]![page] = { files, output };
        await rm(folder, { recursive: true });
      }
    }
  });
  afterAll(() => project?.remove());

  it.each(Object.keys(BUNDLERS))('%s builds it without a warning', (bundler) => {
    for (const { output } of Object.values(built[bundler]!)) expect(output).not.toMatch(/warn|deprecat/i);
  });

  it.each(Object.keys(BUNDLERS))('built by %s, hashes on workers, and keeps its reports', async (bundler) => {
    const asked: string[] = [];
    const { origin, browser, close } = await openBrowser((request, response) => {
      const name = request.url === '/' ? '/index.html' : request.url!;
      const bytes = built[bundler]![FULL]!.files.get(name);
      asked.push(name);
      if (bytes === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', TYPES[extname(name)] ?? 'text/plain').end(bytes);
    });
    try {
      await usePage(browser, origin);
      // The script of the workers and SQLite are files of their own.
      expect(asked.filter((name) => name.endsWith('.wasm'))).not.toEqual([]);
    } finally {
      await close();
    }
  });

  it('hashes on workers and keeps its reports on the development server of Vite', async () => {
    await writeFile(join(project.folder, 'page.mjs'), PAGES[FULL]!);
    const port = await freePort();
    const stop = project.start('vite/bin/vite.js', '--port', String(port), '--strictPort', '--host', '127.0.0.1');
    const { browser, close } = await openBrowser((_, response) => response.end());
    try {
      const origin = `http://127.0.0.1:${port}`;
      const answers = (): Promise<boolean> =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        );
      await expect.poll(answers).toBe(true);
      await usePage(browser, origin);
    } finally {
      await close();
      await stop();
    }
  });

  it('has the sizes that docs/browser.md shows', async () => {
    const table = toTable(built);
    const guide = await readFile(GUIDE, 'utf8');
    const marked = /(<!-- sizes -->\n)([\s\S]*?)(<!-- \/sizes -->)/;
    if (process.env['RECORD'] === '1') {
      writeFileSync(
        GUIDE,
        guide.replace(marked, (_, start: string, __, end: string) => `${start}${table}\n${end}`),
      );
      return;
    }
    const [, , shown] = marked.exec(guide)!;
    const numbersOf = (text: string): number[] => [...text.matchAll(/(\d+\.\d) KiB/g)].map(([, kib]) => Number(kib));
    const measured = numbersOf(table);
    expect(numbersOf(shown!)).toHaveLength(measured.length);
    for (const [at, kib] of numbersOf(shown!).entries()) {
      expect(Math.abs(kib - measured[at]!) / measured[at]!, `${kib} KiB; run npm run sizes`).toBeLessThan(0.05);
    }
  });
});

/** Loads the page twice: it hashes right, and finds its first report again. */
async function usePage(browser: Browser, origin: string): Promise<void> {
  const page = await browser.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  for (const reports of [1, 2]) {
    await page.goto(`${origin}/`);
    await expect
      .poll(async () => [await page.locator('body').innerText(), ...failures].join('').trim())
      .toMatch(new RegExp(`^${KNOWN_HASH}: reports ${reports}, points [1-9]`));
  }
  expect(failures).toEqual([]);
}

/** The table of docs/browser.md: what a browser loads, compressed with gzip. */
function toTable(built: Readonly<Record<string, Readonly<Record<string, Built>>>>): string {
  const bundlers = Object.keys(BUNDLERS);
  const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
  const size = (bundler: string, page: string, ending: string): number =>
    [...built[bundler]![page]!.files]
      .filter(([name]) => name.endsWith(ending))
      .reduce((sum, [, bytes]) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  const rows = Object.keys(PAGES).map((page) => [
    `${page}: scripts`,
    ...bundlers.map((bundler) => kib(size(bundler, page, '.js'))),
  ]);
  rows.push(['the page above: WebAssembly of SQLite', ...bundlers.map((bundler) => kib(size(bundler, FULL, '.wasm')))]);
  return [['loaded, with gzip', ...bundlers], ['---', ...bundlers.map(() => '---')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
