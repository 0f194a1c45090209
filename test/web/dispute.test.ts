import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { HttpReply } from '../../src/core/http/exchange.ts';
import { unwrap, type EngineOptions } from '../../src/index.ts';
import { createPages, type PagesOptions } from '../../src/service/web/pages.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { asking, reading, textOf } from '../http/asking.ts';

const EMAIL = { kind: 'email', hash: hashOf(1) };
const LINK = 'a'.repeat(40);

async function serving(options: Partial<EngineOptions> = {}, hashing?: PagesOptions['hashing']) {
  const test = await createTestEngine({ publicUrl: 'https://reports.example/fraud', ...options });
  const { engine, apiKey } = test;
  const pages = createPages(engine, { hashing });
  const answer = createAnswer(engine, { basePath: '/fraud', classicPath: '/old', pages });
  const report = { type: 'fraud', severity: 6, text: 'A text', identifiers: [EMAIL] };
  const { reportId } = unwrap(await engine.report({ apiKey, ...report }));
  const post = (text: string, headers?: Readonly<Record<string, string>>) =>
    answer(asking({ path: '/fraud/dispute', client: '192.0.2.1', text, ...(headers && { headers }) }));
  return { ...test, answer, post, reportId, get: (path: string) => answer(reading(path)) };
}

/** Each request has its own number. */
const withoutNumber = ({ headers, ...reply }: HttpReply) => ({
  ...reply,
  headers: { ...headers, 'X-Case-Number': '' },
});

describe('the page of a dispute', () => {
  it('has how clients hash, its script and no field that a browser would send without it', async () => {
    const { get } = await serving({}, { prefix: '"><b>', iterations: 7 });
    const reply = await get(`/fraud/dispute/${LINK}`);
    const html = textOf(reply);
    expect(html).toContain('data-prefix="&quot;>&lt;b>" data-iterations="7"');
    expect(html).toContain(`href="/fraud/report/${LINK}"`);
    expect(html).toMatch(/<script type="module" src="\/fraud\/assets\/dispute-[0-9A-Z]{8}\.js"><\/script>/);
    expect(html.match(/<(?:input|select|textarea)[^>]* name=[^>]*>/g)).toEqual([
      '<input id="case-field" type="hidden" name="_case"/>',
    ]);
    expect(reply.headers['Content-Security-Policy']).toContain("connect-src 'self'");
    expect(reply.headers['Content-Security-Policy']).toContain("form-action 'self'");
    expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    const plain = textOf(await (await serving()).get('/fraud/dispute'));
    // What the page is for comes before what only some have.
    expect(plain.indexOf('Ask the operator')).toBeLessThan(plain.indexOf('/fraud/case'));
    expect(plain).toContain('data-prefix="service-" data-iterations="32000"');
    expect(plain).not.toContain('/report/');
    expect(plain).not.toContain('the record');
  });

  it('is linked from a record, also from one of the classic dialect', async () => {
    const { engine, apiKey, answer } = await serving();
    const link = unwrap(await engine.query({ apiKey, identifiers: [EMAIL] })).link.slice(-40);
    const show = async (path: string) => textOf(await answer(reading(path, '', { accept: 'text/html' })));
    expect(await show(`/fraud/report/${link.toUpperCase()}`)).toContain(`href="/fraud/dispute/${link}"`);
    expect(await show(`/old/report/${link.slice(0, 16)}`)).toContain('href="/fraud/dispute"');
    // On paper, a path leads nowhere.
    expect(await show(`/fraud/report/${link}`)).toContain(
      `data-printed="https://reports.example/fraud/dispute/${link}"`,
    );
    const mute = { ...engine, requestDispute: undefined! };
    const without = createAnswer(mute, { pages: createPages(mute) });
    expect(textOf(await without(reading(`/report/${link}`, '', { accept: 'text/html' })))).not.toContain('/dispute');
    expect(await without(reading('/dispute'))).toMatchObject({ status: 404 });
  });

  it('is there with the classic dialect alone, too', async () => {
    const { engine, apiKey, post } = await serving();
    const link = unwrap(await engine.query({ apiKey, identifiers: [EMAIL] })).link.slice(-40);
    const answer = createAnswer(engine, { basePath: '/fraud', dialect: 'classic', pages: createPages(engine) });
    const record = await answer(reading(`/fraud/report/${link.slice(0, 16)}`, '', { accept: 'text/html' }));
    expect(textOf(record)).toContain('href="/fraud/dispute"');
    expect(await answer(reading(`/fraud/dispute/${link}`))).toMatchObject({ status: 200 });
    const text = `email=${EMAIL.hash}&_text=Not+me`;
    const sent = await answer(asking({ path: '/fraud/dispute', client: '192.0.2.1', text }));
    expect(sent).toMatchObject({ status: 200, body: 'OK' });
    expect(withoutNumber(sent)).toEqual(withoutNumber(await post(text)));
  });

  it('is nowhere else, and takes no other method', async () => {
    const { get, answer } = await serving();
    for (const path of ['/fraud/dispute/x', `/fraud/dispute/${LINK}0`, '/fraud/dispute/', '/old/dispute', '/dispute'])
      expect((await get(path)).status, path).toBe(404);
    for (const more of ['x', '', `${'0'.repeat(16)}/x`])
      expect((await get(`/fraud/dispute/${LINK}/${more}`)).status, more).toBe(404);
    // A report of the record, to be named in the form.
    expect(textOf(await get(`/fraud/dispute/${LINK}/${'0'.repeat(16)}`))).toContain(`value="${'0'.repeat(16)}"`);
    expect(await answer({ ...reading('/fraud/dispute'), method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    const refused = await answer({ ...reading('/fraud/dispute'), method: 'PUT' });
    expect(refused).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD, POST' } });
    const posted = await answer(asking({ path: `/fraud/dispute/${LINK}` }));
    expect(posted).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } });
  });

  it('has no wrong options', async () => {
    const { engine } = await serving();
    for (const hashing of [{ prefix: 1 }, { iterations: 0 }, { iterations: 1.5 }, { rounds: 1 }])
      expect(() => createPages(engine, { hashing } as PagesOptions), JSON.stringify(hashing)).toThrow(/hashing\./);
    expect(() => createPages(engine, { more: 1 } as PagesOptions)).toThrow('more');
  });
});

describe('the reports of a record', () => {
  it('can be ticked: the one that the address names is', async () => {
    const { engine, apiKey, answer, get, reportId } = await serving();
    const more = { type: 'stolen_card', severity: 6, text: 'Another text', identifiers: [EMAIL] };
    const other = unwrap(await engine.report({ apiKey, ...more })).reportId;
    const link = unwrap(await engine.query({ apiKey, identifiers: [EMAIL] })).link.slice(-40);
    const html = textOf(await get(`/fraud/dispute/${link}/${reportId}`));
    expect(html).toContain(`id="about-${reportId}" value="${reportId}" checked`);
    expect(html).toContain(`id="about-${other}" value="${other}"/>`);
    // From the record as a whole, all of them are, and its button leads there.
    const whole = textOf(await get(`/fraud/dispute/${link}`));
    for (const one of [reportId, other]) expect(whole).toContain(`id="about-${one}" value="${one}" checked`);
    const record = textOf(await answer(reading(`/fraud/report/${link}`, '', { accept: 'text/html' })));
    expect(record).toMatch(
      /<a class="button primary" href="[^"]*\/dispute\/[0-9a-f]{40}"[^>]*>Dispute a report about you</,
    );
    expect(record).toMatch(/<a class="button" href="[^"]*"[^>]*>This report is wrong</);
    expect(html).toContain('stolen card, First Shop');
    expect(html).not.toContain('Another text');
    // A request cannot name more than ten. Without a choice, it is about the newest report of each organisation.
    for (let n = 0; n < 9; n++) unwrap(await engine.report({ apiKey, ...more, text: `Text ${n}` }));
    expect(textOf(await get(`/fraud/dispute/${link}`))).not.toContain(' checked');
    // Without the reports, the field has it.
    expect(textOf(await get(`/fraud/dispute/${'0'.repeat(40)}/${reportId}`))).toContain(`value="${reportId}"`);
  });

  it('are those of the request, and nothing else', async () => {
    const { engine, apiKey, post, reportId } = await serving();
    const ids = [reportId];
    for (const text of ['b', 'c', 'd']) {
      const draft = { type: 'fraud', severity: 6, text, identifiers: [EMAIL] };
      ids.push(unwrap(await engine.report({ apiKey, ...draft })).reportId);
    }
    const named = [ids[0]!, ids[2]!];
    await post(`email=${EMAIL.hash}&_text=r&${named.map((id) => `_about=${id.toUpperCase()}`).join('&')}`);
    const waiting = await engine.listDisputeRequests();
    expect(waiting.map((request) => request.reportId).sort()).toEqual(named.sort());
  });
});

describe('the form of a dispute', () => {
  let refusing: ReturnType<typeof serving> | undefined;

  it('files a request, and answers alike if nothing matches', async () => {
    const { engine, post, reportId } = await serving();
    const filed = await post(`email=${EMAIL.hash}&phone2=${hashOf(5)}&_text=Not+me`);
    expect(withoutNumber(filed)).toEqual(withoutNumber(await post(`email=${hashOf(9)}&_text=Not+me`)));
    expect(filed.headers['X-Case-Number']).toMatch(/^([0-9a-z]{4}-){4}[0-9a-z]{4}$/);
    expect(filed).toMatchObject({ status: 200, body: 'OK', headers: { 'Cache-Control': 'no-store' } });
    expect(await engine.listDisputeRequests()).toMatchObject([{ reportId, reason: 'Not me' }]);
    expect(await post(`email=${EMAIL.hash}&_text=r&_about=${'x'.repeat(81)}`)).toMatchObject({ status: 400 });
    expect(await post(`email=${EMAIL.hash}&_text=s&_about=Nobody&_about=&_about=${reportId}`)).toMatchObject({
      body: 'OK',
    });
    expect(await post(`email=${EMAIL.hash}&_text=r&_about=${reportId}`)).toMatchObject({ status: 200, body: 'OK' });
  });

  it.each([
    ['email=ada@example.org&_text=r', 400, 'The field email must be a hash of 40 hex characters'],
    [`email=${EMAIL.hash}`, 400, 'The field _text is missing.'],
    [`email=${EMAIL.hash}&_text=`, 400, 'tabs and line breaks. It has none that can be seen.'],
    [`email=${EMAIL.hash}&_text=${'x'.repeat(501)}`, 400, 'tabs and line breaks. It has 501 characters.'],
    [`email=${EMAIL.hash}&_text=ada@example.org`, 400, 'must have no personal data. Found: email address.'],
    ['_text=r', 400, 'At least one hashed identifier is needed.'],
    [`a=${hashOf(1)}&b=${hashOf(2)}&c=${hashOf(3)}&d=${hashOf(4)}&_text=r`, 400, 'More than 3 identifiers were sent.'],
    [`email=${EMAIL.hash}&_text=r&_api=x`, 400, 'The field _api is not known for this action.'],
    [`email=${EMAIL.hash}&EMAIL=${EMAIL.hash}&_text=r`, 400, 'The field email was sent more than once.'],
    ['a=1&b=1&c=1&d=1&e=1&f=1', 400, 'The form has more than 5 fields.'],
    [`email=${EMAIL.hash}&_text=r${'&_about=a'.repeat(11)}`, 400, 'The form has more than 15 fields.'],
    ['%FF=1', 400, 'text that is not UTF8'],
    [`_text=${'x'.repeat(20_000)}`, 413, 'larger than 16384 bytes'],
  ])('refuses %.60s', async (text, status, words) => {
    const { engine, post } = await (refusing ??= serving());
    const reply = await post(text);
    expect(reply.status).toBe(status);
    expect(textOf(reply)).toContain(words);
    expect(textOf(reply)).not.toMatch(/example\.org/);
    expect(await engine.listDisputeRequests()).toEqual([]);
  });

  it('is limited by the address of the client, and refuses other bodies', async () => {
    const { post } = await serving({ limits: { dispute: { requests: 1, windowSeconds: 60 } } });
    const form = `email=${hashOf(9)}&_text=r`;
    expect((await post(form, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(form)).status).toBe(200);
    const limited = await post(form);
    expect(limited).toMatchObject({ status: 429, headers: { 'Retry-After': '60', RateLimit: '"dispute";r=0;t=60' } });
    expect(textOf(limited)).toContain('Too many dispute requests.');
  });
});
