import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../budget.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { LOOKS, SIZES, expectGoodLook, findViolations, isStrict, openLook } from '../web/visit.ts';
import { ROOT } from './terminal.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};
const PREFIX = '/any/path/';
/** One page of each sort: start, index, guide with wide tables, charts, decision, door, type. */
const PAGES = [
  'index.html',
  'documents/index.html',
  'documents/monitoring.html',
  'documents/speed.html',
  'documents/decisions/0055-generated-contract-and-reference.html',
  'modules/redflag_client.html',
  'interfaces/redflag_client.ClientOptions.html',
];
/** Names of the reference with long words in headings, signatures and types. */
const NAMES = ['interfaces/redflag.Engine.html', 'variables/redflag_scoring.LINK_CLAIM_CONSTANTS.html'];

/** What an engineer of a shop types, and the first result. */
const SEARCHES: readonly (readonly [query: string, page: string])[] = [
  ['orders', 'documents/orders.html'],
  ['false positive', 'documents/lab.html'],
  ['hash email', 'documents/hashing.html'],
  ['phone number', 'documents/hashing.html'],
  ['nginx', 'documents/deploying.html'],
  ['docker', 'documents/deploying.html'],
  ['postgres', 'documents/failover.html'],
  ['webhook', 'documents/webhooks.html'],
  ['reliability', 'documents/scoring.html'],
  ['monitoring', 'documents/monitoring.html'],
  ['createFetchHandler', 'functions/redflag_http.createFetchHandler.html'],
  ['measureBlocking', 'functions/redflag_lab.measureBlocking.html'],
];

/** One page in five, and under `npm run test:long` every one: the pages of a kind have one template. */
const isTried = (_: string, at: number): boolean => isLong || at % 5 === 0;

let site: string;
beforeAll(async () => {
  site = await mkdtemp(join(tmpdir(), 'redflag-site-'));
  const program = join(ROOT, 'node_modules/typedoc/bin/typedoc');
  const args = ['--options', 'scripts/site/typedoc.config.mjs', '--out', site];
  await promisify(execFile)(process.execPath, [program, ...args], { cwd: ROOT });
});
afterAll(() => rm(site, { recursive: true, force: true }));

/** Every file of the site, by its path within it. */
const listFiles = async (): Promise<string[]> =>
  (await readdir(site, { recursive: true })).map((name) => name.replaceAll('\\', '/'));

/** Serves the folder as any web server does. */
const serve: RequestListener = async (request, response) => {
  const path = normalize(decodeURIComponent((request.url ?? '').replace(/[?#].*$/, '')));
  const type = TYPES[extname(path)];
  const bytes =
    path.startsWith(PREFIX) && type
      ? await readFile(join(site, path.slice(PREFIX.length))).catch(() => undefined)
      : undefined;
  response.writeHead(bytes ? 200 : 404, { 'Content-Type': type ?? 'text/plain' }).end(bytes);
};

describe('the documentation site', () => {
  it('has no link to a page, a heading or a file that does not exist', async () => {
    const files = new Set(await listFiles());
    const pages = [...files].filter((name) => name.endsWith('.html'));
    const html = new Map(
      await Promise.all(pages.map(async (name) => [name, await readFile(join(site, name), 'utf8')] as const)),
    );
    const ids = new Map(
      pages.map((name) => [name, new Set([...html.get(name)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))]),
    );
    const dead = new Set<string>();
    for (const [name, text] of html)
      for (const [, link] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(link!)) continue;
        const [path = '', anchor = ''] = link!.replaceAll('&amp;', '&').split('#');
        const target = path === '' ? name : normalize(join(dirname(name), decodeURIComponent(path)));
        const isAlive =
          files.has(target) && (anchor === '' || !ids.has(target) || ids.get(target)!.has(decodeURIComponent(anchor)));
        if (!isAlive) dead.add(`${name} → ${link}`);
      }
    expect([...dead]).toEqual([]);
    // A guide that docs/README.md does not list would be a file of text.
    expect([...html].filter(([, text]) => /href="[^"]*\.md\.txt/.test(text)).map(([name]) => name)).toEqual([]);
    expect(pages.length).toBeGreaterThan(300);
  });

  it('has every guide, every decision, the protocol and every door', async () => {
    const names = async (folder: string): Promise<string[]> =>
      (await readdir(join(ROOT, folder))).filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
    const { exports } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
    const doors = Object.keys(exports).filter((door) => !/json$|-worker$/.test(door));
    const expected = [
      ...(await names('docs')).map((name) => `documents/${name.replace('README', 'index')}.html`),
      ...(await names('docs/decisions')).map((name) => `documents/decisions/${name.replace('README', 'index')}.html`),
      ...doors.map((door) => `modules/redflag${door.slice(1).replace('/', '_')}.html`),
    ];
    expect(expected).toEqual(expect.arrayContaining(['documents/protocol.html', 'modules/redflag_client.html']));
    const files = new Set(await listFiles());
    expect(expected.filter((name) => !files.has(name))).toEqual([]);
  });

  it('has a chart for each benchmark', async () => {
    for (const [name, least] of [
      ['speed', 10],
      ['scale', 1],
    ] as const) {
      const text = await readFile(join(site, `documents/${name}.html`), 'utf8');
      expect(text.match(/<figure class="chart">/g)!.length).toBeGreaterThanOrEqual(least);
    }
  });

  it('has no script, style or handler within any page, and a strict policy in each', async () => {
    const INSIDE = /<script(?![^>]* src=)|<style|<[a-z][^<>]*\s(?:style|on\w+)=/;
    const POLICY =
      /http-equiv="Content-Security-Policy" content="(default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[^']+';[^"]*)"/;
    const pages = (await listFiles()).filter((name) => name.endsWith('.html'));
    const faults: string[] = [];
    for (const name of pages) {
      const text = await readFile(join(site, name), 'utf8');
      const [inside] = INSIDE.exec(text) ?? [];
      if (inside !== undefined) faults.push(`${name}: ${inside}`);
      const [, policy = ''] = POLICY.exec(text) ?? [];
      if (!isStrict(policy)) faults.push(`${name} has the policy ${policy}`);
    }
    expect(faults).toEqual([]);
    expect(pages.length).toBeGreaterThan(300);
  });
});

describe.skipIf(reasonToSkip())('the documentation site in chromium', () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  beforeAll(async () => {
    browser = await openBrowser(serve);
  });
  afterAll(() => browser.close());
  const to = (page: string): string => `${browser.origin}${PREFIX}${page}`;

  it.each(LOOKS)('is accessible, in %s on a %s', async (...look) => {
    const { page, problems, close } = await openLook(browser.browser, look, { bypassCSP: true, policyIn: 'document' });
    for (const name of PAGES) {
      await page.goto(to(name), { waitUntil: 'networkidle' });
      await expectGoodLook(page, { name: name.replaceAll('/', '-'), look, problems });
    }
    await close();
  });

  it('is accessible on its guides', async () => {
    const { page, problems, close } = await openLook(browser.browser, ['light', 'desktop'], {
      bypassCSP: true,
      policyIn: 'document',
    });
    const guides = (await listFiles()).filter((name) => /^documents\/[^/]+\.html$/.test(name));
    expect(guides.length).toBeGreaterThan(20);
    const violations: string[] = [];
    for (const name of guides.filter(isTried)) {
      await page.goto(to(name));
      violations.push(...(await findViolations(page)).map((violation) => `${name}: ${violation}`));
    }
    expect(violations).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  // Without scripts, which change no width, a page takes half the time.
  it('fits a phone: guides, modules and some names', async () => {
    const { page, close } = await openLook(browser.browser, ['light', 'phone'], { javaScriptEnabled: false });
    const guidesAndModules = (await listFiles()).filter((name) => /^(?:documents|modules)\/.*\.html$/.test(name));
    expect(guidesAndModules.length).toBeGreaterThan(100);
    const wide: string[] = [];
    for (const name of [...guidesAndModules.filter(isTried), ...NAMES]) {
      await page.goto(to(name));
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      if (width > SIZES.phone.width) wide.push(`${name}: ${width}`);
    }
    expect(wide).toEqual([]);
    await close();
  });

  it('has no column of single words beside long names', async () => {
    const { page, close } = await openLook(browser.browser, ['light', 'desktop']);
    await page.goto(to('documents/monitoring.html'), { waitUntil: 'networkidle' });
    const widths = await page
      .locator('.table td')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.textContent!.length > 60).map((cell) => Math.round(cell.clientWidth)),
      );
    expect(widths.length).toBeGreaterThan(5);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(200);
    const scrolled = await page
      .locator('.table')
      .evaluateAll((tables) => tables.filter((table) => table.scrollWidth > table.clientWidth).length);
    expect(scrolled).toBe(0);
    await close();
  });

  it('puts guides before names of the reference in its search, and an exact name first', async () => {
    const { page, problems, close } = await openLook(browser.browser, ['light', 'desktop'], { policyIn: 'document' });
    await page.goto(to('documents/index.html'), { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Search' }).click();
    const found: [string, string][] = [];
    for (const [query] of SEARCHES) {
      const before = await page.locator('#tsd-search-results').innerHTML();
      await page.getByRole('combobox').fill(query);
      await page.waitForFunction(
        (old) => ![old, ''].includes(document.querySelector('#tsd-search-results')!.innerHTML),
        before,
      );
      const link = page.getByRole('option').first().getByRole('link');
      found.push([query, (await link.getAttribute('href'))!.replace(/^.*?(documents|functions)\//, '$1/')]);
    }
    expect(found).toEqual(SEARCHES);
    expect(problems).toEqual([]);
    await close();
  });

  it('runs under its policy: search, copy, theme and the menu of a phone', async () => {
    const { page, problems, close } = await openLook(browser.browser, ['light', 'phone'], {
      permissions: ['clipboard-read', 'clipboard-write'],
      policyIn: 'document',
    });
    await page.goto(to('documents/embedding.html'), { waitUntil: 'networkidle' });

    const first = page.locator('pre').first();
    await first.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.trim()).toBe((await first.locator('code').innerText()).trim());

    const menu = page.getByRole('button', { name: 'Menu' });
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await menu.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Operating' }).waitFor();
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    await page.locator('#tsd-theme').evaluate((select: HTMLSelectElement) => {
      select.value = 'dark';
      select.dispatchEvent(new Event('change'));
    });
    await page.reload({ waitUntil: 'networkidle' });
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');

    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('nginx');
    await page.getByRole('option', { name: 'Deploying' }).getByRole('link').click();
    await page.waitForURL(/documents\/deploying\.html/);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox').fill('createFetchHandler');
    await page.getByRole('option', { name: 'createFetchHandler' }).first().getByRole('link').click();
    await page.waitForURL(/functions\/redflag_http\.createFetchHandler\.html/);
    expect(problems).toEqual([]);
    await close();
  });
});
