import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { prefersHtml } from '../../src/core/http/pages.ts';
import { unwrap } from '../../src/index.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { createTestEngine, hashOf, type TestEngine } from '../engine/setup.ts';
import { reading, textOf } from '../http/asking.ts';
import { EVIL, EVIL_HTML } from './evil.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const EMAIL = [{ kind: 'email', hash: hashOf(1) }];

/** A service with pages, and the path of a link. */
async function serving(test: TestEngine) {
  const { engine, apiKey } = test;
  const answer = createAnswer(engine, { pages: createPages(engine) });
  const linked = async () => new URL(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).link).pathname;
  const get = (path: string, accept = BROWSER, method = 'GET') =>
    answer({ ...reading(path, '', { accept }), method, client: '192.0.2.1' });
  return { ...test, answer, linked, get };
}

const draft = (type: string, text: string) => ({ type, severity: 6, text, identifiers: EMAIL });

describe('the page of a record', () => {
  it('shows how to reach each organisation, as a link only to a web or mail address', async () => {
    const test = await serving(await createTestEngine());
    const { engine, apiKey, otherKey, linked, get } = test;
    for (const key of [apiKey, otherKey]) unwrap(await engine.report({ apiKey: key, ...draft('fraud', 'a text') }));
    const path = await linked();
    expect(textOf(await get(path))).not.toContain('How to reach');
    const [first, second] = (await engine.listReporters()).map(({ reporterId }) => reporterId);
    const set = async (reporterId: string | undefined, contact: string | null) => {
      unwrap(await engine.updateReporter({ reporterId: reporterId ?? '', contact }));
      return textOf(await get(path));
    };
    expect(await set(first, '+49 30 1234567')).toContain('<li>First Shop: +49 30 1234567</li>');
    const mail = '<a href="mailto:fraud@shop.example" rel="nofollow noreferrer">fraud@shop.example</a>';
    for (const contact of ['fraud@shop.example', 'mailto:fraud@shop.example'])
      expect(await set(first, contact)).toContain(`<li>First Shop: ${mail}</li>`);
    const web = `https://shop.example/?a=1&b="'<script>`;
    const html = await set(second, web);
    expect(html).toContain('How to reach the organisations');
    expect(html).toMatch(/Second Shop: <a href="https:\/\/shop\.example\/\?a=1&amp;b=&quot;'&lt;script>?"/);
    expect(html).not.toContain('<script');
    expect(html.indexOf('First Shop: ')).toBeLessThan(html.indexOf('Second Shop: '));
    // The viewer's JSON stays as protocol 4.5 has it.
    expect(textOf(await get(path, 'application/json'))).not.toContain('shop.example');
  });

  it('shows a browser the score as of now, every report, and what the person can do', async () => {
    const { engine, apiKey, otherKey, clock, linked, get } = await serving(await createTestEngine());
    unwrap(await engine.report({ apiKey, ...draft('identity_theft', 'Used the papers of another person') }));
    clock.nowMs += 86_400_000;
    unwrap(await engine.report({ apiKey: otherKey, ...draft('chargeback', 'Paid with a stolen card') }));
    const path = await linked();
    const { points, reliability } = unwrap(await engine.query({ apiKey, identifiers: EMAIL }));
    const reply = await get(path);
    const html = textOf(reply);
    expect(reply.status).toBe(200);
    expect(html).toMatch(/^<!doctype html><html lang="en">/);
    for (const text of ['Used the papers of another person', 'Paid with a stolen card', 'First Shop', 'Second Shop'])
      expect(html).toContain(text);
    expect(html).toContain('identity theft');
    expect(html).toContain(`${points} of 100 points`);
    expect(html).toContain(`Reliability ${reliability.toFixed(1)} of 10`);
    expect(html).toContain('2 organisations made 2 reports that match the email of a query');
    // A person who was reported has no deletion code, as a rule.
    expect(html).toMatch(/id="about".*href="\/dispute\/.*deletion code/s);
    expect(html).not.toContain(hashOf(1));
    // Two years later, the score is lower. The reports are the same.
    clock.nowMs += 2 * 365 * 86_400_000;
    // Otherwise, the page has the previous standings, and the query after it may have new ones.
    await engine.recomputeTrust();
    const later = Number(/(\d+) of 100 points/.exec(textOf(await get(path)))![1]);
    expect(later).toBeLessThan(points);
    expect(later).toBe(unwrap(await engine.query({ apiKey, identifiers: EMAIL })).points);
  });

  it('sets a text of very many lines as one, so that it pushes no other report off the page', async () => {
    const { engine, apiKey, linked, get } = await serving(await createTestEngine());
    for (const text of ['One\nline\nbelow another', `High${'\n'.repeat(900)}text`])
      unwrap(await engine.report({ apiKey, ...draft('fraud', text) }));
    const html = textOf(await get(await linked()));
    expect(html).toContain('<p class="said">One');
    expect(html).toContain('<p class="said flat">High');
  });

  it('names a kind only if it is known, or if two verified organisations use it and it holds no personal data', async () => {
    const { engine, apiKey, otherKey, linked, get } = await serving(await createTestEngine());
    const report = async (key: string, kinds: readonly string[]) => {
      const identifiers = kinds.map((kind) => ({ kind, hash: hashOf(1) }));
      return unwrap(await engine.report({ apiKey: key, ...draft('fraud', 'a text'), identifiers }));
    };
    const told = ['phone-0171-2345678-john-doe', 'x0171y2345678', 'mail_john_doe'];
    // Each in a report of its own, too: an explanation names the strongest kind of a report.
    for (const kind of told) await report(apiKey, [kind]);
    await report(apiKey, [...told, 'email']);
    await report(apiKey, ['paypal_email', 'customer_no']);
    const path = await linked();
    const expectNothingIn = (text: string): void => {
      for (const word of ['0171', 'john']) expect(text).not.toContain(word);
    };
    const explained = async () => unwrap(await engine.explainQuery({ apiKey: otherKey, identifiers: EMAIL }));
    const alone = textOf(await get(path));
    expect(alone).toContain('that match the email and other data of a query');
    expectNothingIn(alone);
    expectNothingIn(JSON.stringify(await explained()));
    expect(alone).not.toMatch(/paypal.email|customer.no/);
    // A name with a number in it stays unsaid however many use it.
    await report(otherKey, [...told.slice(0, 2), 'paypal_email']);
    const together = textOf(await get(path));
    expect(together).toContain('that match the email, other data and paypal email of a query');
    expectNothingIn(together);
    expectNothingIn(JSON.stringify(await explained()));
    const own = unwrap(await engine.explain({ identifiers: EMAIL }));
    expect(JSON.stringify(own)).toContain('phone-0171-2345678-john-doe');
    // Anyone may get two new keys.
    for (const name of ['New Shop', 'Other Shop']) {
      const { reporterId } = unwrap(await engine.createReporter({ name, verified: false }));
      await report(unwrap(await engine.issueKey({ reporterId })).apiKey, ['jane-doe-stole']);
    }
    await report(apiKey, ['jane-doe-stole']);
    for (const said of [textOf(await get(path)), JSON.stringify(await explained())]) expect(said).not.toMatch(/jane/);
  });

  it('keeps programs on JSON, and says that the reply depends on Accept', async () => {
    const { engine, apiKey, linked, get } = await serving(await createTestEngine());
    unwrap(await engine.report({ apiKey, ...draft('fraud', 'A text') }));
    const path = await linked();
    for (const accept of ['application/json', '*/*', '', 'text/html;q=0.5, application/json']) {
      const reply = await get(path, accept);
      expect(reply.headers['Content-Type'], accept).toBe('application/json; charset=utf-8');
      expect(reply.headers['Vary'], accept).toBe('Accept');
      expect(JSON.parse(textOf(reply))).toMatchObject({ count: 1 });
    }
    expect(textOf(await get(path, BROWSER, 'HEAD'))).toBe('');
    // Without pages, and at the address of the viewer, nothing depends on Accept.
    const plain = await createAnswer(engine)(reading(path, '', { accept: BROWSER }));
    expect(plain.headers['Vary']).toBeUndefined();
    expect(JSON.parse(textOf(plain))).toMatchObject({ count: 1 });
    const viewer = await createAnswer(engine, { pages: createPages(engine) })(
      reading('/api/', `showreport=${path.split('/').at(-1)}`, { accept: BROWSER }),
    );
    expect(JSON.parse(textOf(viewer))).toMatchObject({ count: 1 });
  });

  it('runs no script, is in no search engine, and tells no other site its address', async () => {
    const { engine, apiKey, linked, get } = await serving(await createTestEngine());
    unwrap(await engine.report({ apiKey, ...draft('fraud', EVIL) }));
    const reply = await get(await linked());
    const html = textOf(reply);
    expect(html).not.toMatch(EVIL_HTML);
    expect(html).toContain('&lt;script>alert(1)&lt;/script>');
    expect(reply.headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
    const policy = reply.headers['Content-Security-Policy']!;
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; /);
    expect(policy).not.toMatch(/unsafe|script-src/);
  });

  it('is a page, too, where there is nothing, over the limit, and when the service fails', async () => {
    const { engine, answer, get } = await serving(
      await createTestEngine({ limits: { viewer: { requests: 3, windowSeconds: 60 } } }),
    );
    for (const path of [`/report/${'0'.repeat(40)}`, '/report/nothing'])
      expect(await get(path)).toMatchObject({ status: 404, body: expect.stringContaining('No reports') });
    await get(`/report/${'1'.repeat(40)}`);
    await get(`/report/${'2'.repeat(40)}`);
    const limited = await get(`/report/${'3'.repeat(40)}`);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers['Retry-After'])).toBeGreaterThan(0);
    expect(textOf(limited)).toMatch(
      /Too many requests came from your connection. Try again in \d+ (?:seconds|minutes?|hours?)\./,
    );
    await engine.close();
    const failing = { ...engine, record: () => Promise.reject(new Error('secret words')) };
    const failed = await createAnswer(failing, { pages: createPages(failing) })(
      reading(`/report/${'4'.repeat(40)}`, '', { accept: BROWSER }),
    );
    expect(failed).toMatchObject({ status: 500, body: expect.not.stringContaining('secret words') });
    expect(await answer({ ...reading('/report/nothing', '', { accept: '*/*' }) })).toMatchObject({ status: 404 });
  });

  it('marks a disputed report, and counts one that was found wrong without showing it', async () => {
    const { engine, apiKey, otherKey, linked, get } = await serving(await createTestEngine());
    const wrong = unwrap(await engine.report({ apiKey, ...draft('fraud', 'This is wrong') }));
    const open = unwrap(await engine.report({ apiKey: otherKey, ...draft('spam', 'This is examined') }));
    const path = await linked();
    await engine.openDispute({ reportId: wrong.reportId, reason: 'no', by: 'Ada' });
    await engine.decideDispute({ reportId: wrong.reportId, upheld: true, by: 'Ada' });
    await engine.openDispute({ reportId: open.reportId, reason: 'no', by: 'Ada' });
    const html = textOf(await get(path));
    expect(html).not.toContain('This is wrong');
    expect(html).toMatch(/disputed, counts half.*This is examined/s);
    expect(html).toContain('1 report was found wrong and does not count.');
  });

  it('says when it last changed: by a report, or a dispute that was opened, answered or decided', async () => {
    const { engine, apiKey, reporterId, clock, linked, get } = await serving(await createTestEngine());
    const { reportId } = unwrap(await engine.report({ apiKey, ...draft('fraud', 'A text') }));
    const path = await linked();
    const steps = [
      () => engine.openDispute({ reportId, reason: 'no', by: 'Ada' }),
      () => engine.answerDispute({ reportId, reporterId, answer: 'It was so' }),
      () => engine.decideDispute({ reportId, upheld: false, by: 'Ada' }),
    ];
    let changedAt = clock.nowMs;
    for (let at = 0; at <= steps.length; at++) {
      clock.nowMs += 3_600_000;
      const moment = `Last changed <time datetime="${new Date(changedAt).toISOString()}">`;
      expect(textOf(await get(path)), `step ${at}`).toContain(moment);
      changedAt = clock.nowMs;
      await steps[at]?.();
    }
  });

  it('explains up to 500 matches, and shows the score of any number', async () => {
    const { engine, apiKey, linked, get } = await serving(
      await createTestEngine({ sameRequestSeconds: 0, limits: { report: { requests: 1_000, windowSeconds: 1 } } }),
    );
    for (let n = 0; n < 500; n++) unwrap(await engine.report({ apiKey, ...draft('fraud', `Report ${n}`) }));
    const path = await linked();
    expect(textOf(await get(path))).toContain('came about');
    unwrap(await engine.report({ apiKey, ...draft('fraud', 'One more') }));
    const html = textOf(await get(path));
    expect(html).not.toContain('came about');
    expect(html).toContain('made 501 reports');
  });
});

it.each([
  [BROWSER, true],
  ['text/html', true],
  ['text/html;q=0.4,application/json;q=0.3', true],
  ['text/html;q=0.3,application/json;q=0.4', false],
  ['text/html;q=0', false],
  ['TEXT/HTML', true],
  ['*/*', false],
  ['text/*', false],
  ['', false],
  [undefined, false],
  ['text/html;q=x', false],
])('Accept %j prefers HTML: %j', (accept, expected) => expect(prefersHtml(accept)).toBe(expected));
