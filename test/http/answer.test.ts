import { describe, expect, it, vi } from 'vitest';
import type { AnswerOptions } from '../../src/core/http/answer-options.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { HttpReply } from '../../src/core/http/exchange.ts';
import type { LogEvent } from '../../src/core/http/failure.ts';
import { accept } from '../../src/core/domain/refusal.ts';
import { PepperError, StoreDamagedError, unwrap } from '../../src/index.ts';
import { StoreFormatError } from '../../src/core/store/errors.ts';
import { asking, reading } from './asking.ts';
import { createRealService } from './real-service.ts';
import { KEYS, createServiceDouble, type ServiceDouble } from './service-double.ts';

const HASH = 'a'.repeat(40);
const QUERY = `_api=${KEYS.shop}&_action=query&email=${HASH}`;
const LIMITED = {
  reason: 'limited',
  limit: { name: 'query', requests: 1800, windowSeconds: 60 },
  retryAfterSeconds: 11.2,
} as const;

/** As another copy of the package has it: the class that this one loaded is another. */
const COPY = '../../src/core/store/errors.ts?copy';
const { StoreUnavailableError } = (await import(COPY)) as typeof import('../../src/core/store/errors.ts');

describe('the options', () => {
  it.each<[string, typeof TypeError | typeof RangeError, object]>([
    ['basePath', TypeError, { basePath: 'fraud' }],
    ['basePath', TypeError, { basePath: '/fraud?x' }],
    ['basePath', TypeError, { basePath: 'https://flags.example/fraud' }],
    ['basePath', TypeError, { basePath: 7 }],
    ['bodyBytes', RangeError, { bodyBytes: 0 }],
    ['bodyBytes', RangeError, { bodyBytes: Number.NaN }],
    ['bodyBytes', TypeError, { bodyBytes: '65536' }],
    ['fields', RangeError, { fields: 1.5 }],
    ['formsAtOnce', RangeError, { formsAtOnce: 0 }],
    ['errorStatus', RangeError, { errorStatus: 400 }],
    ['errorStatus', TypeError, { errorStatus: '200' }],
    ['dialect', TypeError, { dialect: 'old' }],
    ['classicPath', TypeError, { classicPath: 'classic' }],
    ['classicPath', RangeError, { classicPath: '/classic', dialect: 'classic' }],
    ['classicPath', RangeError, { classicPath: '/' }],
    ['classicPath', RangeError, { classicPath: '/red%2Dflag/', basePath: '/red-flag' }],
    ['allowGetQuery', TypeError, { allowGetQuery: 'yes' }],
    ['allowGetQuery', RangeError, { allowGetQuery: false, dialect: 'classic' }],
    ['allowGetQuery', RangeError, { allowGetQuery: true, dialect: 'classic' }],
    ['errorStatus', RangeError, { errorStatus: 200, dialect: 'classic' }],
    ['log', TypeError, { log: 'console' }],
    ['basepath', TypeError, { basepath: '/fraud' }],
    ['trustProxies', TypeError, { trustProxies: 1 }],
  ])('refuse a wrong "%s" with a %o', (label, error, options) => {
    const create = (): unknown => createAnswer(createServiceDouble(), options);
    expect(create).toThrow(error);
    expect(create).toThrow(`"${label}"`);
  });

  it.each([
    '/café',
    '/a b',
    '/a/../b',
    '/./a',
    '/a/%2E%2e',
    '//evil',
    '/a//b',
    '/%78',
    '/%7Ea',
    '/a\\b',
    '/100%',
    '/"',
  ])('refuse the base path %s, which no request reaches', (basePath) => {
    expect(() => createAnswer(createServiceDouble(), { basePath })).toThrow('"basePath" expected a path');
  });

  it.each(['/v1.0/~shop', '/caf%C3%A9', '/red%2Dflag', '/a;b=c,d/:e@f', '/.hidden', '/...'])(
    'answer under the base path %s',
    async (basePath) => {
      const answer = createAnswer(createServiceDouble(), { basePath });
      const { pathname } = new URL(`https://flags.example${basePath}/api/`);
      expect((await answer(asking({ path: pathname, text: QUERY }))).status).toBe(200);
    },
  );

  it('take a base path with a slash at its end', async () => {
    const answer = createAnswer(createServiceDouble(), { basePath: '/fraud/' });
    expect((await answer(asking({ path: '/fraud/api/', text: QUERY }))).status).toBe(200);
    expect((await answer(asking({ path: '/api/', text: QUERY }))).status).toBe(404);
    expect((await answer(asking({ path: '/fraudapi/', text: QUERY }))).status).toBe(404);
  });

  it('answer no path that only begins like the base path', async () => {
    const service = createServiceDouble();
    const answer = createAnswer(service, { basePath: '/red' });
    for (const path of [`/redx/report/${HASH}`, `/red-flag/report/${HASH}`, `/report/${HASH}`])
      expect(await answer(reading(path))).toMatchObject({ status: 404 });
    expect(service.calls).toEqual([]);
    await answer(reading(`/red/report/${HASH}`));
    expect(service.calls).toHaveLength(1);
  });

  it('find a base path with a hyphen also where a link wrote it %2D', async () => {
    const service = createServiceDouble();
    const answer = createAnswer(service, { basePath: '/red-flag' });
    await answer(reading(`/red%2Dflag/report/${HASH}`));
    await answer(reading(`/red%2dflag/report/${HASH}`));
    await answer(reading(`/red-flag/report/${HASH}`));
    expect(service.calls).toHaveLength(3);
  });

  it('bound bytes and fields', async () => {
    const report = `_api=${KEYS.shop}&_action=report&_type=fraud&_value=1&_text=four&email=${HASH}`;
    const answered = async (options: AnswerOptions): Promise<HttpReply['body']> =>
      (await createAnswer(createServiceDouble(), options)(asking({ text: `${report}&ip=${HASH}` }))).body;
    expect(await answered({ bodyBytes: 50 })).toBe('ERROR: The request body is larger than 50 bytes.');
    expect(await answered({ fields: 3 })).toBe('ERROR: The form has more than 3 fields.');
    expect(await answered({})).toBe('OK');
  });
});

describe('forms at once', () => {
  it('refuse further ones with 503, without asking the service, until one is answered', async () => {
    const double = createServiceDouble();
    const waiting: (() => void)[] = [];
    const service: ServiceDouble = {
      ...double,
      query: async (request) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return double.query(request);
      },
    };
    const answer = createAnswer(service, { formsAtOnce: 2 });
    const ask = (): Promise<HttpReply> => answer(asking({ text: QUERY }));
    expect(answer.load()).toEqual({ forms: 0, views: 0 });
    const [first, second] = [ask(), ask()];
    await expect.poll(() => waiting.length).toBe(2);
    expect(answer.load()).toEqual({ forms: 2, views: 0 });
    expect(await ask()).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2', 'Cache-Control': 'no-store' },
      body: 'ERROR: The service has too much to do. Try again in 2 seconds.',
    });
    expect(await answer(asking({ text: 'what=ever' }))).toMatchObject({ status: 503 });
    expect(await answer(reading(`/report/${HASH}`))).toMatchObject({ status: 404 });

    waiting[0]?.();
    expect((await first).status).toBe(200);
    const third = ask();
    await expect.poll(() => waiting.length).toBe(3);
    for (const answerNow of waiting) answerNow();
    expect((await second).status).toBe(200);
    expect((await third).status).toBe(200);
    expect(answer.load()).toEqual({ forms: 0, views: 0 });
  });

  it('do not count a form whose body still arrives, nor one that failed', async () => {
    const service = createServiceDouble();
    const answer = createAnswer(service, { formsAtOnce: 1 });
    void answer({ ...asking({ text: '' }), body: () => new Promise(() => undefined) });
    service.next = { error: new Error('broken') };
    expect((await answer(asking({ text: QUERY }))).status).toBe(500);
    expect((await answer(asking({ text: QUERY }))).status).toBe(200);
  });
});

it('counts the long bodies of the viewer that wait, and refuses further ones with 503', async () => {
  const text = 'x'.repeat(20_000);
  const reports = [{ reportId: '1'.repeat(16), type: 'fraud', severity: 5, text, createdAt: 0, reporter: 'Shop' }];
  const service: ServiceDouble = { ...createServiceDouble(), view: async () => accept(reports) };
  const answer = createAnswer(service);
  const replies = Array.from({ length: 66 }, () => answer(reading(`/report/${HASH}`)));
  expect(await replies.at(-1)).toMatchObject({ status: 503 });
  expect(answer.load()).toEqual({ forms: 0, views: 64 });
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses).toEqual([...Array.from({ length: 64 }, () => 200), 503, 503]);
  expect(answer.load()).toEqual({ forms: 0, views: 0 });
});

describe('errorStatus 200', () => {
  const answer = createAnswer(createServiceDouble(), { errorStatus: 200 });

  it('answers the failures of the actions with 200', async () => {
    for (const text of ['', '_action=query', QUERY.replace(KEYS.shop, 'ffffffffffffffff'), 'a'.repeat(70_000)]) {
      const reply = await answer(asking({ text }));
      expect(reply.status).toBe(200);
      expect(reply.body).toMatch(/^ERROR: /);
    }
    expect((await answer(asking({ headers: {} }))).status).toBe(200);
  });

  it('never makes a 200 of what is no action', async () => {
    expect((await answer(asking({ path: '/other' }))).status).toBe(404);
    expect((await answer(asking({ method: 'PUT' }))).status).toBe(405);
    expect((await answer(reading('/api/'))).status).toBe(404);
    expect((await answer(reading('/api/', `showreport=${HASH}`))).status).toBe(404);
  });
});

describe('limits', () => {
  it('of the form say when to come back', async () => {
    const service = createServiceDouble();
    service.next = { refusal: LIMITED };
    const reply = await createAnswer(service)(asking({ text: QUERY }));
    expect(reply.status).toBe(429);
    expect(reply.body).toBe('ERROR: Too many query requests. Try again in 12 seconds.');
    expect(reply.headers).toMatchObject({
      'Retry-After': '12',
      'RateLimit-Policy': '"query";q=1800;w=60',
      RateLimit: '"query";r=0;t=12',
      'Cache-Control': 'no-store',
    });
  });

  it('of the viewer too, with an empty list', async () => {
    const service = createServiceDouble();
    service.next = {
      refusal: { ...LIMITED, limit: { name: 'viewer', requests: 60, windowSeconds: 60 }, retryAfterSeconds: 0 },
    };
    const reply = await createAnswer(service)(reading('/api/', `showreport=${HASH}`));
    expect(reply.status).toBe(429);
    expect(reply.body).toBe('{"ReportAdvanceds":[],"count":0}');
    expect(reply.headers).toMatchObject({
      'Retry-After': '1',
      'RateLimit-Policy': '"viewer";q=60;w=60',
      RateLimit: '"viewer";r=0;t=1',
      'Cache-Control': 'no-store',
    });
  });
});

describe('a key', () => {
  const client = '192.0.2.7';
  const invalid = [
    `_action=query&_text=x&email=${HASH}`,
    '_action=query&email=me@example.com',
    '_action=query',
    '_action=report&_value=5',
    '_action=delete&_code=x',
    `_action=delete&email=${HASH}`,
  ];

  it.each(invalid)('is checked before the other fields: %s', async (text) => {
    const service = createServiceDouble();
    const answer = createAnswer(service);
    const ask = async (apiKey: string) => (await answer(asking({ client, text: `_api=${apiKey}&${text}` }))).status;
    expect(await ask(KEYS.shop)).toBe(400);
    expect(await ask('0123456789abcdef')).toBe(401);
    expect(await ask('no key')).toBe(401);
    expect(await ask(KEYS.revoked)).toBe(403);
    expect(service.calls).toHaveLength(4);
    expect(service.calls[0]).toEqual({
      name: 'checkKey',
      request: { apiKey: KEYS.shop, action: /_action=(\w+)/.exec(text)![1], client },
    });
  });

  it('is passed with the address of the client, to every action', async () => {
    const service = createServiceDouble();
    const answer = createAnswer(service);
    const api = `_api=${KEYS.shop}`;
    for (const text of [QUERY, `${api}&_action=report&_type=fraud&_value=5&_text=x&email=${HASH}`])
      expect((await answer(asking({ client, text }))).status).toBe(200);
    expect((await answer(asking({ client, text: `${api}&_action=delete&_code=${'c'.repeat(16)}` }))).status).toBe(404);
    expect(service.calls.map(({ request }) => (request as { client?: string }).client)).toEqual(Array(3).fill(client));
  });

  it('that is unknown is limited by address, with the fields of the limit; a valid key never is', async () => {
    const { engine, keys } = await createRealService('https://reports.example', {
      limits: { 'unknown-key': { requests: 3, windowSeconds: 60 } },
    });
    const answer = createAnswer(engine);
    const ask = (apiKey: string, from = client) =>
      answer(asking({ client: from, text: `_api=${apiKey}&_action=query&email=${HASH}` }));
    const statuses = [];
    for (const key of ['0123456789abcdef', 'no key', '0123456789abcdee', '0123456789abcdef', keys.apiKey])
      statuses.push((await ask(key)).status);
    expect(statuses).toEqual([401, 401, 401, 429, 200]);
    const refused = await ask('0123456789abcdef');
    expect(refused.body).toMatch(/^ERROR: Too many requests with keys that do not work\. Try again in \d+ seconds\.$/);
    expect(refused.headers['Retry-After']).toMatch(/^(?:19|20)$/);
    expect(refused.headers['RateLimit-Policy']).toBe('"unknown-key";q=3;w=60');
    expect(refused.headers['RateLimit']).toBe(`"unknown-key";r=0;t=${refused.headers['Retry-After']}`);
    expect((await ask('0123456789abcdef', '192.0.2.8')).status).toBe(401);
    await engine.close();
  });
});

describe('the daily budget', () => {
  it('is refused with the fields of its limit', async () => {
    const { engine } = await createRealService('https://reports.example', {
      budgets: { identifiers: { verified: 5, new: 2 } },
    });
    const { reporterId } = unwrap(await engine.createReporter({ name: 'New Shop', verified: false }));
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    const ask = () =>
      createAnswer(engine)(asking({ text: `_api=${apiKey}&_action=query&email=${HASH}&phone=${'b'.repeat(40)}` }));
    expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatch(/^ERROR: The daily budget of identifiers is used up\. Try again in \d+ seconds\.$/);
    expect(refused.headers['RateLimit-Policy']).toBe('"identifiers";q=2;w=86400');
    expect(refused.headers['RateLimit']).toMatch(/^"identifiers";r=0;t=86(?:400|39\d)$/);
    await engine.close();
  });
});

describe('a multipart body', () => {
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const send = async (...fields: [string, string][]) => {
    const parsed = vi.spyOn(Response.prototype, 'formData');
    const text = `${fields.map(([name, value]) => part(name, value)).join('')}--x--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const { status, body } = await createAnswer(createServiceDouble())(asking({ text, headers }));
    const calls = parsed.mock.calls.length;
    parsed.mockRestore();
    return { status, body, calls };
  };
  const form: [string, string][] = [
    ['_action', 'query'],
    ['email', HASH],
  ];

  it('is parsed only if it has a key and no more fields than a form may have', async () => {
    expect(await send(...form, ['_API', KEYS.shop])).toMatchObject({ status: 200, calls: 1 });
    expect(await send(...form)).toEqual({ status: 401, body: 'ERROR: The field _api is missing.', calls: 0 });
    const many = Array.from({ length: 150 }, (_, n): [string, string] => [`ip${n}`, HASH]);
    expect(await send(...form, ['_api', KEYS.shop], ...many)).toEqual({
      status: 400,
      body: 'ERROR: The form has more than 64 fields.',
      calls: 0,
    });
  });
});

describe('a service that fails', () => {
  async function failing(
    error: unknown,
    request = asking({ text: QUERY }),
  ): Promise<HttpReply & { events: LogEvent[] }> {
    const service = createServiceDouble();
    const events: LogEvent[] = [];
    service.next = { error };
    return { ...(await createAnswer(service, { log: (event) => events.push(event) })(request)), events };
  }
  const viewer = reading('/api/', `showreport=${HASH}`);

  it('is answered 500 and logged without the message', async () => {
    const { status, body, events } = await failing(new TypeError(`duplicate ${HASH}\n    at ${HASH} (secret.js:1:1)`));
    expect(status).toBe(500);
    expect(body).toBe('ERROR: The service failed to answer this request.');
    expect(events).toEqual([
      { event: 'internal-error', error: expect.stringMatching(/^TypeError\nat .*:\d+:\d+/) as string },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/aaaa|secret\.js|duplicate/);
  });

  it('is answered 503 with Retry-After when its store is unavailable', async () => {
    const { status, headers, body, events } = await failing(new StoreUnavailableError('disk full'));
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'Retry-After': '5' });
    expect(body).toBe('ERROR: The service is not available. Try again in 5 seconds.');
    expect(events).toEqual([{ event: 'store-unavailable', error: 'StoreUnavailableError: disk full' }]);
  });

  it('is logged with what caused it, of which no more is told than its class and code', async () => {
    const refused = Object.assign(new Error(`connect ECONNREFUSED ${HASH}`), { code: 'ECONNREFUSED' });
    expect(
      (await failing(new StoreUnavailableError('the database cannot answer now', { cause: refused }))).events,
    ).toEqual([
      {
        event: 'store-unavailable',
        error: 'StoreUnavailableError: the database cannot answer now',
        cause: 'Error (ECONNREFUSED)',
      },
    ]);
    const full = Object.assign(new Error(`${HASH}`, { cause: HASH }), { name: 'error', code: '53300' });
    expect(
      (
        await failing(
          new StoreUnavailableError('not now', { cause: new StoreFormatError('a newer schema', { cause: full }) }),
          viewer,
        )
      ).events,
    ).toEqual([
      {
        event: 'store-unavailable',
        error: 'StoreUnavailableError: not now',
        cause: 'StoreFormatError: a newer schema, error (53300), a thrown string',
      },
    ]);
    expect((await failing(Object.assign(new Error(HASH), { code: 'ERR_INVALID_URL' }))).events[0]?.error).toMatch(
      /^Error \(ERR_INVALID_URL\)\nat /,
    );
    // What looks like no code of anybody's.
    for (const code of [HASH, 'Jane Doe', '', 7, undefined])
      expect(
        (await failing(new StoreUnavailableError('x', { cause: Object.assign(new Error(HASH), { code }) }))).events[0]
          ?.cause,
      ).toBe('Error');
    const circle = new StoreUnavailableError('in a circle');
    circle.cause = circle;
    expect((await failing(circle)).events).toHaveLength(1);
  });

  it('is logged with the words of the store’s own errors, in one line', async () => {
    expect((await failing(new PepperError('pepper 1 is not\nthe one'))).events).toEqual([
      { event: 'store-unavailable', error: 'PepperError: pepper 1 is not the one' },
    ]);
    const damaged = await failing(new StoreDamagedError('a row of report is damaged'));
    expect([damaged.status, damaged.events]).toEqual([
      500,
      [
        {
          event: 'internal-error',
          error: expect.stringMatching(/^StoreDamagedError: a row of report is damaged\nat .*:\d+:\d+/) as string,
        },
      ],
    ]);
  });

  it('is always 500 for the viewer, as its clients know it (protocol 7)', async () => {
    expect(await failing(new Error('x'), viewer)).toMatchObject({
      status: 500,
      body: '{"ReportAdvanceds":[],"count":0}',
    });
    expect(await failing(new StoreUnavailableError('x'), viewer)).toMatchObject({
      status: 500,
      headers: { 'Retry-After': '5' },
    });
  });

  it.each([
    undefined,
    null,
    'text',
    7,
    Symbol('x'),
    {},
    Object.assign(new Error('m'), { name: 'not a name\n' }),
    Object.assign(new Error('m'), { stack: undefined }),
  ])('by throwing %s is answered 500', async (error) => {
    const { status, events } = await failing(error);
    expect(status).toBe(500);
    expect(events).toHaveLength(1);
  });

  it('by answering what cannot be written is answered 500', async () => {
    const service = createServiceDouble();
    service.query = async () => ({
      ok: true,
      value: { points: 1, reported: 1, reliability: 1, link: `https://my-flags.example/report/${HASH}` },
    });
    expect((await createAnswer(service)(asking({ text: QUERY }))).status).toBe(500);
  });

  it('is answered also when the log fails', async () => {
    const service = createServiceDouble();
    service.next = { error: new Error('x') };
    const log = (): void => {
      throw new Error('full');
    };
    expect((await createAnswer(service, { log })(asking({ text: QUERY }))).status).toBe(500);
  });
});

describe('a body that cannot be read', () => {
  it("is answered 400 and is nobody's error", async () => {
    const events: LogEvent[] = [];
    const body = async (): Promise<never> => {
      throw new Error('aborted');
    };
    const reply = await createAnswer(createServiceDouble(), { log: (event) => events.push(event) })(asking({ body }));
    expect(reply).toMatchObject({ status: 400, body: 'ERROR: The request body cannot be read as a form.' });
    expect(events).toEqual([]);
  });
});

describe('content types', () => {
  it.each([
    ['form', 415],
    ['', 415],
    ['application/x-www-form-urlencoded, text/plain', 415],
    ['application/x-www-form-urlencoded;charset=latin1', 200],
    ['application/x-www-form-urlencoded;charset=utf-8;charset=latin1', 200],
    ['application/json', 415],
    ['application/x-www-form-urlencoded ; charset = utf8', 200],
    ['multipart/mixed; boundary=x', 415],
    ['constructor', 415],
  ])('%j is answered %i', async (type, status) => {
    expect(
      (await createAnswer(createServiceDouble())(asking({ text: QUERY, headers: { 'content-type': type } }))).status,
    ).toBe(status);
  });
});

describe('GET forms', () => {
  const answer = createAnswer(createServiceDouble(), { allowGetQuery: true });

  it('are answered when the operator allows them', async () => {
    const reply = await answer(reading('/api/', QUERY));
    expect(reply.body).toMatch(/^0-0-0\.0-/);
    expect(reply.headers).toMatchObject({ 'Cache-Control': 'no-store' });
    expect((await answer(reading('/api/', QUERY.replace('&email', '&phone=1&email')))).status).toBe(400);
    expect((await answer(reading('/api/', `${QUERY}&_action=query`))).status).toBe(400);
  });

  it('ask, and never change anything', async () => {
    const service = createServiceDouble();
    const asks = createAnswer(service, { allowGetQuery: true });
    for (const query of [
      `_api=${KEYS.shop}&_action=delete&_code=0123456789abcdef`,
      QUERY.replace('query', 'report'),
      `${QUERY}&_action=delete`,
      `_ACTION=delete&${QUERY}`,
    ]) {
      expect((await asks(reading('/api/', query))).status).toBe(404);
    }
    expect((await asks({ ...reading('/api/', QUERY), method: 'HEAD' })).status).toBe(404);
    expect(service.calls).toEqual([]);
  });

  it('come after the viewer', async () => {
    expect((await answer(reading('/api/', `${QUERY}&showreport=${HASH}`))).headers).toMatchObject({
      'Content-Type': 'application/json; charset=utf-8',
    });
  });
});

describe('parsed bodies', () => {
  const answer = createAnswer(createServiceDouble());
  const fields = { _api: KEYS.shop, _action: 'query', email: HASH };

  it.each<[string, unknown, string]>([
    ['a list of values', { ...fields, email: [HASH, HASH] }, 'ERROR: The field email was sent more than once.'],
    ['a list of one', { ...fields, email: [HASH] }, 'ERROR: The field email was sent more than once.'],
    [
      'a list with a strange name',
      { ...fields, 'a b': [HASH] },
      'ERROR: A field name is not valid. Names have 1 to 32 letters, digits, underscores or hyphens and begin with a letter.',
    ],
    ['an object inside', { ...fields, email: { a: HASH } }, 'ERROR: The request body cannot be read as a form.'],
    ['a number', { ...fields, email: 7 }, 'ERROR: The request body cannot be read as a form.'],
    ['null inside', { ...fields, email: null }, 'ERROR: The request body cannot be read as a form.'],
    [
      'a file',
      { ...fields, email: new File(['x'], 'x') },
      'ERROR: The form contains a file. Only text fields are accepted.',
    ],
    [
      'a list with a file',
      { ...fields, email: [new File(['x'], 'x')] },
      'ERROR: The form contains a file. Only text fields are accepted.',
    ],
    ['a list', [['_api', KEYS.shop]], 'ERROR: The request body cannot be read as a form.'],
    ['a Map', new Map(Object.entries(fields)), 'ERROR: The request body cannot be read as a form.'],
    ['null', null, 'ERROR: The request body cannot be read as a form.'],
    ['a number for a body', 7, 'ERROR: The request body cannot be read as a form.'],
    ['a lone surrogate', { ...fields, email: '\ud800' }, 'ERROR: The request holds text that is not UTF8.'],
    [
      '__proto__ as a name',
      JSON.parse(`{"_api":"${KEYS.shop}","_action":"query","__proto__":"x"}`),
      'ERROR: The field __proto__ is not known for this action.',
    ],
    ['too many bytes', 'a'.repeat(70_000), 'ERROR: The request body is larger than 32768 bytes.'],
    ['too many bytes of a value', { a: 'é'.repeat(16_400) }, 'ERROR: The request body is larger than 32768 bytes.'],
    ['too many bytes of names', { ['a'.repeat(40_000)]: '' }, 'ERROR: The request body is larger than 32768 bytes.'],
    [
      'too many bytes in pairs',
      new URLSearchParams(Array.from({ length: 900 }, (_, n) => [`a${n}`, 'b'.repeat(40)])),
      'ERROR: The request body is larger than 32768 bytes.',
    ],
  ])('with %s are refused', async (_, parsedBody, body) => {
    expect(await answer(asking({ parsedBody }))).toMatchObject({ body });
  });

  it('are read as far as bodies are, however many fields they have', async () => {
    let read = 0;
    const many = new URLSearchParams(Array.from({ length: 100_000 }, () => ['a', '']));
    const parsedBody = Object.assign(many, {
      *[Symbol.iterator]() {
        for (; read < 100_000; read++) yield ['a', ''] as const;
      },
    });
    expect((await answer(asking({ parsedBody }))).status).toBe(400);
    expect(read).toBeLessThanOrEqual(1_000);
  });

  it('do not make the content type right', async () => {
    expect((await answer(asking({ parsedBody: fields, headers: { 'content-type': 'application/json' } }))).status).toBe(
      415,
    );
  });

  it('do not reach prototypes', async () => {
    await answer(
      asking({ parsedBody: JSON.parse(`{"__proto__":{"_api":"${KEYS.shop}"},"constructor":{"prototype":{"x":"y"}}}`) }),
    );
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(({} as Record<string, unknown>)['_api']).toBeUndefined();
  });

  it('as multipart bytes are read as such', async () => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    const encoded = new Response(data);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    const parsedBody = Buffer.from(await encoded.arrayBuffer());
    expect((await answer(asking({ parsedBody, headers }))).status).toBe(200);
  });
});

describe('a leading question mark', () => {
  it('is part of the first name', async () => {
    const reply = await createAnswer(createServiceDouble())(asking({ text: `?${QUERY}` }));
    expect(reply.status).toBe(400);
  });
});
