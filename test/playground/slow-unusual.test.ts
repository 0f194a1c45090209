import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashIdentifierSync } from '../../src/hash.ts';
import { toFragment } from '../../src/service/playground/scenario.ts';
import { SLIDERS, defaultOf } from '../../src/service/playground/what-if.ts';
import { openBrowser, reasonToSkip, startChromium } from '../browser/chromium.ts';
import { SIZES, listen } from '../web/visit.ts';
import { fileWith } from './many-reports.ts';
import { serveFolder } from './served.ts';
import { visitorOf } from './visitor.ts';
import { createVisits } from './visits.ts';

describe.skipIf(reasonToSkip())('the playground in unusual conditions', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  const { ready, go, unfold, empty, press, message, figure, stored, report } = visitorOf(() => page);

  beforeAll(async () => {
    opened = await openBrowser(serveFolder('/'));
  });
  afterAll(() => opened?.close());
  const visits = createVisits(
    () => opened.browser,
    () => `${opened.origin}/playground.css`,
  );
  beforeEach(async () => {
    ({ context, page, problems } = await visits.begin());
  });
  afterEach(async ({ task }) => {
    await visits.end(task.result?.state === 'fail');
    expect(problems).toEqual([]);
  });
  const beginAlone = async (...options: Parameters<typeof visits.beginAlone>): Promise<void> => {
    ({ context, page, problems } = await visits.beginAlone(...options));
  };
  const open = async (fragment = ''): Promise<void> => {
    await page.goto(`${opened.origin}/${fragment}`);
    await ready();
    if (fragment === '') await empty();
  };
  const importFile = async (buffer: Buffer): Promise<void> => {
    await go('Share and keep');
    await page
      .getByLabel('Import a file')
      .setInputFiles({ name: 'reports.sqlite', mimeType: 'application/vnd.sqlite3', buffer });
  };

  it('files and deletes reports where the browser forbids storage', async () => {
    await beginAlone();
    await page.addInitScript(() => {
      const deny = (): never => {
        throw new DOMException('denied', 'SecurityError');
      };
      Object.defineProperty(globalThis, 'localStorage', { get: deny });
      IDBFactory.prototype.open = deny;
    });
    await open();
    await report('North Shop');
    expect(await page.getByText('This browser keeps no data of this page.').count()).toBe(1);
    await unfold(/by North Shop/);
    await press(/^Delete with its code [0-9a-f]{16}$/);
    await expect.poll(message).toBe('The report is deleted.');
    expect(await stored('No reports yet')).toBe(1);
  });

  it('holds an imported file in memory if the browser has no room for it', async () => {
    // A quota binds only a browser that keeps data.
    const folder = await mkdtemp(join(tmpdir(), 'redflag-full-'));
    const kept = await startChromium(folder);
    try {
      context = kept.context;
      page = await context.newPage();
      problems = listen(page, 'document');
      const session = await context.newCDPSession(page);
      // Before the page opens: the browser looks at its room only from time to time.
      await session.send('Storage.overrideQuotaForOrigin', { origin: opened.origin, quotaSize: 500_000 });
      await open();
      await report('North Shop');
      await importFile(await fileWith(3_000));
      await expect.poll(message, { timeout: 60_000 }).toBe('The file is loaded.');
      expect(await page.getByText('The browser has no room for these reports.').count()).toBe(1);
      expect(await stored('Stored: 3000 reports')).toBe(1);
      await report('South Shop', 'fraud');
      expect(await stored('Stored: 3001 reports')).toBe(1);
      await page.reload();
      await ready();
      await go('Report');
      expect(await stored('Stored: 12 reports')).toBe(1);
    } finally {
      await kept.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('says why it loads no broken file, and keeps the reports', async () => {
    const file = await fileWith(20);
    const changed = Buffer.from(file);
    changed.write('REPORT', changed.indexOf('Report 7.'));
    await open();
    await report('North Shop');
    for (const [broken, reason] of [
      [Buffer.alloc(0), 'The file does not come from a playground: it is empty or belongs to another secret.'],
      [file.subarray(0, file.length / 2), 'The bytes are not a SQLite database.'],
      [Buffer.alloc(9000), 'The bytes are not a SQLite database.'],
      [changed, 'The file is damaged.'],
    ] as const) {
      await importFile(Buffer.from(broken));
      await expect.poll(message).toBe(`The file was not loaded. ${reason}`);
      expect(await stored('Stored: 1 report')).toBe(1);
    }
  });

  it('deletes only its own reports in a second tab, also once the first is closed', async () => {
    await open();
    await report('North Shop');
    const first = page;
    page = await context.newPage();
    await open();
    await report('South Shop');
    await first.close();
    await press('Start over');
    await press('Delete all reports');
    await expect.poll(message).toBe('All reports are deleted.');
    expect(await stored('No reports yet')).toBe(1);
    await page.reload();
    await ready();
    await go('Report');
    expect(await page.locator('.report').innerText()).toContain('North Shop');
    expect(await page.locator('.report').count()).toBe(1);
  });

  it('shows that a worker has failed, and hashes with a new one', async () => {
    await beginAlone();
    await page.addInitScript(() => {
      const post = Worker.prototype.postMessage;
      let failures = 2;
      Worker.prototype.postMessage = function (this: Worker, request: { id: number }) {
        if (request.id < 0 || failures-- <= 0) return post.call(this, request);
        return void setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })));
      } as typeof post;
    });
    await open();
    await expect.poll(() => page.getByRole('alert').count()).toBe(2);
    expect(await page.getByRole('alert').first().innerText()).toContain('The worker ended');
    await press('Try again');
    await expect.poll(() => page.locator('.hash').allInnerTexts()).toEqual([hashIdentifierSync('client@example.com')]);
    expect(await page.getByRole('alert').count()).toBe(1);
  });

  it('stores the same report once, and says so', async () => {
    await open();
    await report('North Shop');
    await press('File the report');
    await expect.poll(message).toMatch(/^North Shop has filed this report already\./);
    expect(await stored('Stored: 1 report')).toBe(1);
  });

  it('says times in UTC, kinds and offences in words', async () => {
    await beginAlone({ timezoneId: 'Pacific/Auckland' });
    await open();
    await report('North Shop', 'stolen_card');
    await unfold(/by North Shop/);
    expect(await page.locator('.report h4').innerText()).toMatch(/^stolen card$/i);
    const at = await page.locator('.report p time').getAttribute('datetime');
    const hours = at!.slice(11, 16);
    // The facts follow the summary, which says the day only.
    const facts = page.locator('.report .quiet').last();
    await expect
      .poll(() => facts.innerText())
      .toMatch(new RegExp(`^North Shop, \\d+ \\w+ \\d{4} at ${hours} UTC, by email and phone number$`));
    expect(await page.getByLabel('Offence').locator('option').allInnerTexts()).toContain('account takeover');
  });

  it('covers no control with a message, and shows the next section from its top', async () => {
    await page.setViewportSize(SIZES.phone);
    await open();
    await report('North Shop');
    const covered = await page.evaluate(() =>
      [...document.querySelectorAll('form :is(input, select, textarea, button)')].filter((control) => {
        control.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = control.getBoundingClientRect();
        return !control.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      }),
    );
    expect(covered).toEqual([]);
    await press('See the answer');
    const heading = page.getByRole('heading', { name: 'Ask about a customer' });
    await expect.poll(() => heading.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('ask');
  });

  it('moves the answer with every slider', async () => {
    const [email, phone, ip] = ['email', 'phone', 'ip'].map((kind) => ({ kind, hash: hashIdentifierSync(kind) }));
    const person = [email!, phone!, ip!];
    const names = ['Known Shop', 'New Shop', 'Newer Shop', 'Newest Shop'];
    const reporters = names.map((name, at) => ({ name, verified: at === 0 }));
    // The verified voice is mild: beside a strong one, the page's one decimal would hide the crowd and the ip.
    const reports = names.map((name, reporter) => ({
      reporter,
      type: 'fraud',
      severity: reporter === 0 ? 2 : 10,
      text: `Report of ${name}.`,
      minutesAgo: 30 * 24 * 60,
      identifiers: reporter === 0 ? [phone!, ip!] : [email!],
    }));
    await open(toFragment({ person, reporters, reports, changes: {}, daysFromNow: 0 }));
    await press('Open the scenario');
    await expect.poll(message).toBe('The scenario is open.');
    await go('Ask');
    await unfold('Change the model');
    await expect.poll(() => figure('reported')).toBe(4);
    const answer = () => page.locator('.answer > ul').last().innerText();
    const usual = await answer();
    for (const { path, label, min } of SLIDERS) {
      const slider = page.getByLabel(label);
      await slider.fill(String(min));
      await expect.poll(answer, { message: path }).not.toBe(usual);
      await slider.fill(String(defaultOf(path)));
      await expect.poll(answer, { message: path }).toBe(usual);
    }
  });

  it('has a gap above a button that wraps below its field', async () => {
    await page.setViewportSize(SIZES.phone);
    await open();
    await go('Ask');
    const field = await page.locator('#asks').boundingBox();
    const button = await page.getByRole('button', { name: 'Ask', exact: true }).boundingBox();
    expect(button!.y - field!.y - field!.height).toBeGreaterThan(8);
  });

  it('opens a shared scenario without reports', async () => {
    await open();
    await go('Share and keep');
    const link = page.getByLabel(/^Link, /);
    await expect.poll(() => link.count()).toBe(1);
    const address = await link.inputValue();
    await beginAlone();
    await page.goto(address);
    await ready();
    await press('Open the scenario');
    await expect.poll(message).toBe('The scenario is open.');
    await go('Report');
    expect(await stored('No reports yet')).toBe(1);
  });

  it('holds 10,000 reports', async () => {
    await open();
    await go('Report');
    await importFile(await fileWith(10_000));
    await expect.poll(() => stored('Stored: 10000 reports'), { timeout: 60_000 }).toBe(1);
    expect(await page.getByText('The newest 30 are shown.').count()).toBe(1);
    await report('North Shop');
    await go('Ask');
    await expect.poll(() => figure('reported'), { timeout: 20_000 }).toBe(1);
    await go('Share and keep');
    await expect.poll(() => page.getByText('Reports in the link: 30 of 10001.').count(), { timeout: 20_000 }).toBe(1);
    await page.reload();
    await ready();
    await go('Report');
    expect(await stored('Stored: 10001 reports')).toBe(1);
  });
});
