import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuse, type Refusal } from '../../src/core/domain/refusal.ts';
import type { AnswerEvent, HttpReply, HttpRequest } from '../../src/core/http/exchange.ts';
import type { AnswerOptions } from '../../src/core/http/answer-options.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import { createFetchHandler } from '../../src/core/http/fetch.ts';
import {
  formatClassicError,
  parseClassicError,
  parseClassicReceipt,
  parseClassicResult,
  toViewerCode,
} from '../../src/core/protocol/classic.ts';
import { hashOfLink } from '../../src/core/protocol/link.ts';
import { OK, parseError, parseResult } from '../../src/core/protocol/reply.ts';
import { parseViewer } from '../../src/core/protocol/viewer.ts';
import { budget } from '../budget.ts';
import { createTestEngine, hashOf } from '../engine/setup.ts';
import { asking, reading, textOf } from './asking.ts';
import { createServiceDouble } from './service-double.ts';
import { createMemoryStore } from '../memory-store.ts';

type Fields = Readonly<Record<string, string>>;

const EMAIL = hashOf(1);
const REPORT = { _action: 'report', _type: 'fraud', _value: '7', _text: 'A text.', email: EMAIL };
const QUERY = { _action: 'query', email: EMAIL };
const encode = (fields: Fields): string => new URLSearchParams(fields).toString();

/** A service that answers in both dialects, the classic one under `/classic`. */
async function open(options: AnswerOptions = {}, engineOptions: Parameters<typeof createTestEngine>[0] = {}) {
  const opened = await createTestEngine(engineOptions);
  const events: AnswerEvent[] = [];
  const onAnswer = (event: AnswerEvent): void => void events.push(event);
  const answer = createAnswer(opened.engine, { classicPath: '/classic', onAnswer, ...options });
  const { apiKey } = opened;
  return {
    ...opened,
    answer,
    events,
    post: (fields: Fields, path = '/classic/api/') =>
      answer(asking({ path, text: encode({ _api: apiKey, ...fields }), client: '192.0.2.1' })),
    get: (query: string, path = '/classic/api/', method = 'GET') =>
      answer({ ...reading(path, query), method, client: '192.0.2.1' }),
  };
}

describe('the classic dialect', () => {
  it('answers the three actions and the viewer in its own words, over the same data', async () => {
    const { post, get } = await open();
    const reported = await post(REPORT);
    const code = parseClassicReceipt(textOf(reported));
    expect(reported).toMatchObject({ status: 200, headers: { 'X-Deletion-Code': code, 'Cache-Control': 'no-store' } });

    const result = parseClassicResult(textOf(await post(QUERY)))!;
    const plain = parseResult(textOf(await post(QUERY, '/api/')))!;
    expect(result).toMatchObject({ points: plain.points, reported: 1, reliability: plain.reliability });
    const linkHash = hashOfLink(plain.link)!;
    expect(result.viewerCode).toBe(linkHash.slice(0, 16));

    const views = [
      await get(`showreport=${result.viewerCode}`),
      await get(`showreport=${result.viewerCode.toUpperCase()}`),
      await get('', `/classic/report/${result.viewerCode}`),
      await get(`showreport=${linkHash}`),
      await get('', `/classic/report/${linkHash}`),
      await get(`showreport=${linkHash}`, '/api/'),
    ];
    expect(parseViewer(textOf(views[0]!))).toMatchObject([{ text: 'A text.', reporter: 'First Shop' }]);
    for (const view of views) expect(view).toEqual(views[0]);
    const head = await get(`showreport=${result.viewerCode}`, '/classic/api/', 'HEAD');
    expect(head).toEqual({ ...views[0], body: '' });

    expect(await post({ _action: 'delete', _code: code! })).toMatchObject({ status: 200, body: 'OK' });
    expect(textOf(await post(QUERY))).toBe(`<report>0-0-0.0-${result.viewerCode}</report>`);
    expect((await get(`showreport=${result.viewerCode}`)).status).toBe(404);
  });

  it('takes multipart forms, and queries by GET, but changes nothing by GET', async () => {
    const { post, get, apiKey, engine, answer } = await open();
    const code = parseClassicReceipt(textOf(await post(REPORT)))!;
    const fetched = createFetchHandler(engine, { dialect: 'classic' });
    const body = new FormData();
    for (const [name, value] of Object.entries({ _api: apiKey, ...QUERY })) body.append(name, value);
    const multipart = await fetched(new Request('http://flags.example/api/', { method: 'POST', body }));
    const asked = encode({ _api: apiKey, ...QUERY });
    expect(parseClassicResult(textOf(await get(asked)))).toEqual(parseClassicResult(await multipart.text()));
    expect(await get(asked, '/classic/api')).toEqual(await get(asked));

    const query = (fields: Fields): Promise<HttpReply> => get(encode({ _api: apiKey, ...fields }));
    for (const refused of [{ ...REPORT, _text: 'Another.' }, { _action: 'delete', _code: code }, { _action: 'Report' }])
      expect(await query(refused)).toMatchObject({ status: 200, body: 'ERR:ACTION' });
    expect(await get(`${asked}&_action=delete&_code=${code}`)).toMatchObject({ status: 200, body: 'ERR:ACTION' });
    expect(await get(`${asked}&_Action=query`)).toMatchObject({ status: 200, body: 'ERR:DATA' });
    expect(await get('email=caf%E9&_action=query')).toMatchObject({ status: 200, body: 'ERR:DATA' });
    expect(await get('')).toMatchObject({ status: 200, body: 'ERR:ACTION' });
    expect(parseClassicResult(textOf(await get(asked)))).toMatchObject({ reported: 1 });
    // The other dialect is as it was.
    expect((await answer(reading('/api/', asked))).status).toBe(404);
  });

  it.each<[string, Fields, string]>([
    ['a wrong key', { ...QUERY, _api: 'f'.repeat(16) }, 'ERR:API'],
    ['a key of another form', { ...QUERY, _api: 'key' }, 'ERR:API'],
    ['an unknown action', { _action: 'search', email: EMAIL }, 'ERR:ACTION'],
    ['no action', { email: EMAIL }, 'ERR:ACTION'],
    ['no identifier', { _action: 'query' }, 'NODATA'],
    ['a value that is no hash', { ...QUERY, email: 'jane@example.org' }, 'ERR:DATA'],
    ['a missing text', { ...REPORT, _text: '' }, 'ERR:DATA'],
    ['an unknown code', { _action: 'delete', _code: '0'.repeat(16) }, 'ERR:DATA'],
    ['a form that is too long', { ...REPORT, _text: 'x'.repeat(70_000) }, 'ERR:DATA'],
  ])('answers %s with status 200', async (_, fields, body) => {
    const { post, events } = await open();
    const reply = await post(fields);
    expect(reply).toMatchObject({ status: 200, body });
    expect(reply.headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    expect(events).toMatchObject([{ status: 200 }]);
    expect(events[0]!.outcome).not.toBe('ok');
  });

  it('answers other content types with 200, and other addresses and methods with 404 and 405', async () => {
    const { answer, get } = await open();
    expect(await answer(asking({ path: '/classic/api/', headers: {} }))).toMatchObject({
      status: 200,
      body: 'ERR:DATA',
    });
    expect(await answer(asking({ path: '/classic/api/', method: 'PUT' }))).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD, POST' },
    });
    for (const path of ['/classic', '/classic/', '/classic/api/x', '/classic/report/x', '/classical/api/'])
      expect((await answer(asking({ path, text: encode(QUERY) }))).status).toBe(404);
    expect((await get(encode(QUERY), '/classic/api/', 'HEAD')).status).toBe(404);
    expect((await get('showreport=xyz')).status).toBe(404);
  });

  it('says when to retry after a limit or failure, and shares both with the other dialect', async () => {
    const { post } = await open({}, { limits: { query: { requests: 1, windowSeconds: 60 } } });
    expect((await post(QUERY, '/api/')).status).toBe(200);
    expect(await post(QUERY)).toMatchObject({ status: 200, headers: { 'Retry-After': '60' }, body: 'ERR:LIMIT' });

    const service = createServiceDouble();
    const answer = createAnswer(service, { dialect: 'classic' });
    service.next = { refusal: { reason: 'unavailable', retryAfterSeconds: 5 } };
    const text = encode({ ...QUERY, _api: '00000000000000a1' });
    expect(await answer(asking({ text }))).toMatchObject({
      status: 200,
      headers: { 'Retry-After': '5' },
      body: 'ERR:UNAVAILABLE',
    });
    service.next = { error: new Error('broken') };
    expect(await answer(asking({ text }))).toMatchObject({
      status: 200,
      headers: { 'Retry-After': '60' },
      body: 'ERR:UNAVAILABLE',
    });
    // In the other dialect, 500 tells that a retry does not help.
    service.next = { error: new Error('broken') };
    const plain = await createAnswer(service)(asking({ text }));
    expect(plain.status).toBe(500);
    expect(plain.headers['Retry-After']).toBeUndefined();
  });

  it('counts forms of both dialects together', async () => {
    const service = { ...createServiceDouble(), query: () => new Promise<never>(() => undefined) };
    const answer = createAnswer(service, { classicPath: '/classic', formsAtOnce: 1 });
    const text = encode({ ...QUERY, _api: '00000000000000a1' });
    void answer(asking({ text }));
    expect(await answer(asking({ path: '/classic/api/', text }))).toMatchObject({
      status: 200,
      headers: { 'Retry-After': '2' },
      body: 'ERR:UNAVAILABLE',
    });
  });
});

describe('viewer codes', () => {
  it('are not taken where the dialect is off', async () => {
    const { post, get, events } = await open();
    await post(REPORT);
    const { viewerCode } = parseClassicResult(textOf(await post(QUERY)))!;
    expect((await get(`showreport=${viewerCode}`, '/api/')).status).toBe(404);
    expect(await get('', `/report/${viewerCode}`)).toMatchObject({
      status: 404,
      body: expect.stringMatching(/^ERROR/),
    });
    expect((await get(`showreport=${viewerCode}`)).status).toBe(200);
    expect(events.slice(-3).map(({ action }) => action)).toEqual(['viewer', 'other', 'viewer']);
  });

  it('count against the limit of the viewer, whether a link has them or not', async () => {
    const { get } = await open({}, { limits: { viewer: { requests: 2, windowSeconds: 60 } } });
    expect((await get(`showreport=${'0'.repeat(16)}`)).status).toBe(404);
    expect((await get('', `/classic/report/${'1'.repeat(16)}`)).status).toBe(404);
    expect(await get(`showreport=${'0'.repeat(16)}`)).toMatchObject({ status: 429, headers: { 'Retry-After': '30' } });
    expect((await get(`showreport=${'0'.repeat(40)}`, '/api/')).status).toBe(429);
  });

  it('that two links have show neither', async () => {
    const store = await createMemoryStore();
    const { post, get } = await open({}, { store });
    await post(REPORT);
    const { viewerCode } = parseClassicResult(textOf(await post(QUERY)))!;
    expect((await get(`showreport=${viewerCode}`)).status).toBe(200);
    const identifiers = [{ kind: 'email', hash: EMAIL }];
    await store.putLink({ linkHash: viewerCode.padEnd(40, '0'), identifiers, createdAt: 1 }, 9);
    expect((await get(`showreport=${viewerCode}`)).status).toBe(404);
    expect((await get(`showreport=${viewerCode.padEnd(40, '0')}`)).status).toBe(200);
  });
});

describe('laws of the two dialects', () => {
  const KEYS = ['mine', 'theirs', 'f'.repeat(16), ''];
  const hashes = fc.constantFrom(hashOf(1), hashOf(2), hashOf(3), hashOf(3).toUpperCase(), '', 'jane@example.org');
  const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 9 });
  const forms = fc.record({
    _api: optional(fc.constantFrom(...KEYS.slice(0, 2), ...KEYS)),
    _action: optional(fc.constantFrom('report', 'query', 'delete', 'report', 'query', 'delete', 'other')),
    _type: optional(fc.constantFrom('fraud', 'phishing', 'rudeness')),
    _value: optional(fc.constantFrom('1', '10', '11')),
    _text: optional(fc.constantFrom('One.', 'Two.', '', 'I am jane@example.org')),
    _code: optional(fc.nat(4)),
    email: optional(hashes),
    email2: fc.option(hashes, { nil: undefined, freq: 1 }),
    phone: fc.option(hashes, { nil: undefined, freq: 1 }),
  });
  const steps = fc.record({ form: forms, isGet: fc.boolean(), sentAll: fc.boolean(), isMultipart: fc.boolean() });
  type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

  const OWN: Readonly<Record<string, readonly string[]>> = {
    report: ['_api', '_action', '_type', '_value', '_text', 'email', 'email2', 'phone'],
    query: ['_api', '_action', 'email', 'email2', 'phone'],
    delete: ['_api', '_action', '_code'],
  };

  /** What a request says about the data, in whichever dialect. */
  interface Told {
    readonly outcome: AnswerEvent['outcome'];
    readonly numbers?: readonly number[] | undefined;
    readonly code?: string | undefined;
  }

  /** Plays a history in one dialect. Returns what was told, and the store's content after each step. */
  async function play(history: readonly Step[], dialect: 'specification' | 'classic') {
    const store = await createMemoryStore();
    const limits = { query: { requests: 6, windowSeconds: 60 } };
    const { engine, clock, apiKey, otherKey } = await createTestEngine({ store, limits });
    const events: AnswerEvent[] = [];
    const answer = createAnswer(engine, {
      dialect,
      ...(dialect === 'classic' ? {} : { allowGetQuery: true }),
      onAnswer: (event) => void events.push(event),
    });
    const codes: string[] = [];
    const seen: (Told & { readonly digest: string })[] = [];
    for (const { form, isGet, sentAll, isMultipart } of history) {
      clock.nowMs += 1_000;
      const names = (!sentAll && OWN[form._action ?? '']) || Object.keys(form);
      const fields = Object.entries(form).flatMap(([name, value]): [string, string][] => {
        if (value === undefined || !names.includes(name)) return [];
        if (name === '_code') return [[name, codes[Number(value)] ?? '0'.repeat(16)]];
        if (name === '_api') return [[name, value === 'mine' ? apiKey : value === 'theirs' ? otherKey : String(value)]];
        return [[name, String(value)]];
      });
      const isQuery = form._action === 'query' && isGet;
      const reply = await answer(toRequest(fields, isQuery ? 'get' : isMultipart ? 'multipart' : 'urlencoded'));
      const told = (dialect === 'classic' ? readClassic : readPlain)(reply, events.at(-1)!);
      if (told.code !== undefined && form._action === 'report' && told.outcome === 'ok') codes.push(told.code);
      seen.push({ ...told, digest: createHash('sha256').update(store.export()).digest('hex') });
    }
    await engine.close();
    await store.close();
    return seen;
  }

  function toRequest(
    fields: readonly (readonly [string, string])[],
    as: 'get' | 'multipart' | 'urlencoded',
  ): HttpRequest {
    const text = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
    if (as === 'get') return reading('/api/', text);
    if (as === 'urlencoded') return asking({ text });
    const part = ([name, value]: readonly [string, string]): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    return asking({ headers, text: `${fields.map(part).join('')}--x--\r\n` });
  }

  function readPlain(reply: HttpReply, { outcome }: AnswerEvent): Told {
    const body = textOf(reply);
    const result = parseResult(body);
    if (outcome !== 'ok') expect(parseError(body)).toBeDefined();
    if (!result) return { outcome, code: reply.headers['X-Deletion-Code'] };
    const { points, reported, reliability, link } = result;
    return { outcome, numbers: [points, reported, reliability], code: toViewerCode(hashOfLink(link)!) };
  }

  function readClassic(reply: HttpReply, { outcome }: AnswerEvent): Told {
    const body = textOf(reply);
    expect(reply.status).toBe(200);
    const result = parseClassicResult(body);
    const readings = [result, parseClassicReceipt(body), body === OK || undefined, parseClassicError(body)];
    expect(readings.filter((one) => one !== undefined)).toHaveLength(1);
    expect(parseClassicError(body) === undefined).toBe(outcome === 'ok');
    if (!result) return { outcome, code: parseClassicReceipt(body) };
    const { points, reported, reliability, viewerCode } = result;
    return { outcome, numbers: [points, reported, reliability], code: viewerCode };
  }

  it('the same requests do the same to the store, and are told the same', async () => {
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 12 }), async (history) => {
        const told = await play(history, 'specification');
        expect(await play(history, 'classic')).toEqual(told);
        for (const { outcome } of told) outcomes.add(outcome);
      }),
      { numRuns: budget(12), seed: 5 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['ok', 'unknown-key', 'invalid-identifier', 'missing-field']));
  }, 600_000);

  it('an error never reads as a result, to clients of either dialect', () => {
    const refusals = [
      'unknown-key',
      'no-identifier',
      'unknown-action',
      'unknown-code',
      'internal',
      'not-found',
    ] as const;
    for (const reason of refusals) {
      const body = formatClassicError(refuse({ reason } as Refusal).refusal);
      expect(parseClassicError(body)).toBe(body);
      expect([parseClassicResult(body), parseClassicReceipt(body), parseResult(body)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(body).not.toMatch(/^OK|-|</);
    }
  });
});
