import { beforeAll, describe, expect, it } from 'vitest';
import { unwrap } from '../../src/index.ts';
import { hashOf } from '../engine/setup.ts';
import { textOf } from '../http/asking.ts';
import { EVIL, EVIL_HTML } from '../web/evil.ts';
import { createPanelPages } from '../../src/service/panel/pages.ts';
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
    await expectText(operator, ['/panel/disputes', 'open', { [`about-${reportId}`]: 'yes', reason }], reason, places);
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

describe('a refused form', () => {
  const DISPUTED = [{ kind: 'email', hash: hashOf(2) }];
  const ASKED = [{ kind: 'email', hash: hashOf(3) }];
  const UNKNOWN = 'f'.repeat(16);
  const REPORTED = { identifiers: `email=${hashOf(5)}`, type: 'fraud', severity: '5', text: 'Never paid' };
  let test: TestPanel;
  let operator: TestBrowser;
  let reporter: TestBrowser;
  let full: TestBrowser;
  let id: string;
  let asked: string;

  beforeAll(async () => {
    test = await createTestPanel();
    const { engine, apiKey, reporterId } = test;
    id = reporterId;
    const draft = { apiKey, type: 'fraud', severity: 5, text: 'Never paid' };
    const { reportId } = unwrap(await engine.report({ ...draft, identifiers: DISPUTED }));
    unwrap(await engine.requestDispute!({ identifiers: DISPUTED, reason: 'Not me', client: '192.0.2.1' }));
    unwrap(await engine.openDispute({ reportId, reason: 'Paid', by: 'Ops' }));
    asked = unwrap(await engine.report({ ...draft, identifiers: ASKED })).reportId;
    for (const [reason, client] of [
      ['Not me', '192.0.2.1'],
      ['Nor me', '192.0.2.2'],
    ] as const)
      unwrap(await engine.requestDispute!({ identifiers: ASKED, reason, client }));
    unwrap(await engine.protect({ hash: hashOf(9), reason: 'Ours', by: 'Ada' }));
    for (let n = 0; n < 50; n++) unwrap(await engine.issueKey({ reporterId: test.otherId }));
    [operator, reporter] = [await test.signedIn(null), await test.signedIn(reporterId)];
    full = await test.signedIn(test.otherId);
  });

  /** Each form, with each of its errors at a field: the page, the action, what is sent, the field, the message. */
  const AT_FIELDS: readonly (readonly [
    who: () => TestBrowser,
    page: () => string,
    action: string,
    sent: Fields,
    field: string,
    says: RegExp,
  ])[] = [
    [() => reporter, () => '/report', 'submit-report', { ...REPORTED, type: 'toString' }, 'type', /Choose what/],
    [() => reporter, () => '/report', 'submit-report', { ...REPORTED, severity: 'toString' }, 'severity', /1 to 10/],
    [
      () => reporter,
      () => '/report',
      'submit-report',
      { ...REPORTED, text: 'Ask a@b.example' },
      'text',
      /email address/,
    ],
    [
      () => reporter,
      () => '/overview',
      'set-contact',
      { contact: 'no contact' },
      'contact',
      /must be an email address/,
    ],
    [() => reporter, () => '/keys', 'create-key', { scope: 'toString' }, 'scope', /Choose what/],
    [() => reporter, () => '/keys', 'create-key', { lastDay: '2020-01-31' }, 'lastDay', /from today on/],
    [() => full, () => '/keys', 'create-key', { scope: 'query' }, 'scope', /There are 50 keys/],
    [() => reporter, () => '/disputes', 'answer-dispute', { answer: '  ' }, 'answer', /must have 1 to 500/],
    [() => operator, () => '/reporters', 'create', { name: ' ', verified: 'yes' }, 'name', /one line/],
    [() => operator, () => '/reporters', 'create', { name: 'First Shop' }, 'name', /already taken/],
    [() => operator, () => `/reporters?id=${id}&tab=standing`, 'budget', { budget: 'many' }, 'budget', /whole number/],
    [() => operator, () => `/reporters?id=${id}`, 'contact', { contact: 'nowhere' }, 'contact', /email address/],
    [() => operator, () => `/reporters?id=${id}`, 'sign-in-link', { person: ' ' }, 'person', /one line/],
    [() => operator, () => '/operators', 'sign-in-link', { person: 'two\nlines' }, 'person', /one line/],
    [() => operator, () => '/disputes', 'answer', { message: ' ' }, 'message', /must have 1 to 500/],
    [() => operator, () => '/disputes', 'decide', { answer: 'Ask a@b.example' }, 'answer', /Remove from it: email/],
    [() => operator, () => '/disputes?list=requests', 'open', { reason: ' ' }, 'reason', /must have 1 to 500/],
    [() => operator, () => '/allow-list', 'protect', { hash: hashOf(9), reason: 'Ours' }, 'hash', /already on/],
    [() => operator, () => '/allow-list', 'protect', { hash: hashOf(8), reason: ' ' }, 'reason', /must have 1/],
    [
      () => operator,
      () => '/allow-list',
      'protect',
      { hash: hashOf(8), reason: 'Ours', endsAt: '2020-01-31' },
      'endsAt',
      /today or later/,
    ],
    [() => operator, () => '/reports', 'open-dispute', { reason: ' ' }, 'reason', /must have 1 to 500/],
    [() => operator, () => '/reports', 'find', { text: 'paid', reporter: 'Nobody' }, 'reporter', /no such reporter/],
    [() => operator, () => '/reports', 'find', { since: '30.2.', type: 'fraud' }, 'since', /Expected a day/],
    [() => operator, () => '/reports', 'find', { until: '2020-02-30' }, 'until', /Expected a day/],
    [() => operator, () => '/reports', 'find', { text: hashOf(1).slice(1) }, 'text', /40 hex characters/],
    [() => operator, () => '/audit', 'verify', { head: 'not a head' }, 'head', /64 hex characters/],
  ];

  /** Returns the only form of an action whose hidden fields are those that the page showed. */
  const fragmentOf = (html: string, action: string): string => {
    const form = (html.match(/<form.*?<\/form>/gs) ?? []).find((one) => one.includes(`name="do" value="${action}"`))!;
    return /action="[^"#]*#([^"]+)"/.exec(form)![1]!;
  };
  const unescape = (html: string): string => html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

  it.each(AT_FIELDS)(
    '%s %s says what is wrong where the person looks: %s',
    async (who, page, action, sent, field, says) => {
      const path = `/panel${page()}`;
      const shown = textOf(await who().get(path));
      // Before the form was sent, its fragment leads to it.
      const place = fragmentOf(shown, action);
      expect(shown.split(`id="${place}"`)).toHaveLength(2);
      const reply = await who().act(path, action, sent);
      expect(reply.status).toBe(200);
      const html = textOf(reply);
      expect(html).toContain('<title>Error: ');
      // The summary has the fragment as its id, can have the focus, and is in the form that was sent.
      const form = new RegExp(`<form[^>]*#${place}"[^>]*><div id="${place}"([^>]*)>(.*?)</div>(.*?)</form>`, 's');
      const [, attributes = '', summary = '', rest = ''] = form.exec(html) ?? [];
      expect(attributes).toMatch(/tabindex="-1".* role="alert"/);
      const [, target = '', message = ''] = /<a href="#([^"]+)">([^<]*)</.exec(summary) ?? [];
      expect(unescape(message)).toMatch(says);
      // Its link leads to the field, which names its message.
      const [input = ''] = new RegExp(`<(?:input|select|textarea)[^>]* id="${target}"[^>]*>`).exec(rest) ?? [];
      expect(input).toContain(`name="${field}"`);
      expect(input).toContain('aria-invalid="true"');
      expect(input).toMatch(new RegExp(`aria-describedby="[^"]*${target}-error"`));
      expect(rest).toContain(`id="${target}-error">${message}<`);
      expect(html.split(`id="${place}"`)).toHaveLength(2);
      expect(html.split(`id="${target}"`)).toHaveLength(2);
      // What was typed is there, also in the other fields.
      for (const [name, value] of Object.entries(sent)) {
        // Hashes are kept for the script, in another attribute.
        if (value === 'toString' || name === 'identifiers') continue;
        const kept = new RegExp(`name="${name}"[^>]*(?:value="${value}"|checked|>${value}<)|value="${value}" selected`);
        expect([name, kept.test(rest)]).toEqual([name, true]);
      }
      // A step that hides the form is open.
      const before = html.slice(0, html.indexOf(`<div id="${place}"`));
      expect(before.lastIndexOf('<details')).toBeLessThanOrEqual(
        Math.max(before.lastIndexOf('</details>'), before.lastIndexOf('<details class="confirm" open')),
      );
    },
  );

  /** Forms of one button, which are refused because what they are about has changed. */
  const WITHOUT_FIELD: readonly (readonly [() => TestBrowser, () => string, string, Fields, RegExp])[] = [
    [() => reporter, () => '/keys', 'rotate-key', { keyId: UNKNOWN }, /no API key/],
    [() => reporter, () => '/keys', 'revoke-key', { keyId: UNKNOWN }, /no API key/],
    [() => reporter, () => '/reports', 'delete-report', { deletionCode: UNKNOWN }, /No report of yours/],
    [() => reporter, () => '/disputes', 'answer-dispute', { reportId: UNKNOWN, answer: 'a' }, /No dispute about/],
    [() => operator, () => `/reporters?id=${id}`, 'unverify', { id: UNKNOWN }, /no such reporter/],
    [() => operator, () => `/reporters?id=${id}`, 'suspend', { id: UNKNOWN }, /no such reporter/],
    [() => operator, () => `/reporters?id=${id}`, 'sign-out-all', { id: UNKNOWN }, /no such reporter/],
    [
      () => operator,
      () => `/reporters?id=${id}&tab=standing`,
      'budget',
      { id: UNKNOWN, budget: '5' },
      /no such reporter/,
    ],
    [() => operator, () => `/reporters?id=${id}&tab=keys`, 'revoke-key', { keyId: UNKNOWN }, /no API key/],
    [() => operator, () => '/disputes', 'decide', { upheld: 'yes', reportIds: UNKNOWN }, /No dispute about/],
    [() => operator, () => '/disputes', 'decide', { reportIds: UNKNOWN }, /No dispute about/],
    [
      () => operator,
      () => '/disputes?list=requests',
      'open',
      { reason: 'r', 'about-ASKED': 'no', [`about-${UNKNOWN}`]: 'yes' },
      /no such report/,
    ],
    [() => operator, () => '/disputes?list=requests', 'refuse', { requestId: UNKNOWN }, /no such request/],
    [() => operator, () => '/reports', 'open-dispute', { reportId: UNKNOWN, reason: 'r' }, /no such report/],
    [() => operator, () => '/allow-list', 'unprotect', { hash: hashOf(7) }, /not on the allow list/],
  ];

  it.each(WITHOUT_FIELD)('%s %s says in its form why it did nothing: %s', async (who, page, action, sent, says) => {
    const path = `/panel${page()}`;
    const place = fragmentOf(textOf(await who().get(path)), action);
    const fields = Object.entries(sent).map(([name, value]) => [name.replace('ASKED', asked), value]);
    const html = textOf(await who().act(path, action, Object.fromEntries(fields)));
    const alert = new RegExp(`<div id="${place}"[^>]*tabindex="-1"[^>]* role="alert"><p>([^<]*)<`).exec(html);
    expect(alert?.[1]).toMatch(says);
    expect(html.split(`id="${place}"`)).toHaveLength(2);
  });

  it('is known for each form of the panel', () => {
    const driven = new Set([...AT_FIELDS, ...WITHOUT_FIELD].map(([, , action]) => action));
    // These are the other side of a button above.
    for (const other of ['verify', 'resume']) driven.add(other);
    // It is not refused: a message says that nothing was taken back.
    driven.add('undo');
    expect(
      createPanelPages()
        .flatMap(({ actions }) => Object.keys(actions ?? {}))
        .filter((one) => !driven.has(one)),
    ).toEqual([]);
  });

  it('is above the page if the page has no such form any more', async () => {
    const { engine } = test;
    const list = '/panel/disputes';
    const { reportId } = (await engine.listDisputes()).find(({ decidedAt }) => decidedAt === null)!;
    const shown = textOf(await operator.get(list));
    unwrap(await engine.decideDispute({ reportId, upheld: false, by: 'Bob' }));
    const token = tokenFor(operator, 'disputes', test.clock.nowMs);
    const at = fragmentOf(shown, 'decide');
    const html = textOf(await operator.post(list, { do: 'decide', upheld: 'yes', token, at, reportIds: reportId }));
    expect(html).toMatch(
      new RegExp(`<h1>[^<]*</h1>(?:<a [^>]*>CSV of the list</a></div>)?<div id="${at}"[^>]* role="alert">`),
    );
    for (const evil of [EVIL, 'x" onfocus="alert(1)', 'X'.repeat(999)])
      expect(
        textOf(await operator.post(list, { do: 'decide', upheld: 'yes', token, at: evil, reportIds: reportId })),
      ).toMatch(/<div id="said"[^>]* role="alert">/);
  });

  it('returns to its place also if it did something', async () => {
    const { headers } = await operator.act(`/panel/reporters?id=${id}`, 'contact', { contact: 'help@shop.example' });
    const next = headers['Location']!;
    expect(next).toMatch(/#form-contact$/);
    expect(textOf(await operator.get(next))).toMatch(
      /<form[^>]*#form-contact"><p id="form-contact"[^>]*tabindex="-1"[^>]* role="status">The contact was saved/,
    );
    const revoked = await reporter.act('/panel/keys', 'revoke-key');
    expect(revoked.headers['Location']).toMatch(/#keys$/);
    expect(textOf(await reporter.get(revoked.headers['Location']!))).toMatch(/<p id="keys"[^>]* role="status">/);
    // The seal covers the place, too.
    const moved = next.replace('at=form-contact', 'at=form-budget').split('#')[0]!;
    expect(textOf(await operator.get(moved))).not.toContain('was saved');
  });
});
