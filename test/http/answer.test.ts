import { describe, expect, it } from 'vitest';
import type { AnswerOptions } from '../../src/http/answer-options.ts';
import { createAnswer } from '../../src/http/answer.ts';
import type { LogEvent } from '../../src/http/failure.ts';
import { PepperError, StoreDamagedError } from '../../src/index.ts';
import { StoreFormatError } from '../../src/store/errors.ts';
import { asking, reading } from './asking.ts';
import { KEYS, createServiceDouble } from './service-double.ts';

const HASH = 'a'.repeat(40);
const QUERY = `_api=${KEYS.shop}&_action=query&email=${HASH}`;
const LIMITED = {
  reason: 'limited',
  limit: { name: 'query', requests: 600, windowSeconds: 60 },
  retryAfterSeconds: 11.2,
} as const;

/** As another copy of the package has it: the class that this one loaded is another. */
const COPY = '../../src/store/errors.ts?copy';
const { StoreUnavailableError } = (await import(COPY)) as typeof import('../../src/store/errors.ts');

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
    ['errorStatus', RangeError, { errorStatus: 400 }],
    ['errorStatus', TypeError, { errorStatus: '200' }],
    ['allowGetQuery', TypeError, { allowGetQuery: 'yes' }],
    ['log', TypeError, { log: 'console' }],
    ['basepath', TypeError, { basepath: '/fraud' }],
    ['trustProxies', TypeError, { trustProxies: 1 }],
  ])('refuse a wrong "%s" with a %o', (label, error, options) => {
    const create = (): unknown => createAnswer(createServiceDouble(), options);
    expect(create).toThrow(error);
    expect(create).toThrow(`"${label}"`);
  });

  it('take a base path with a slash at its end', async () => {
    const answer = createAnswer(createServiceDouble(), { basePath: '/fraud/' });
    expect((await answer(asking({ path: '/fraud/api/', text: QUERY }))).status).toBe(200);
    expect((await answer(asking({ path: '/api/', text: QUERY }))).status).toBe(404);
    expect((await answer(asking({ path: '/fraudapi/', text: QUERY }))).status).toBe(404);
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
    const textOf = async (options: AnswerOptions): Promise<string> =>
      (await createAnswer(createServiceDouble(), options)(asking({ text: `${report}&ip=${HASH}` }))).body;
    expect(await textOf({ bodyBytes: 50 })).toBe('ERROR: The request body is larger than 50 bytes.');
    expect(await textOf({ fields: 3 })).toBe('ERROR: The form has more than 3 fields.');
    expect(await textOf({})).toBe('OK');
  });
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
      'RateLimit-Policy': '"query";q=600;w=60',
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

describe('a service that fails', () => {
  async function failing(
    error: unknown,
    request = asking({ text: QUERY }),
  ): Promise<{ status: number; headers: object; body: string; events: LogEvent[] }> {
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

  it('is always 500 for the viewer, as its clients know it (spec 7)', async () => {
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
    ['application/x-www-form-urlencoded;charset=latin1', 415],
    ['application/x-www-form-urlencoded;charset=utf-8;charset=latin1', 415],
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
    ['too many bytes', 'a'.repeat(70_000), 'ERROR: The request body is larger than 65536 bytes.'],
  ])('with %s are refused', async (_, parsedBody, body) => {
    expect(await answer(asking({ parsedBody }))).toMatchObject({ body });
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
