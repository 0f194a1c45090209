import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { hashIdentifierSync } from '../../src/hash.ts';
import { unwrap } from '../../src/index.ts';
import { createPanelHealth } from '../../src/service/panel/health.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { EVIL } from '../web/evil.ts';
import { LOOKS, expectGoodLook, listen, openLook, openToLook, waitForKeys, type Look } from '../web/visit.ts';

const emailOf = (n: number) => [{ kind: 'email', hash: hashOf(n) }];
const TEXTS = ['Paid with a stolen card.\nSecond line.', EVIL, 'averyverylongwordwithoutanyspaces'.repeat(12)];
const LONG_NAME = 'A very long name of an organisation with a <b>tag</b>, GmbH & Co. KG';
/** The page after a form: its heading, the page of the form, and what sends the form. */
type Result = readonly [title: string, place: () => string, send: (page: Page, look: Look) => Promise<void>];

describe.skipIf(reasonToSkip())('the pages of the operator in a browser', () => {
  let browser: Browser;
  let test: TestEngine;
  let base: string;
  let session: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** Address of the first page of the session. */
  let home: string;

  beforeAll(async () => {
    const opened = await openBrowser();
    ({ browser, origin: base } = opened);
    test = await createTestEngine({ publicUrl: base, limits: { panel: { requests: 10_000, windowSeconds: 1 } } });
    const { engine, clock } = test;
    const health = createPanelHealth({
      clock: () => clock.nowMs,
      version: '1.0.0',
      rows: () => ({ reports: 12_345, identifiers: 30_000, removed: 12, links: 4_000, reporters: 4 }),
    });
    for (let hour = 0; hour < 24; hour++) {
      for (let n = 0; n < 60 + 50 * Math.sin(hour / 3); n++) health.answered({ action: 'query', outcome: 'ok' });
      for (let n = 0; n < hour; n++) health.answered({ action: 'report', outcome: n % 3 ? 'limited' : 'invalid-text' });
      if (hour > 20) for (let n = 0; n < 9; n++) health.answered({ action: 'viewer', outcome: 'unavailable' });
      clock.nowMs += hour < 23 ? 3_600_000 : 0;
    }
    await fill(test);
    const panel = createPanel(engine, { health, clock: () => clock.nowMs });
    opened.answer(createListener(engine, { pages: createPages(engine, { panel }) }));
    const context = await browser.newContext();
    const page = await context.newPage();
    const { token } = unwrap(await engine.createSignInLink({ reporterId: null, name: 'Ada' }));
    await page.goto(`${base}/panel/sign-in/${token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    session = await context.storageState();
    home = page.url();
    await context.close();
    return opened.close;
  });

  const places = [
    ['overview', () => ''],
    ['disputes', () => 'disputes'],
    ['requests', () => 'disputes?list=requests'],
    ['decided', () => 'disputes?list=decided'],
    ['reporters', () => 'reporters'],
    ['reports', () => 'reports'],
    ['reporter', () => `reporters?id=${test.reporterId}`],
    ['reporter standing', () => `reporters?id=${test.reporterId}&tab=standing`],
    ['reporter audit', () => `reporters?id=${test.reporterId}&tab=audit`],
    ['allow-list', () => 'allow-list'],
    ['audit', () => 'audit'],
  ] as const;

  describe.each(places)('%s', (name, place) => {
    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look, session);
      await page.goto(home + place());
      const closed = { name: `operator ${name}`, look, problems };
      // For its picture. With every step open, the page has all that it has now.
      if (process.env['SCREENSHOTS'] !== undefined) await expectGoodLook(page, closed);
      for (const summary of await page.locator('summary').all()) await summary.click();
      await expectGoodLook(page, { ...closed, name: `operator ${name} open` });
      await close();
    });
  });

  const results: readonly Result[] = [
    [
      'Reporter created',
      () => 'reporters',
      async (page, look) => {
        await page.getByText('Create a reporter', { exact: true }).click();
        await page.getByLabel('Name of the organisation').fill(`Shop ${look.join(' ')}`);
        await page.getByRole('button', { name: 'Create the reporter' }).click();
      },
    ],
    [
      'Sign-in link',
      () => `reporters?id=${test.reporterId}`,
      async (page) => {
        await page.getByLabel('Name of the person').fill('Bob');
        await page.getByRole('button', { name: 'Create the link' }).click();
      },
    ],
    ['Audit log: verification', () => 'audit', (page) => page.getByRole('button', { name: 'Verify the log' }).click()],
  ];

  describe.each(results)('%s', (title, place, send) => {
    it.each(LOOKS)('is accessible and fits the screen, %s on a %s', async (...look) => {
      const { page, problems, close } = await openToLook(browser, look, session);
      await page.goto(home + place());
      await send(page, look);
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await expectGoodLook(page, { name: `operator ${title}`, look, problems });
      await close();
    });
  });

  it('runs nothing that people wrote, and needs no script', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ storageState: session, javaScriptEnabled });
      const page = await context.newPage();
      const problems = listen(page);
      for (const [, place] of places) {
        await page.goto(home + place());
        expect(await page.locator('main script, main img, main b').count()).toBe(0);
      }
      expect(problems).toEqual([]);
      await context.close();
    }
  });

  it('shows times in the zone of the reader, with UTC in the title', async () => {
    const zone = { storageState: session, timezoneId: 'America/New_York' };
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], zone);
    const first = page.locator('main time[datetime*="T"]').first();
    await page.goto(`${home}disputes`);
    expect(await first.innerText()).toBe('1 Jan 2026, 18:00 GMT-5');
    expect(await first.getAttribute('title')).toBe('1 Jan 2026, 23:00 UTC');
    for (const place of ['disputes?list=decided', 'audit', 'operators', `reporters?id=${test.reporterId}`]) {
      await page.goto(home + place);
      expect(await first.innerText(), place).toMatch(/^(?:31 Dec 2025|1 Jan 2026), \d\d:\d\d GMT-5$/);
    }
    await page.goto(home);
    const times = await page.locator('main time[datetime*="T"]').allInnerTexts();
    expect(times.length).toBeGreaterThan(0);
    expect(times.filter((time) => !/GMT-\d$/.test(time))).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it('says itself what is wrong with an empty field, whatever the language of the browser, and keeps the rest', async () => {
    const { page, problems, close } = await openLook(browser, ['light', 'phone'], {
      storageState: session,
      locale: 'de-DE',
    });
    let forms = 0;
    for (const place of [
      'reporters',
      `reporters?id=${test.reporterId}`,
      'operators',
      'allow-list',
      'reports',
      'disputes',
    ])
      for (let at = 0; ; at++) {
        await page.goto(home + place);
        const form = page.locator('form:has([required])').nth(at);
        // Lists have the same form many times.
        if (at === 3 || (await form.count()) === 0) break;
        await form.evaluate((one) => {
          for (let on = one.parentElement; on; on = on.parentElement)
            if (on instanceof HTMLDetailsElement) on.open = true;
        });
        const field = form.locator('[required]').first();
        const others = form.locator('textarea:not([required]), input[type=text]:not([required])');
        for (const other of await others.all()) if (await other.isVisible()) await other.fill('typed');
        await field.fill('');
        await form.locator('button:not([name])').click();
        const error = form.getByText('Fill in this field.', { exact: true }).first();
        await error.waitFor();
        expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
        expect(await field.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
        const { top, bottom } = await error.evaluate((one) => one.getBoundingClientRect().toJSON());
        expect([place, top >= 0 && bottom <= 740]).toEqual([place, true]);
        for (const other of await others.all())
          if (await other.isVisible()) expect(await other.inputValue()).toBe('typed');
        await field.fill('x');
        expect(await field.getAttribute('aria-invalid')).toBeNull();
        forms++;
      }
    expect(forms).toBeGreaterThan(6);
    expect(problems).toEqual([]);
    await close();
  });

  it('has a menu of two lines on a phone, below the name and the way out', async () => {
    const { page, close } = await openLook(browser, ['light', 'phone'], { storageState: session });
    await page.goto(`${home}operators`);
    const topsOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(await topsOf('.top nav a')).size).toBe(2);
    const [name, out] = await topsOf('.who, .top form');
    expect(Math.abs(name! - out!)).toBeLessThan(20);
    await close();
  });

  it('decides by keyboard alone, without a script', async () => {
    const { engine } = test;
    const context = await browser.newContext({ storageState: session, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${home}disputes`);
    // One case has two reports.
    await page.getByRole('link', { name: /Shop and 1 other/ }).click();
    await tabTo(page, 'Uphold: all 2 are wrong');
    await page.keyboard.press('Enter');
    const status = page.getByRole('status');
    await status.waitFor();
    expect(await status.innerText()).toMatch(/^Upheld: .*Shop and 1 other \(2 reports\)\./);
    expect(await status.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await engine.listDisputes()).filter(({ upheld }) => upheld).map(({ decidedBy }) => decidedBy)).toContain(
      'Ada',
    );
    await context.close();
  });

  it('walks through the disputes by keys without deciding, and decides one', async () => {
    const { engine } = test;
    const before = (await engine.listDisputeCases()).map(({ caseId }) => caseId);
    test.clock.nowMs += 1_000;
    for (let n = 0; n < 3; n++) {
      const reportId = await report(100 + n, `Case ${n}.`);
      unwrap(await engine.openDispute({ reportId, reason: 'Not me.', by: 'Ada' }));
    }
    const cases = (await engine.listDisputeCases()).map(({ caseId }) => caseId).filter((one) => !before.includes(one));
    expect(cases).toHaveLength(3);
    await visit(`disputes?case=${cases[0]}`, async (page) => {
      const said = () => page.locator('.case .said').first().innerText();
      const press = async (key: string) => {
        // A key that is pressed before a page can be seen does nothing.
        await waitForKeys(page);
        const loaded = page.waitForEvent('load');
        await page.keyboard.press(key);
        await loaded;
      };
      const first = await said();
      await press('j');
      expect(await said()).not.toBe(first);
      await press('k');
      expect(await said()).toBe(first);
      expect(await engine.listDisputeCases()).toHaveLength(before.length + 3);
      await press('r');
      expect(await page.getByRole('status').innerText()).toMatch(
        /^Rejected: fraud of \d+ \w+ \d+, Second Shop \(1 report\)\./,
      );
      expect(await said()).not.toBe(first);
    });
    expect(await engine.listDisputeCases()).toHaveLength(before.length + 2);
  });

  it('returns to the page of the reporter after a change, and suspends it', async () => {
    const { engine, reporterId } = test;
    const context = await browser.newContext({ storageState: session });
    const page = await context.newPage();
    await page.goto(`${home}reporters?id=${reporterId}`);
    await page.getByRole('link', { name: 'Standing and usage' }).click();
    await page.getByLabel('Identifiers a day').fill('many');
    await page.getByRole('button', { name: 'Save the budget' }).click();
    // What is wrong is in view and has the focus, and its link leads to the field.
    const summary = page.getByRole('alert');
    await summary.waitFor();
    expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await summary.evaluate((element) => element.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    expect(await page.getByLabel('Identifiers a day').isVisible()).toBe(true);
    await summary.getByRole('link', { name: 'The budget must be a whole number' }).click();
    const budget = page.getByLabel('Identifiers a day');
    expect(await budget.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await budget.inputValue()).toBe('many');
    await budget.fill('5,000');
    await page.getByRole('button', { name: 'Save the budget' }).click();
    await page.getByRole('status').waitFor();
    expect(await page.getByRole('status').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('First Shop');
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await page.getByText('Suspend this reporter').click();
    await page.getByRole('button', { name: 'Suspend the reporter' }).click();
    await page.getByText('The reporter is suspended.').waitFor();
    const changed = (await engine.listReporters()).find((one) => one.reporterId === reporterId);
    expect(changed).toMatchObject({ identifiersPerDay: 5_000, suspended: true });
    await context.close();
  });

  /** Opens a page as the operator, does something there, and asserts that the browser had no problem. */
  async function visit(place: string, act: (page: Page) => Promise<void>): Promise<void> {
    const { page, problems, close } = await openLook(browser, ['light', 'desktop'], { storageState: session });
    await page.goto(home + place);
    await act(page);
    expect(problems).toEqual([]);
    await close();
  }
  const press = (where: Page | Locator, name: string) => where.getByRole('button', { name }).click();
  /** Makes a report with this text by the second reporter. Returns its id. */
  async function report(n: number, text: string): Promise<string> {
    const { engine, otherKey } = test;
    const draft = { apiKey: otherKey, type: 'fraud', severity: 4, text, identifiers: emailOf(n) };
    return unwrap(await engine.report(draft)).reportId;
  }

  it('verifies a reporter, and undoes it', async () => {
    const { engine } = test;
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Unknown Shop', verified: false }));
    const isVerified = async () => (await engine.findReporter({ reporterId }))?.verified;
    await visit('reporters', async (page) => {
      await page.getByRole('link', { name: 'Unknown Shop' }).click();
      await press(page, 'Verify this reporter');
      await page.getByText('The reporter is verified.').waitFor();
      expect(await isVerified()).toBe(true);
      await page.getByText('Undo the verification').first().click();
      await press(page, 'Undo the verification');
      await page.getByText('The reporter is not verified any more.').waitFor();
      expect(await isVerified()).toBe(false);
    });
  });

  it('revokes one key of a reporter', async () => {
    const { engine, otherKey } = test;
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Shop with two keys' }));
    const [lost, kept] = [unwrap(await engine.issueKey({ reporterId })), unwrap(await engine.issueKey({ reporterId }))];
    await visit(`reporters?id=${reporterId}&tab=keys`, async (page) => {
      const row = page.getByRole('row').filter({ hasText: lost.keyId });
      await row.getByText('Revoke', { exact: true }).click();
      await press(row, 'Revoke the key');
      await page.getByText(`The key ${lost.keyId} is revoked.`).waitFor();
    });
    const ask = async (apiKey: string) => (await engine.query({ apiKey, identifiers: emailOf(30) })).ok;
    expect([await ask(lost.apiKey), await ask(kept.apiKey), await ask(otherKey)]).toEqual([false, true, true]);
  });

  it('adds an identifier to the allow-list, where it stops counting, and removes it', async () => {
    const { engine, otherKey } = test;
    const identifiers = [{ kind: 'email', hash: hashIdentifierSync('desk@payments.example') }];
    const draft = { apiKey: otherKey, type: 'fraud', severity: 5, text: 'Used a payment provider', identifiers };
    unwrap(await engine.report(draft));
    const reported = async () => unwrap(await engine.query({ apiKey: otherKey, identifiers })).reported;
    await visit('allow-list', async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => sent.push(decodeURIComponent(`${request.url()} ${request.postData()}`)));
      await page.getByText('Add an identifier', { exact: true }).click();
      await page.getByLabel('Identifier', { exact: true }).fill('Desk@Payments.example');
      await page.getByLabel('Reason', { exact: true }).fill('Address of a payment provider');
      await press(page, 'Add to the allow-list');
      await page.getByText('The identifier is on the allow-list.').waitFor();
      for (const [place, label, found] of [
        ['allow-list', 'Search in the allow-list', 'The identifier is on the allow-list'],
        ['reports', 'Search in all reports', 'Reports that were found'],
      ]) {
        await page.goto(home + place);
        await page.getByLabel(label!).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('call desk@payments.example');
        await page.keyboard.press('Enter');
        await page.getByText('your browser then sends its hash only').waitFor();
        await page.getByLabel(label!).fill('desk@payments.example');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: found! }).waitFor();
        await page
          .locator('.said')
          .getByText(/^(?:Used a|Address of a) payment/)
          .waitFor();
        expect(await page.getByLabel(label!).inputValue()).toBe('');
        expect(await page.getByLabel('Only with the identifier').isChecked()).toBe(true);
      }
      expect(sent.filter((text) => /payments\.example/i.test(text))).toEqual([]);
      await page.goto(`${home}allow-list`);
      expect(await reported()).toBe(0);
      const row = page.getByRole('row').filter({ hasText: 'Address of a payment provider' });
      await row.getByText('Remove', { exact: true }).click();
      await press(row, 'Remove it');
      await page.getByText('The identifier is not on the allow-list any more.').waitFor();
      expect(await row.count()).toBe(0);
      expect(await reported()).toBe(1);
    });
  });

  it('opens disputes about one request by its keys, and refuses another one', async () => {
    const { engine } = test;
    const reportId = await report(32, 'Never returned the rented bicycle');
    const reasons = ['I returned it.', 'It was stolen from me.'];
    for (const reason of reasons) unwrap(await engine.requestDispute!({ identifiers: emailOf(32), reason }));
    const waiting = async () => (await engine.listDisputeRequests()).filter((one) => one.reportId === reportId);
    // The requests are stored after the answer to the person.
    await eventually(async () => expect(await waiting()).toHaveLength(2));
    const { requestId } = (await waiting())[0]!;
    await visit(`disputes?list=requests&case=${requestId}`, async (page) => {
      await waitForKeys(page);
      await page.keyboard.press('r');
      await tabTo(page, 'Refuse it');
      await page.keyboard.press('Enter');
      await page.getByText(/^The request about 1 report was deleted\./).waitFor();
      expect(await waiting()).toHaveLength(1);
      await page.goto(`${home}disputes?list=requests&case=${(await waiting())[0]!.requestId}`);
      await waitForKeys(page);
      await page.getByRole('button', { name: 'Switch single keys off' }).click();
      await page.keyboard.press('o');
      expect(await page.getByLabel('Reason for the dispute').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Switch single keys on' }).click();
      await page.keyboard.press('o');
      // In a field, a key is a letter.
      await page.getByLabel('Reason for the dispute').fill('');
      await page.getByLabel('Reason for the dispute').pressSequentially('Juror kuru');
      // Outside of it, no key loses what was typed.
      await page.getByRole('button', { name: 'Open the dispute' }).focus();
      for (const key of ['r', 'j', 'k']) await page.keyboard.press(key);
      await press(page, 'Open the dispute');
      await page.getByText('The dispute is open, in').waitFor();
    });
    expect(await engine.listDisputes({ reportId })).toMatchObject([{ reason: 'Juror kuru', decidedAt: null }]);
    unwrap(await engine.decideDispute({ reportId, upheld: false, by: 'Ada' }));
  });
});

async function fill({ engine, apiKey, otherKey, clock, reporterId }: TestEngine): Promise<void> {
  unwrap(await engine.createReporter({ name: LONG_NAME, verified: false }));
  for (const [n, text] of TEXTS.entries()) {
    const draft = { type: 'identity_theft', severity: 6, text, identifiers: emailOf(n) };
    const { reportId } = unwrap(await engine.report({ apiKey: n === 1 ? otherKey : apiKey, ...draft }));
    unwrap(await engine.openDispute({ reportId, reason: n === 1 ? EVIL : 'The customer paid in cash.', by: 'Ada' }));
    if (n === 2) unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
  }
  // The first person has two disputed reports, and another one in the record.
  const again = { type: 'fraud', severity: 4, identifiers: emailOf(0) };
  const second = unwrap(await engine.report({ apiKey: otherKey, ...again, text: 'Sent back a stone.' }));
  unwrap(await engine.openDispute({ reportId: second.reportId, reason: 'It was no stone.', by: 'Ada' }));
  unwrap(await engine.report({ apiKey: otherKey, ...again, text: `Says that nothing arrived. ${TEXTS[2]}` }));
  const asked = { type: 'chargeback', severity: 3, text: 'The bank took it back', identifiers: emailOf(5) };
  unwrap(await engine.report({ apiKey, ...asked }));
  for (const reason of [EVIL, 'I paid in cash, and I have the receipt.'])
    unwrap(await engine.requestDispute!({ identifiers: emailOf(5), reason }));
  unwrap(await engine.protect({ hash: hashOf(7), reason: 'Mailbox of the payment provider', by: 'Ada' }));
  unwrap(await engine.protect({ hash: hashOf(8), reason: EVIL, by: 'Ada', endsAt: clock.nowMs + 86_400_000 * 40 }));
  for (let n = 0; n < 2; n++) unwrap(await engine.issueKey({ reporterId, scope: 'query' }));
}

/** Presses Tab until an element with this text has the focus. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let n = 0; n < 50; n++) {
    await page.keyboard.press('Tab');
    if ((await page.locator(':focus').innerText()) === text) return;
  }
  throw new Error(`Tab does not reach ${text}`);
}
