import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { HttpReply } from '../../src/core/http/exchange.ts';
import type { ProgramEngine as Engine } from '../../src/service/data-folder/program-engine.ts';
import { createPages, type PagesOptions } from '../../src/service/web/pages.ts';
import { PROTOCOL } from '../../src/service/web/guides.generated.ts';
import { LANGUAGES, toSample, type Language, type SampleAction } from '../../src/service/web/samples.ts';
import { reading, textOf } from '../http/asking.ts';
import { createTestEngine } from '../engine/setup.ts';

const HTML = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

async function serve(without: readonly (keyof Engine)[] = [], options: PagesOptions = {}) {
  const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
  const service = Object.fromEntries(
    Object.entries(engine).filter(([name]) => !without.includes(name as keyof Engine)),
  );
  return createAnswer(engine, { basePath: '/fraud', pages: createPages(service as unknown as Engine, options) });
}

function expectPage(reply: HttpReply): string {
  expect(reply).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  expect(reply.headers['Content-Security-Policy']).toMatch(/^default-src 'none'; .*form-action 'none'/);
  expect(reply.headers['Content-Security-Policy']).not.toContain('unsafe-inline');
  const html = textOf(reply);
  expect(html).not.toMatch(/<script(?![^>]* src=)|\sstyle=|\son\w+="/);
  return html;
}

describe('the page of points', () => {
  it('is the guide, without a script, and is linked from the start page', async () => {
    const answer = await serve();
    const html = expectPage(await answer(reading('/fraud/docs/points')));
    expect(html).not.toContain('<script');
    expect(html).toContain('Corner Shop reports fraud with severity 6');
    expect([...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['/fraud/']);
    expect(textOf(await answer(reading('/fraud/', '', HTML)))).toContain('href="/fraud/docs/points"');
    expect(await answer({ ...reading('/fraud/docs/points'), method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect(await answer({ ...reading('/fraud/docs/points'), method: 'POST' })).toMatchObject({ status: 404 });
  });
});

describe('the page of the protocol', () => {
  it('has all chapters, and every link leads somewhere', async () => {
    const answer = await serve();
    const html = expectPage(await answer(reading('/fraud/docs')));
    expect(PROTOCOL.headings.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['1. What the service does', '2.3 Hashed identifier fields', '4.4 Query']),
    );
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, href] of html.matchAll(/<a href="([^"]+)"/g))
      if (href!.startsWith('#')) expect(ids).toContain(href!.slice(1));
      else expect(['/fraud/', '/fraud/openapi.json']).toContain(href);
    expect(await answer(reading('/fraud/openapi.json'))).toMatchObject({ status: 200 });
    for (const [, address] of html.matchAll(/<script[^>]* src="([^"]+)"/g))
      expect(await answer(reading(address!))).toMatchObject({ status: 200 });
  });

  it('shows samples with the address of the service and placeholders', async () => {
    const html = expectPage(await (await serve())(reading('/fraud/docs')));
    expect(html).toContain('https://reports.example/fraud/api/');
    expect(html).toContain('&lt;API key&gt;');
    expect(html.match(/data-language=/g)).toHaveLength(Object.keys(LANGUAGES).length * 3);
  });

  it('is the same with a slash at the end', async () => {
    const answer = await serve();
    expect(await answer(reading('/fraud/docs/'))).toEqual(await answer(reading('/fraud/docs')));
  });

  it('is made once for all visitors', async () => {
    const answer = await serve();
    const [one, other] = [await answer(reading('/fraud/docs')), await answer(reading('/fraud/docs'))];
    expect(one.body).toBeInstanceOf(Uint8Array);
    expect(other.body).toBe(one.body);
  });

  it('answers reads alone', async () => {
    const answer = await serve();
    expect(await answer({ ...reading('/fraud/docs'), method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    for (const [method, path] of [
      ['POST', '/fraud/docs'],
      ['GET', '/fraud/docs/more'],
      ['GET', '/docs'],
    ])
      expect(await answer({ ...reading(path!), method: method! })).toMatchObject({ status: 404 });
  });

  it('describes a service that does not describe itself', async () => {
    const answer = await serve(['describe']);
    expectPage(await answer(reading('/fraud/docs')));
  });
});

describe('samples', () => {
  const hostile = `'"\\\n\r\u2028$HOME \`id\` <?= ?> %s {x} \${x}`;
  const values = {
    baseUrl: hostile,
    apiKey: hostile,
    kind: hostile,
    hash: hostile,
    type: hostile,
    text: hostile,
    deletionCode: hostile,
  };
  const samples = (language: Language) =>
    (['query', 'report', 'delete'] satisfies SampleAction[]).map((action) => toSample(language, action, values));

  it('hold any text as a literal, in TypeScript', () => {
    for (const sample of samples('typescript')) {
      const literals = sample.match(/'(?:[^'\\\n]|\\.)*'/g)!.slice(1);
      const read = literals.map((literal) => runInNewContext(literal) as string);
      expect(read).toContain(hostile);
      // Without its literals, nothing of the text is left.
      expect(sample.replace(/'(?:[^'\\\n]|\\.)*'/g, '')).not.toMatch(/HOME|<\?|%s/);
    }
  });

  it('hold any text as a literal, in PHP and for a shell', () => {
    for (const sample of samples('php')) expect(sample.replace(/'(?:[^'\\]|\\[\s\S])*'/g, '')).not.toMatch(/HOME|%s/);
    for (const sample of samples('curl')) expect(sample.replace(/'[^']*'|\\'/g, '')).not.toMatch(/HOME|%s/);
  });
});

describe('the start page', () => {
  it('is for browsers alone', async () => {
    const answer = await serve();
    for (const path of ['/fraud', '/fraud/']) {
      const html = expectPage(await answer(reading(path, '', HTML)));
      expect(html).toContain('href="/fraud/docs"');
      for (const accept of ['*/*', 'application/json', ''])
        expect(await answer(reading(path, '', { accept }))).toMatchObject({ status: 404 });
      expect(await answer({ ...reading(path, '', HTML), method: 'POST' })).toMatchObject({ status: 404 });
    }
  });

  it('is linked from the page for browsers at an address that does not exist', async () => {
    const answer = await serve();
    for (const path of ['/fraud/foo', '/fraud/docs/x', '/fraud/dispute/', '/fraud/api/x', '/fraud/report/1/2']) {
      const reply = await answer(reading(path, '', HTML));
      expect(reply, path).toMatchObject({ status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      expect(textOf(reply)).toContain('There is nothing at this address.');
      expect(textOf(reply)).toContain('href="/fraud/"');
      expect(await answer({ ...reading(path, '', HTML), method: 'HEAD' })).toEqual({ ...reply, body: '' });
    }
    const record = await answer(reading('/fraud/report/x', '', HTML));
    expect(record).toMatchObject({ status: 404, body: expect.stringMatching(/No reports.* href="\/fraud\/"/s) });
  });

  it('is linked from the page for browsers at the address of forms; programs get the text', async () => {
    const answer = await serve();
    for (const path of ['/fraud/api', '/fraud/api/']) {
      const reply = await answer(reading(path, '', HTML));
      expect(reply).toMatchObject({ status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
      expect(textOf(reply)).toMatch(/An address for programs.* href="\/fraud\/docs".* href="\/fraud\/"/s);
      for (const accept of ['*/*', 'application/json', ''])
        expect(await answer(reading(path, '', { accept }))).toMatchObject({
          status: 404,
          body: 'ERROR: There is nothing at this address.',
        });
      const viewed = await answer(reading(path, `showreport=${'0'.repeat(40)}`, HTML));
      expect(viewed.headers['Content-Type']).toContain('application/json');
    }
  });

  it('leaves programs and other paths the text', async () => {
    const answer = await serve();
    const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
    const plain = { status: 404, body: 'ERROR: There is nothing at this address.' };
    for (const accept of ['*/*', 'application/json', ''])
      expect(await answer(reading('/fraud/foo', '', { accept }))).toMatchObject(plain);
    expect(await answer({ ...reading('/fraud/foo', '', HTML), method: 'POST' })).toMatchObject(plain);
    for (const path of ['/foo', '/fraudulent', '/']) expect(await answer(reading(path, '', HTML))).toMatchObject(plain);
    // A service without pages has no start page.
    expect(await createAnswer(engine)(reading('/foo', '', HTML))).toMatchObject(plain);
    const both = createAnswer(engine, { basePath: '/fraud', classicPath: '/old', pages: createPages(engine) });
    expect(await both(reading('/old/foo', '', HTML))).toMatchObject(plain);
    expect(textOf(await both(reading('/old/report/x', '', HTML)))).toContain('href="/fraud/"');
  });

  it('is there with the classic dialect alone, without /docs, whose samples would not fit', async () => {
    const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
    const pages = createPages(engine, { panel: () => undefined, playground: () => undefined });
    const answer = createAnswer(engine, { basePath: '/fraud', dialect: 'classic', pages });
    const start = expectPage(await answer(reading('/fraud/', '', HTML)));
    for (const path of ['/dispute', '/panel', '/playground']) expect(start).toContain(`href="/fraud${path}"`);
    const unknown = await answer(reading('/fraud/foo', '', HTML));
    expect(unknown).toMatchObject({ status: 404, body: expect.stringMatching(/Page not found.* href="\/fraud\/"/s) });
    const refused = pages.refused({ reason: 'not-found' }, { kind: 'api', basePath: '/fraud', dialect: 'classic' });
    for (const page of [start, textOf(unknown), refused.html]) expect(page).not.toMatch(/\/docs(?!\/points)|openapi/);
    for (const path of ['/fraud/docs', '/fraud/docs/', '/fraud/openapi.json'])
      expect(await answer(reading(path, '', HTML)), path).toMatchObject({ status: 404 });
    // Programs see what they saw before, and so do browsers at the address of forms.
    for (const path of ['/fraud/', '/fraud/foo'])
      expect(await answer(reading(path))).toMatchObject({ status: 404, body: expect.stringMatching(/^ERROR: /) });
    expect(await answer(reading('/fraud/api/', '', HTML))).toMatchObject({ status: 200, body: 'ERR:ACTION' });
  });

  it('says where an API key comes from, as /docs does', async () => {
    for (const path of ['/fraud/', '/fraud/docs']) {
      const keysAt = async (options?: PagesOptions) =>
        textOf(await (await serve([], options))(reading(path, '', HTML)));
      expect(await keysAt()).toMatch(/The operator of this service gives you one\./);
      expect(await keysAt({ panel: () => undefined })).toMatch(/gives you one, or a link to sign in to the panel/);
    }
  });

  it('is marked for caches, as all that it replies to programs at addresses with a page', async () => {
    const answer = await serve();
    const { engine } = await createTestEngine({ publicUrl: 'https://reports.example/fraud' });
    const without = createAnswer(engine, { basePath: '/fraud' });
    for (const path of ['/fraud', '/fraud/', '/fraud/api', '/fraud/api/', '/fraud/foo', '/fraud/report/x']) {
      const { headers, ...plain } = await without(reading(path));
      expect(await answer(reading(path)), path).toEqual({ ...plain, headers: { ...headers, Vary: 'Accept' } });
      expect((await answer(reading(path, '', HTML))).headers['Vary'], path).toBe('Accept');
      expect(headers['Vary'], path).toBeUndefined();
    }
    for (const path of ['/', '/foo']) expect((await answer(reading(path))).headers['Vary'], path).toBeUndefined();
  });

  it('links to the pages that the service has', async () => {
    const linksOf = async (...served: Parameters<typeof serve>): Promise<string[]> => {
      const html = textOf(await (await serve(...served))(reading('/fraud/', '', HTML)));
      return [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
    };
    expect(await linksOf(['requestDispute'])).toEqual(['/fraud/docs', '/fraud/docs/points']);
    const part = () => undefined;
    expect(await linksOf([], { panel: part, playground: part })).toEqual([
      '/fraud/docs',
      '/fraud/panel',
      '/fraud/playground',
      '/fraud/docs/points',
      '/fraud/dispute',
      '/fraud/case',
    ]);
  });
});
