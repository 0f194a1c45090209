import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { LANGUAGES, toSample, type Language, type SampleAction } from '../../src/service/web/samples.ts';
import { launchBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { findProgram } from '../examples/deploy.ts';
import { createProject, type Project } from '../installed/install.ts';
import { LOOKS, expectGoodLook, openLook, openToLook } from './visit.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const TEXT = `It's "half" \\ of $HOME, 100%+1 & <co> \`id\` {x} \${y} %s, zażółć 😀`;

let test: TestEngine;
let base: string;
let folder: string;
let project: Project;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redflag-samples-'));
  project = await createProject({ place: 'apart' });
  const server = await openServer();
  base = `${server.origin}/fraud`;
  test = await createTestEngine({ publicUrl: base });
  const pages = createPages(test.engine, { panel: createPanel(test.engine), playground: () => undefined });
  server.answer(createListener(test.engine, { basePath: '/fraud', pages }));
  return async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
    await project.remove();
  };
});

/** Runs a sample as a visitor does: from a file, or in a shell. Returns its output. */
const RUN: Readonly<Record<Language, (sample: string) => Promise<string>>> = {
  curl: async (sample) => (await run('sh', ['-c', sample])).stdout,
  php: (sample) => runFile('php', 'sample.php', sample),
  python: (sample) => runFile('python3', 'sample.py', sample),
  async typescript(sample) {
    // Where its first lines say.
    const [, name] = /^\/\/ First: npm install redflag\n.* Run: node (\w+\.mjs)\n/.exec(sample)!;
    const file = join(project.folder, name!);
    await writeFile(file, sample);
    return project.run(file);
  },
};

async function runFile(interpreter: string, name: string, text: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, text);
  return (await run(interpreter, [file])).stdout;
}

const PROGRAMS: Readonly<Record<Language, readonly [name: string, of: string]>> = {
  curl: ['curl', 'curl'],
  php: ['php', 'php-cli'],
  python: ['python3', 'python3'],
  typescript: ['node', 'nodejs'],
};

describe.each(Object.keys(LANGUAGES) as Language[])('the samples in %s', (language) => {
  it.skipIf(!findProgram(...PROGRAMS[language]))('report, query and delete', async () => {
    const { apiKey } = test;
    const hash = hashOf(Object.keys(LANGUAGES).indexOf(language) + 100);
    const values = { baseUrl: base, apiKey, kind: 'email', hash, type: 'fraud', text: TEXT, deletionCode: '' };
    const send = (action: SampleAction, changes = {}) =>
      RUN[language](toSample(language, action, { ...values, ...changes }));

    const reported = await send('report');
    const [, deletionCode] = /(?:deletion|X-Deletion-Code): ([0-9a-f]{16})\b/i.exec(reported) ?? [];
    expect([reported, deletionCode]).toEqual([reported, expect.any(String)]);

    const found = await send('query');
    expect(found).toMatch(
      language === 'curl' ? /^[1-9]\d*-1-\d\.\d-http/ : /^[1-9]\d* of 100 points, 1 reports, .* http/,
    );
    const [linkHash] = /[0-9a-f]{40}/.exec(found)!;
    const [report] = unwrap(await test.engine.view({ linkHash }));
    expect(report!.text).toBe(TEXT);

    expect((await send('delete', { deletionCode })).trim()).toBe(language === 'curl' ? 'OK' : 'The report is deleted.');
    expect(await send('query')).toMatch(language === 'curl' ? /^0-0-/ : /^0 of 100 points, 0 reports/);
    // A refusal is shown, not an empty result.
    const refused = await send('query', { apiKey: '0'.repeat(16) }).catch((error: Error) => error.message);
    expect(refused).toMatch(/API key/i);
  });
});

it('the samples in TypeScript have no error of types', async () => {
  const values = { baseUrl: base, apiKey: '', kind: 'email', hash: '', type: 'fraud', text: TEXT, deletionCode: '' };
  const files = ['query.mts', 'report.mts', 'delete.mts'].map((name) => join(project.folder, name));
  for (const [index, action] of (['query', 'report', 'delete'] as const).entries())
    await writeFile(files[index]!, toSample('typescript', action, values));
  await project.run(TSC, '--noEmit', '--strict', '--module', 'nodenext', ...files);
});

describe.skipIf(reasonToSkip())('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
    return () => browser.close();
  });

  describe.each([
    ['the start page', '/'],
    ['the page of the protocol', '/docs'],
    ['how points arise', '/docs/points'],
  ])('%s', (name, path) => {
    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look);
      await page.goto(base + path);
      await expectGoodLook(page, { name, look, problems });
      await close();
    });
  });

  const visible = (page: Page, action: SampleAction) => page.locator(`code[data-action="${action}"]:visible`);

  it('lists its contents one below the other, without the line of a navigation', async () => {
    const { page, close } = await openLook(browser, ['light', 'phone']);
    await page.goto(`${base}/docs`);
    const list = page.locator('.contents ul').first();
    expect(await list.evaluate((element) => getComputedStyle(element).borderBottomWidth)).toBe('0px');
    const items = list.locator('> li');
    const tops = await items.evaluateAll((all) => all.map((item) => item.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(await items.count());
    await close();
  });

  it('fills the samples with what is typed, copies them, and sends nothing', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${base}/`);
    await page.getByRole('link', { name: 'Connect your shop' }).click();
    await page.waitForURL(`${base}/docs`);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    const hash = hashOf(7);
    expect(await page.getByLabel('Base address').inputValue()).toBe(base);
    await page.getByLabel('API key').fill(test.apiKey);
    await page.getByLabel('Kind of identifier').fill('phone');
    await page.getByLabel('Hash of the identifier').fill(hash);
    await page.getByLabel('Text of the report').fill(TEXT);
    await page.getByLabel('Deletion code').fill('0123456789abcdef');
    await page.keyboard.press('Enter');
    const values = {
      baseUrl: base,
      apiKey: test.apiKey,
      kind: 'phone',
      hash,
      type: 'chargeback',
      text: TEXT,
      deletionCode: '0123456789abcdef',
    };

    for (const [language, name] of Object.entries(LANGUAGES) as [Language, string][]) {
      await page.getByRole('radio', { name }).check({ force: true });
      for (const action of ['query', 'report', 'delete'] as const)
        expect(await visible(page, action).textContent()).toBe(toSample(language, action, values));
      await page.getByRole('region', { name }).getByRole('button', { name: 'Copy' }).nth(1).click();
      // The browser writes to the clipboard after the click has returned.
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toBe(toSample(language, 'report', values));
    }
    expect(requests).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length)).toBe(0);
    await page.reload();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(problems).toEqual([]);
    await close();
  });

  it('shows placeholders and all languages without script', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'phone'], { javaScriptEnabled: false });
    await page.goto(`${base}/docs`);
    expect(await page.getByLabel('API key').isVisible()).toBe(false);
    for (const [language, name] of Object.entries(LANGUAGES)) {
      await page.locator(`label[for="in-${language}"]`).click();
      expect(await page.getByRole('region', { name }).isVisible()).toBe(true);
      expect(await visible(page, 'query').textContent()).toContain('<API key>');
    }
    expect(problems).toEqual([]);
    await close();
  });
});
