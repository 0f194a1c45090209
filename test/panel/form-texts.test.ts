import { beforeAll, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createTestPanel, tokenFor, type Fields, type TestBrowser, type TestPanel } from './visiting.ts';

/** A contact without spaces may be any https address. */
const EVIL_CONTACT = 'https://shop.example/?<script>alert(1)</script><img/src=x/onerror="alert(2)">';
const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

describe('a script that a form of the panel accepts', () => {
  let test: TestPanel;
  let operator: TestBrowser;
  let reporter: TestBrowser;
  let reportId: string;

  beforeAll(async () => {
    test = await createTestPanel();
    const { engine, apiKey, reporterId } = test;
    const draft = { type: 'fraud', severity: 5, text: 'Never paid', identifiers: EMAIL };
    ({ reportId } = unwrap(await engine.report({ apiKey, ...draft })));
    [operator, reporter] = [await test.signedIn(null), await test.signedIn(reporterId)];
  });

  /** Sends a form, and asserts that pages show the text, as text. */
  async function expectText(
    browser: TestBrowser,
    [path, action, fields]: readonly [path: string, action: string, fields: Fields],
    text: string,
    shown: readonly (readonly [TestBrowser, string])[],
  ): Promise<void> {
    const token = tokenFor(browser, path.slice('/panel/'.length), test.clock.nowMs);
    const reply = await browser.post(path, { ...fields, do: action, token });
    expect([action, reply.status]).toEqual([action, action === 'create' ? 200 : 303]);
    const asText = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    for (const [visitor, place] of shown) {
      const html = textOf(await visitor.get(place, { accept: 'text/html' }));
      expect([place, html.includes(asText)]).toEqual([place, true]);
      expect([place, EVIL_HTML.test(html)]).toEqual([place, false]);
    }
  }

  it('is text as the reason of an entry of the allow-list', async () => {
    const text = `Reason ${EVIL}`;
    const form = ['/panel/allow-list', 'protect', { hash: hashOf(9), reason: text }] as const;
    await expectText(operator, form, text, [[operator, '/panel/allow-list']]);
  });

  it('is text as the reason of a dispute, and as its answer', async () => {
    const places = [
      [operator, '/panel/disputes'],
      [reporter, '/panel/disputes'],
    ] as const;
    const reason = `Reason ${EVIL}`;
    await expectText(operator, ['/panel/disputes', 'open', { reportId, reason }], reason, places);
    const answer = `Answer ${EVIL}`;
    await expectText(reporter, ['/panel/disputes', 'answer-dispute', { reportId, answer }], answer, places);
  });

  it('is text as the name of a reporter', async () => {
    const name = `Name ${EVIL}`;
    await expectText(operator, ['/panel/reporters', 'create', { name }], name, [[operator, '/panel/reporters']]);
    const { reporterId } = (await test.engine.listReporters()).find((one) => one.name === name)!;
    const own = await test.signedIn(reporterId);
    for (const [browser, place] of [
      [operator, `/panel/reporters?id=${reporterId}`],
      [own, '/panel/overview'],
    ] as const)
      expect(textOf(await browser.get(place))).not.toMatch(EVIL_HTML);
  });

  it('is text as a contact, also in the public record', async () => {
    const { engine, apiKey, reporterId } = test;
    const { pathname } = new URL(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).link);
    const places = [
      [reporter, '/panel/overview'],
      [operator, `/panel/reporters?id=${reporterId}`],
      [test.browser(), pathname],
    ] as const;
    await expectText(reporter, ['/panel/overview', 'set-contact', { contact: EVIL_CONTACT }], EVIL_CONTACT, places);
    const contact = `${EVIL_CONTACT}#operator`;
    await expectText(operator, ['/panel/reporters', 'contact', { id: reporterId, contact }], contact, places);
  });
});
