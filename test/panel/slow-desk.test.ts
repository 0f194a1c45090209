import type { Browser, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createListener } from '../../src/core/http/listener.ts';
import { unwrap } from '../../src/index.ts';
import { createPanel } from '../../src/service/panel/panel.tsx';
import { createPages } from '../../src/service/web/pages.ts';
import { openBrowser, reasonToSkip } from '../browser/chromium.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { eventually } from '../eventually.ts';
import { findViolations, openLook, waitForKeys, type Look } from '../web/visit.ts';

const DESKTOP: Look = ['light', 'desktop'];
const PHONE: Look = ['dark', 'phone'];
const emailOf = (n: number) => [{ kind: 'email', hash: hashOf(n) }];

describe.skipIf(reasonToSkip())('the desk of disputes', () => {
  let browser: Browser;
  let base: string;
  let test: TestEngine;
  let serve: (test: TestEngine) => void;
  beforeAll(async () => {
    const opened = await openBrowser();
    ({ browser, origin: base } = opened);
    serve = ({ engine, clock }) => {
      const panel = createPanel(engine, { clock: () => clock.nowMs });
      opened.answer(createListener(engine, { pages: createPages(engine, { panel }) }));
    };
    return opened.close;
  });
  beforeEach(async () => {
    test = await createTestEngine({ publicUrl: base, limits: { panel: { requests: 10_000, windowSeconds: 1 } } });
    serve(test);
  });

  /** Opens a page of the operator's panel. */
  async function open(look: Look, place: string, javaScriptEnabled = true) {
    // axe runs in the page.
    const opened = await openLook(browser, look, { javaScriptEnabled, bypassCSP: true });
    const { token } = unwrap(await test.engine.createSignInLink({ reporterId: null, name: 'Ada' }));
    await opened.page.goto(`${base}/panel/sign-in/${token}`);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await opened.page.goto(new URL(place, opened.page.url()).href);
    return opened;
  }

  /** Opens disputes about reports of one person. Returns the ids of the reports. */
  async function dispute(person: number, texts: readonly string[]): Promise<string[]> {
    const { engine, apiKey, clock } = test;
    const ids: string[] = [];
    for (const text of texts) {
      const draft = { apiKey, type: 'fraud', severity: 4, text, identifiers: emailOf(person) };
      const { reportId } = unwrap(await engine.report(draft));
      clock.nowMs += 1_000;
      unwrap(await engine.openDispute({ reportId, reason: 'Not me.', by: 'Bob' }));
      ids.push(reportId);
    }
    return ids;
  }

  const press = async (page: Page, key: string) => {
    await waitForKeys(page);
    await page.keyboard.press(key);
  };
  const decided = async () => (await test.engine.listDisputes()).filter(({ decidedAt }) => decidedAt !== null).length;

  it.each(['Answer to the person (optional)', 'Write to the person'])('takes letters as text in: %s', async (step) => {
    const { engine, apiKey } = test;
    const draft = { apiKey, type: 'fraud', severity: 4, identifiers: emailOf(1) };
    const ids: string[] = [];
    for (const text of ['One.', 'Two.']) ids.push(unwrap(await engine.report({ ...draft, text })).reportId);
    unwrap(await engine.requestDispute!({ identifiers: emailOf(1), reason: 'Not me.' }));
    await eventually(async () => expect(await engine.listDisputeRequests()).toHaveLength(2));
    for (const reportId of ids) unwrap(await engine.openDispute({ reportId, reason: 'Not me.', by: 'Bob' }));
    const { page, problems, close } = await open(DESKTOP, 'disputes');
    await waitForKeys(page);
    await page.getByText(step, { exact: true }).last().click({ timeout: 5_000 });
    await page.keyboard.type('Thank you, we read it.');
    expect(await page.locator('textarea:focus').inputValue()).toBe('Thank you, we read it.');
    // Outside the box, the letters do nothing: the text would be lost.
    await page.locator('h1').click();
    await page.keyboard.type('ur');
    await page.locator('textarea:visible').fill('');
    await page.locator('h1').click();
    await page.keyboard.type('ur');
    expect(await decided()).toBe(0);
    expect(await page.locator('.notice').count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('decides one case at two taps in a row, and at two keys', async () => {
    for (let person = 1; person <= 4; person++) await dispute(person, ['One.']);
    const { page, problems, close } = await open(PHONE, 'disputes');
    await waitForKeys(page);
    const { x, y, width, height } = (await page.locator('[data-key=r]').boundingBox())!;
    const tap = () => page.mouse.click(x + width / 2, y + height / 2);
    await Promise.all([page.waitForEvent('load'), tap().then(tap)]);
    // The next case is below the thumb.
    expect(
      await page.evaluate(([left, top]) => document.elementFromPoint(left!, top!)?.className, [x + 5, y + 5]),
    ).toContain('bar');
    await tap();
    await page.keyboard.press('u');
    await waitForKeys(page);
    expect(await decided()).toBe(1);
    await page.keyboard.press('u');
    await page.keyboard.press('r');
    await page
      .getByRole('status')
      .getByText(/^Upheld: /)
      .waitFor();
    await waitForKeys(page);
    expect(await decided()).toBe(2);
    expect(problems).toEqual([]);
    await close();
  });
  const open1 = (page: Page) => page.locator('[data-alone][open]');

  it('decides one report of several alone by keys', async () => {
    const reportIds = await dispute(1, ['One.', 'Two.', 'Three.']);
    const { page, problems, close } = await open(DESKTOP, 'disputes');
    await press(page, '2');
    await open1(page).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await press(page, '3');
    expect(await open1(page).count()).toBe(2);
    // Two steps are open, and the focus is in neither: the key does not choose one.
    await page.locator('h1').click();
    await press(page, 'u');
    expect(await page.locator('.notice').count()).toBe(0);
    await press(page, '3');
    await page.locator('h1').click();
    await press(page, 'u');
    await page.getByText(/^Upheld: fraud of .*, First Shop \(1 report\)\./).waitFor();
    const upheld = (await test.engine.listDisputes()).filter((one) => one.upheld).map(({ reportId }) => reportId);
    expect(upheld).toEqual([reportIds[1]]);
    // Without an open step, the key is about what is left of the case.
    await press(page, 'r');
    await page.getByText(/^Rejected: fraud of .* \(2 reports\)\./).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it.each([true, false])('leads on a phone to the step that a button names, with a script: %s', async (hasScript) => {
    const { engine, otherKey } = test;
    for (let n = 0; n < 3; n++) {
      const draft = { apiKey: otherKey, type: 'fraud', severity: 4, text: `Text ${n}.`, identifiers: emailOf(1) };
      unwrap(await engine.report(draft));
    }
    unwrap(await engine.requestDispute!({ identifiers: emailOf(1), reason: 'Not me.' }));
    await eventually(async () => expect(await engine.listDisputeRequests()).toHaveLength(3));
    const { page, problems, close } = await open(PHONE, 'disputes?list=requests', hasScript);
    for (const [link, button] of [
      ['Open disputes', 'Open the disputes'],
      ['Refuse the request', 'Refuse it'],
    ] as const) {
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByRole('link', { name: link, exact: true }).click();
      const sends = page.getByRole('button', { name: button, exact: true });
      await sends.waitFor();
      await eventually(async () =>
        expect(
          await sends.evaluate((one) => {
            const { top, bottom } = one.closest('form')!.getBoundingClientRect();
            return top < innerHeight && bottom > 0;
          }),
        ).toBe(true),
      );
    }
    if (hasScript) expect(await findViolations(page)).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });

  it.each([DESKTOP, PHONE])('keeps the two buttons of a decision apart, and unlike: %s on a %s', async (...look) => {
    await dispute(1, ['One.', 'Two.']);
    const { page, close } = await open(look, 'disputes');
    for (const summary of await page.locator('[data-alone] > summary').all()) await summary.click();
    const pairs = await page.locator('form:has([name=upheld])').evaluateAll((forms) =>
      forms.map((form) => {
        const [uphold, reject] = [...form.querySelectorAll('button')].map((one) => one.getBoundingClientRect());
        const isBeside = Math.abs(uphold!.top - reject!.top) < 2;
        const [first, second] = [...form.querySelectorAll('button')].map(
          (one) => getComputedStyle(one).backgroundColor + getComputedStyle(one).color,
        );
        return [isBeside ? reject!.left - uphold!.right : reject!.top - uphold!.bottom, first !== second] as const;
      }),
    );
    expect(pairs).toHaveLength(3);
    for (const [gap, isUnlike] of pairs) {
      expect(gap).toBeGreaterThanOrEqual(8);
      expect(isUnlike).toBe(true);
    }
    await close();
  });
});
