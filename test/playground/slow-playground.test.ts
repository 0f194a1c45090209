import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { createPlayground } from '../../src/service/playground/part.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { toFragment } from '../../src/service/playground/scenario.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { parseForm } from '../../src/protocol.ts';
import { openBrowser, openServer, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine } from '../engine/setup.ts';
import { LOOKS, SIZES, expectGoodLook, listen, openLook } from '../web/visit.ts';
import { FOLDER, serveFolder } from './served.ts';
import { visitorOf } from './visitor.ts';
import { createVisits } from './visits.ts';

const PREFIX = '/some/where/';

describe.skipIf(reasonToSkip())('the playground, from its built files and without a network once it is loaded', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  let address: string;

  beforeAll(async () => {
    opened = await openBrowser(serveFolder(PREFIX));
    address = opened.origin + PREFIX;
  });
  afterAll(() => opened?.close());
  const visits = createVisits(
    () => opened.browser,
    () => `${address}playground.css`,
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  beforeEach(async () => {
    ({ context, page, problems } = await visits.begin());
  });
  afterEach(async ({ task }) => {
    await visits.end(task.result?.state === 'fail');
    expect(problems).toEqual([]);
  });

  const open = async (fragment = ''): Promise<void> => {
    await page.goto(address + fragment);
    await ready();
    if (fragment === '') await empty();
    await context.setOffline(true);
  };
  const reload = async (): Promise<void> => {
    await context.setOffline(false);
    await page.reload();
    await ready();
    await context.setOffline(true);
  };
  const { ready, go, unfold, empty, press, message, figure, stored, report } = visitorOf(() => page);

  it('normalises and hashes what is typed, and copies the hash', async () => {
    await open();
    const expected = hashIdentifierSync('client@example.com');
    const first = page.getByRole('group', { name: 'Identifier 1' });
    await expect.poll(() => first.locator('.hash').innerText()).toBe(expected);
    expect(await first.innerText()).toMatch(/Normalised\s+client@example\.com/);
    expect(await first.innerText()).toMatch(/[\d,]+ rounds a second/);
    expect(page.workers().map((worker) => new URL(worker.url()).pathname)).toContain(`${PREFIX}hash-worker.js`);
    await first.getByRole('button', { name: 'Copy hash' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(expected);
    await first.getByLabel('Value').fill('  ');
    expect(await first.innerText()).toContain('Nothing to hash: the identifier is empty after normalisation.');
    await first.getByLabel('Value').fill('unknown');
    expect(await first.innerText()).toContain('This value is no identifier: it stands for no value.');
    await first.getByLabel('Value').fill('B@X.example');
    await expect.poll(() => first.locator('.hash').innerText()).toBe(hashIdentifierSync('b@x.example'));
  });

  it('files reports, answers a query, explains it, and deletes a report with its code', async () => {
    await open();
    await report('North Shop');
    await report('Harbour Hotel', 'fraud');
    await go('Ask');
    await expect.poll(() => figure('reported')).toBe(2);
    expect(await figure('points')).toBeGreaterThan(20);
    expect(await page.locator('.answer .bars > li').count()).toBe(2);
    await press('Ask');
    await expect.poll(message).toBe('The service answered.');
    expect(await page.getByText('Last reply:').innerText()).toMatch(
      /\d+-2-\d+\.\d-https:\/\/reports\.example\/report\/[0-9a-f]{40}/,
    );
    await go('Report');
    expect(await page.getByRole('heading', { name: 'Stored: 2 reports' }).count()).toBe(1);
    await unfold(/by Harbour Hotel/);
    await press(/^Delete with its code/);
    await expect.poll(message).toBe('The report is deleted.');
    expect(await stored('Stored: 1 report')).toBe(1);
  });

  it('shows why a report is refused, and leaves out an identifier without a valid kind', async () => {
    await open();
    await page.getByRole('group', { name: 'Identifier 2' }).getByLabel('Kind').fill('phöne');
    expect(await page.getByText('This identifier is left out.').count()).toBe(1);
    await go('Report');
    await expect
      .poll(() => page.locator('#reports .subject').innerText())
      .toContain('The person: email Client@Example.com.');
    await page.getByLabel('Public text').fill('Write to mallory@example.com');
    await press('File the report');
    await expect.poll(message).toMatch(/^The service refused the report: ERROR: /);
    expect(await page.locator('.notice.bad').innerText()).not.toContain('mallory');
    expect(await page.getByRole('heading', { name: 'No reports yet' }).count()).toBe(1);
    await page.getByLabel('Public text').fill('Paid with a stolen card.');
    await press('File the report');
    await expect.poll(message).toBe('North Shop reported the person.');
    expect(await page.locator('.notice.bad').count()).toBe(0);
  });

  it('keeps reports over a reload, and shows a second tab why it keeps none', async () => {
    await open();
    await report('North Shop');
    await reload();
    await go('Report');
    expect(await page.getByRole('heading', { name: 'Stored: 1 report' }).count()).toBe(1);
    await context.setOffline(false);
    const other = await context.newPage();
    await other.goto(address);
    await other.locator('[data-ready]').waitFor();
    expect(await other.getByText('open in another tab').count()).toBe(1);
    expect(await other.getByRole('heading', { name: 'Stored: 12 reports' }).count()).toBe(1);
  });

  it('exports a file, starts over, and imports it again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redflag-playground-'));
    try {
      await open();
      await report('North Shop');
      const download = page.waitForEvent('download');
      await press('Export the file');
      const file = join(folder, 'kept.sqlite');
      await (await download).saveAs(file);
      expect((await readFile(file)).subarray(0, 15).toString()).toBe('SQLite format 3');
      await press('Start over');
      await press('Delete all reports');
      await expect.poll(() => page.getByRole('heading', { name: 'No reports yet' }).count()).toBe(1);
      await page
        .getByLabel('Import a file')
        .setInputFiles({
          name: 'wrong.sqlite',
          mimeType: 'application/vnd.sqlite3',
          buffer: Buffer.from('not a database'),
        });
      await expect.poll(message).toMatch(/^The file was not loaded\. ./);
      await page.getByLabel('Import a file').setInputFiles(file);
      await expect.poll(() => page.getByRole('heading', { name: 'Stored: 1 report' }).count()).toBe(1);
      await reload();
      await go('Ask');
      await expect.poll(() => figure('reported')).toBe(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('shows the exact request and reply, and copies a command for curl', async () => {
    await open();
    await report('South Shop', 'fraud');
    await go('Requests');
    const [request, reply] = await page.locator('#requests pre').allInnerTexts();
    const hash = hashIdentifierSync('client@example.com');
    const [head, body] = request!.split('\n\n');
    expect(head).toMatch(/^POST \/api\/ HTTP\/1\.1\nHost: reports\.example\nContent-Type: application\/x-www-form/);
    expect(head).toContain(`Content-Length: ${body!.length}`);
    const form = parseForm(new URLSearchParams(body));
    expect(form).toMatchObject({ ok: true, value: { action: 'report', type: 'fraud', severity: 6 } });
    expect(form.ok && 'identifiers' in form.value && form.value.identifiers[0]).toEqual({ kind: 'email', hash });
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\n[\s\S]*X-Deletion-Code: [0-9a-f]{16}\n[\s\S]*\nOK$/);
    await press('Copy request 1 for curl');
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toMatch(/^curl -s 'https:\/\/reports\.example\/api\/' \\\n {2}--data-urlencode '_action=report'/);
    expect(curl).toContain(`--data-urlencode 'email=${hash}'`);
  });

  it('moves points, reliability and explanation with the constants, and compares models', async () => {
    await open();
    await report('North Shop');
    await go('Ask');
    await unfold('Change the model');
    await expect.poll(() => figure('reported')).toBe(1);
    const before = { points: await figure('points'), reliability: await figure('reliability') };
    const models = page.locator('tbody tr');
    const model = (name: string) => models.filter({ hasText: name }).innerText();
    await expect.poll(() => models.count()).toBe(4);
    expect(await models.filter({ hasText: 'Default model' }).count()).toBe(0);
    await page.getByLabel('Verified reporters are right').fill('0.3');
    await expect.poll(() => figure('points')).toBeLessThan(before.points);
    await expect.poll(() => figure('reliability')).toBeLessThan(before.reliability);
    expect(await page.getByText('right with a probability of 0.3').count()).toBe(1);
    await expect.poll(async () => (await model('Your model')).includes(`${await figure('points')}`)).toBe(true);
    expect(await model('Default model')).toContain(`${before.points}`);
    expect(await models.count()).toBe(5);
    await press('Reset to the defaults');
    await expect.poll(() => figure('points')).toBe(before.points);
    await page.getByLabel('Days from now').fill('1460');
    await expect.poll(() => figure('points')).toBeLessThan(before.points);
    expect(await page.locator('.answer .bars').innerText()).toMatch(/\d points faded with age\.$/);
    await page.getByRole('button', { name: 'Reset to the defaults' }).click();
    await go('Ask');
    await expect.poll(() => figure('points')).toBe(before.points);
  });

  it('simulates a world offline, loads it, and asks about its customers', async () => {
    await open();
    await go('Simulate');
    await press('Simulate');
    await expect.poll(message).toBe('The world is simulated.');
    const scores = await page.locator('#world .bars b').allInnerTexts();
    expect(scores.length).toBe(4);
    expect(Number(scores[0])).toBeGreaterThan(Number(scores[2]));
    await press('Load the world into the engine');
    await expect.poll(message).toMatch(/^The world is loaded/);
    await press('Customer 1, a fraudster');
    await expect.poll(() => figure('reported')).toBeGreaterThan(0);
    await go('Report');
    expect(await page.getByRole('heading', { name: /^Stored: \d{3} reports$/ }).count()).toBe(1);
  });

  it('shares a scenario by a link, with hashes only unless the visitor agrees', async () => {
    await open();
    await report('North Shop');
    await report('Harbour Hotel', 'fraud');
    await go('Ask');
    await unfold('Change the model');
    await expect.poll(() => figure('reported')).toBe(2);
    const before = await figure('points');
    await page.getByLabel('New reporters are right').fill('0.5');
    await expect.poll(() => figure('points')).toBeGreaterThan(before);
    const points = await figure('points');
    await go('Share and keep');
    const link = page.getByLabel(/^Link, /);
    // Until the link is made anew, the page shows an earlier one.
    await page.getByText('Reports in the link: 2 of 2.').waitFor();
    const address = await link.inputValue();
    const shared = Buffer.from(address.split('#s1.')[1]!, 'base64url').toString();
    expect(shared).not.toMatch(/client/i);
    expect(shared).toContain(hashIdentifierSync('client@example.com'));
    await page.getByLabel(/Include what I typed/).check();
    await expect.poll(() => link.inputValue()).not.toBe(address);
    const typed = Buffer.from((await link.inputValue()).split('#s1.')[1]!, 'base64url').toString();
    expect(typed).toContain('Client@Example.com');

    const other = await opened.browser.newContext();
    page = await other.newPage();
    const found = listen(page, 'document');
    await page.goto(address);
    await ready();
    await expect
      .poll(() => page.locator('.offer').innerText())
      .toContain('This link holds a scenario: 2 reports by 2 reporters');
    expect(await stored('Stored: 12 reports')).toBe(1);
    await press('Open the scenario');
    await expect.poll(message).toBe('The scenario is open.');
    await expect.poll(() => figure('reported')).toBe(2);
    await expect.poll(() => figure('points')).toBe(points);
    await expect.poll(() => new URL(page.url()).hash).toBe('#ask?precision.newKey=0.5');
    expect(found).toEqual([]);
    await other.close();
  });

  it('says that a wrong link is not valid, and goes on', async () => {
    await open('#s1.bm9uc2Vuc2U');
    for (const fragment of ['', '#s0.W10', '#s1.%3Cscript%3E', `#s1.${'A'.repeat(20_000)}`]) {
      if (fragment !== '') await page.evaluate((hash) => (location.hash = hash), fragment);
      await expect
        .poll(() => page.getByRole('alert').allInnerTexts())
        .toEqual([expect.stringMatching(/^The link is not valid: [a-z ]+\.$/)]);
      await press('Ignore it');
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      expect(new URL(page.url()).hash).toBe('');
    }
  });

  it('runs where a service has it, under its policy and without a slash', async () => {
    const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
    const pages = createPages(engine, { playground: createPlayground(pathToFileURL(`${FOLDER}/`)) });
    const service = await openServer(createListener(engine, { basePath: '/fraud', pages }));
    try {
      const first = await page.goto(`${service.origin}/fraud/playground`);
      expect(first!.headers()['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
      await ready();
      await empty();
      await context.setOffline(true);
      await report('Corner Kiosk');
      await go('Ask');
      await expect.poll(() => figure('reported')).toBe(1);
      await go('Simulate');
      await press('Simulate');
      await expect.poll(message).toBe('The world is simulated.');
      // WebAssembly works in the worker, so the policy of its script allows it.
      expect(await page.locator('#world .bars > li').count()).toBe(4);
    } finally {
      await service.close();
    }
  });

  it('says why it cannot start', async () => {
    await page.route('**/sql-wasm.bin', (route) => route.fulfill({ status: 404 }));
    await page.goto(address);
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('The database engine could not be loaded.');
    expect(problems.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  it('shows what a stranger wrote in a link, and runs none of it', async () => {
    const evil = '<img src=x onerror=alert(1)><script>document.title="run"</script>';
    const hash = hashIdentifierSync('client@example.com');
    const identifiers = [{ kind: 'email', hash }];
    await open(
      toFragment({
        person: [{ kind: 'email', value: evil }, ...identifiers],
        reporters: [{ name: evil.slice(0, 30), verified: true }],
        reports: [{ reporter: 0, type: 'fraud', severity: 9, text: evil, minutesAgo: 90, identifiers }],
        changes: {},
        daysFromNow: 0,
      }),
    );
    await press('Open the scenario');
    await expect.poll(() => figure('reported')).toBe(1);
    await unfold(/^fraud by/i);
    expect(await page.locator('.said').innerText()).toBe(evil);
    expect(await page.title()).toBe('redflag playground');
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it('has an example on arrival, with a fraudster and an honest customer', async () => {
    await page.goto(address);
    await ready();
    await expect.poll(() => figure('reported')).toBe(10);
    expect(await figure('points')).toBeGreaterThan(50);
    expect(await stored('Stored: 12 reports')).toBe(1);
    await press('Honest customer');
    await expect.poll(() => figure('reported')).toBe(2);
    expect(await figure('points')).toBeLessThan(20);
    await unfold('nonpayment');
    await press(/^Delete with its code/);
    await expect.poll(message).toBe('The report is deleted.');
    await page.reload();
    await ready();
    expect(await stored('Stored: 11 reports')).toBe(1);
    await empty();
    await page.reload();
    await ready();
    expect(await stored('No reports yet')).toBe(1);
    await press('Load the example');
    await expect.poll(() => stored('Stored: 12 reports')).toBe(1);
    await go('Ask');
    await expect.poll(() => figure('reported')).toBe(10);
  });

  it('keeps section, unfolded rows, customer and settings in the address, and nothing typed', async () => {
    await page.goto(address);
    await ready();
    await press('Honest customer');
    await unfold('Change the model');
    await page.getByLabel('New reporters are right').fill('0.5');
    await page.getByLabel('Days from now').fill('30');
    await page.getByRole('combobox', { name: 'World' }).selectOption({ index: 1 });
    await unfold('stolen card');
    await go('Simulate');
    const current = page.locator('nav [aria-current]');
    await expect.poll(() => current.innerText()).toBe('Simulate');
    const hash = (): string => new URL(page.url()).hash;
    await expect.poll(hash).toMatch(/^#world\?open=model\.r12&customer=2&days=30&world=[\w-]+&precision\.newKey=0\.5$/);
    const kept = hash();
    await page.reload();
    await ready();
    await expect.poll(() => current.innerText()).toBe('Simulate');
    const heading = page.getByRole('heading', { name: 'A simulated world' });
    expect(await heading.evaluate((it) => it.getBoundingClientRect().top < innerHeight)).toBe(true);
    expect(await page.locator('details[open] > summary').allInnerTexts()).toHaveLength(2);
    expect(await page.getByLabel('New reporters are right').inputValue()).toBe('0.5');
    expect(await page.getByLabel('Days from now').inputValue()).toBe('30');
    expect(await page.getByRole('button', { name: 'Honest customer' }).getAttribute('aria-pressed')).toBe('true');
    expect(hash()).toBe(kept);
    await page.getByRole('group', { name: 'Identifier 1' }).getByLabel('Value').fill('jane@x.example');
    // The browser may scroll to the field, and so to its section.
    const settings = (of: string): string => of.slice(of.indexOf('?'));
    await expect.poll(() => settings(hash())).toBe(settings(kept.replace('customer=2&', '')));
  });

  it('computes what a section shows when the section comes near', async () => {
    await page.setViewportSize({ width: 1200, height: 400 });
    await page.goto(address);
    await ready();
    await expect.poll(() => figure('reported')).toBe(10);
    expect(await page.getByLabel(/^Link, /).count()).toBe(0);
    expect(await page.locator('table').count()).toBe(0);
    await go('Share and keep');
    await expect.poll(() => page.getByLabel(/^Link, /).count()).toBe(1);
  });

  it('moves between its sections with the keyboard, and from a menu on a phone', async () => {
    await page.goto(address);
    await ready();
    const link = page.getByRole('link', { name: 'Requests' });
    await link.focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await expect.poll(focused).toBe('requests');
    await page.setViewportSize(SIZES.phone);
    await page.getByRole('button', { name: /^Sections: / }).focus();
    expect(await link.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await link.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await link.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('ask');
    expect(await link.isVisible()).toBe(false);
  });

  it('has inputs and hints in normal weight, a legend in one line, and faded parts that are visible', async () => {
    await open();
    const style = (selector: string, name: 'fontWeight' | 'display' | 'opacity') =>
      page
        .locator(selector)
        .first()
        .evaluate((element, of) => getComputedStyle(element)[of], name);
    expect(await style('.identifier input', 'fontWeight')).toBe('400');
    await report('North Shop');
    await go('Simulate');
    expect(await style('.field > .hint', 'fontWeight')).toBe('400');
    await go('Ask');
    await unfold('Change the model');
    await page.getByLabel('Days from now').fill('365');
    // A slider draws the list again, and a list that is gone has no style.
    await expect.poll(() => style('.swatches li', 'display')).toBe('flex');
    expect(await style('rect.faded', 'opacity')).toBe('1');
  });

  it('is accessible and fits the screen, with everything open, in every look', async () => {
    const {
      page: looked,
      problems: found,
      close,
    } = await openLook(opened.browser, LOOKS[0]!, { bypassCSP: true, policyIn: 'document' });
    page = looked;
    await open();
    await report('North Shop');
    await report('Corner Kiosk', 'fraud');
    await go('Ask');
    await unfold('Change the model');
    await page.locator('table').first().waitFor();
    await page.locator('.answer .bars').waitFor();
    await unfold(/by Corner Kiosk/);
    await press('Simulate');
    await expect.poll(message).toBe('The world is simulated.');
    await go('Share and keep');
    await page.getByLabel(/^Link, /).waitFor();
    for (const look of LOOKS) {
      await page.emulateMedia({ colorScheme: look[0] });
      await page.setViewportSize(SIZES[look[1]]);
      await expectGoodLook(page, { name: 'playground', look, problems: found });
    }
    await page.getByRole('button', { name: /^Sections: / }).click();
    await expectGoodLook(page, { name: 'playground-menu', look: LOOKS.at(-1)!, problems: found });
    await close();
  });
});
