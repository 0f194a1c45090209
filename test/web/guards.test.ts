import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import { unwrap } from '../../src/index.ts';
import { createPages } from '../../src/service/web/pages.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { asking, reading, textOf } from '../http/asking.ts';

const FORM = 'application/x-www-form-urlencoded';

describe('pages behind a proxy that strips the path', () => {
  const publicUrl = 'https://h.example/shop-1/';

  it('have the path of the public address, not the one that the service sees', async () => {
    const { engine, apiKey } = await createTestEngine({ publicUrl });
    const identifiers = [{ kind: 'email', hash: hashOf(1) }];
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'A text', identifiers }));
    const link = unwrap(await engine.query({ apiKey, identifiers })).link.slice(-40);
    const answer = createAnswer(engine, { pages: createPages(engine), classicPath: '/old' });
    const show = async (path: string) => textOf(await answer(reading(path, '', { accept: 'text/html' })));
    // Not awaited one by one: the first requests may come at once.
    const [start, dispute] = await Promise.all([show('/'), show(`/dispute/${link}`)]);
    expect(start).toContain('href="/shop-1/dispute"');
    expect(dispute).toContain('action="/shop-1/dispute"');
    expect(dispute).toContain('src="/shop-1/assets/dispute-');
    expect(await show(`/report/${link}`)).toContain(`href="/shop-1/dispute/${link}"`);
    expect(await show(`/old/report/${link}`)).toContain(`href="/shop-1/dispute/${link}"`);
  });

  it('use the base path if the service does not say its address', async () => {
    const { engine } = await createTestEngine({ publicUrl });
    const html = async (describe: typeof engine.describe | undefined) => {
      const service = { ...engine, describe: describe! };
      const answer = createAnswer(service, { basePath: '/base', pages: createPages(service) });
      return textOf(await answer(reading('/base/', '', { accept: 'text/html' })));
    };
    expect(await html(undefined)).toContain('href="/base/dispute"');
    expect(await html(() => Promise.reject(new Error('closed')))).toContain('href="/base/dispute"');
    expect(await html(engine.describe)).toContain('href="/shop-1/dispute"');
  });
});

describe('a dispute that another site sends', () => {
  const send = async (headers: Readonly<Record<string, string>>, publicUrl = 'https://reports.example') => {
    const { engine } = await createTestEngine({ publicUrl });
    const answer = createAnswer(engine, { pages: createPages(engine) });
    const text = `email=${hashOf(1)}&_text=Not+me`;
    return answer(asking({ path: '/dispute', text, headers: { 'content-type': FORM, host: 'inner', ...headers } }));
  };

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://other.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://reports.example' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://other.example' },
    // No browser sends it, and to parse it takes quadratic time.
    { host: 'xn--bcher-kva.example', origin: 'http://bücher.example' },
    { origin: `http://${'a'.repeat(10_000)}` },
  ])('is refused: %j', async (headers) => {
    expect(await send(headers)).toMatchObject({ status: 403, body: expect.stringMatching(/^ERROR: .*\.$/) });
  });

  it.each([
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    { origin: 'http://inner' },
    { origin: 'https://reports.example' },
  ])('is not meant: %j', async (headers) => {
    expect(await send(headers)).toMatchObject({ status: 200, body: 'OK' });
  });
});

it('answers a browser with a page if a part throws at once', async () => {
  const { engine } = await createTestEngine();
  const pages = createPages(engine, {
    playground: () => {
      throw new Error('secret words');
    },
  });
  const failures: string[] = [];
  const answer = createAnswer(engine, { pages, log: ({ error }) => failures.push(error) });
  const reply = await answer(reading('/playground', '', { accept: 'text/html' }));
  expect(reply).toMatchObject({ status: 500, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  expect(textOf(reply)).not.toContain('secret words');
  expect(failures).toHaveLength(1);
});

it('shows 50 reports of a record, each organisation first, names what it leaves out, and links to it', async () => {
  const { engine, apiKey, otherKey } = await createTestEngine({
    sameRequestSeconds: 0,
    limits: { report: { requests: 1_000, windowSeconds: 1 } },
  });
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const report = (key: string, text: string) =>
    engine.report({ apiKey: key, type: 'fraud', severity: 6, text, identifiers });
  for (const text of ['The older true report.', 'The true report.']) unwrap(await report(otherKey, text));
  for (let n = 0; n < 60; n++) unwrap(await report(apiKey, `Report ${n}.`));
  const path = new URL(unwrap(await engine.query({ apiKey, identifiers })).link).pathname;
  const answer = createAnswer(engine, { pages: createPages(engine) });
  const html = textOf(await answer(reading(path, '', { accept: 'text/html' })));
  expect(html.match(/<article/g)).toHaveLength(50);
  expect(html).toContain('50 of 62 reports are shown. Not shown: ');
  expect(html).toMatch(/Not shown: 12 of [^ ]/);
  expect(html).toContain('The true report.');
  expect(html).toContain('The older true report.');
  // A click in a browser asks for HTML, too.
  const [, link = ''] = /<a href="([^"]+)"[^>]*>All reports as JSON<\/a>/.exec(html) ?? [];
  const { pathname, search } = new URL(link, `https://reports.example${path}`);
  const json = await answer(reading(pathname, search.slice(1), { accept: 'text/html' }));
  expect(JSON.parse(textOf(json))).toMatchObject({ count: 62 });
});

it('computes and renders a record once for all browsers that wait for it', async () => {
  const { engine, apiKey } = await createTestEngine({ limits: { viewer: { requests: 1_000, windowSeconds: 1 } } });
  const identifiers = [{ kind: 'email', hash: hashOf(1) }];
  const text = 'Paid with a stolen card. '.repeat(50);
  for (let n = 0; n < 20; n++)
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 6, text: `${n} ${text}`, identifiers }));
  const path = new URL(unwrap(await engine.query({ apiKey, identifiers })).link).pathname;
  const made = createPages(engine);
  const rendered: string[] = [];
  const pages: typeof made = {
    ...made,
    record: (record, place) => (rendered.push(place.linkId), made.record(record, place)),
  };
  const answer = createAnswer(engine, { pages });
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => answer(reading(path, '', { accept: 'text/html' }))),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(200));
  expect(new Set(replies.map(textOf)).size).toBe(1);
  // Two are computed at once, and all others wait for the next one.
  expect(rendered.length).toBeLessThanOrEqual(6);
  await engine.close();
});
