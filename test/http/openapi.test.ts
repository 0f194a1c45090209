import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../src/core/engine/service.ts';
import { withoutHashes } from '../../src/sealed/engine/sealing.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { AnswerOptions } from '../../src/core/http/answer-options.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { createOpenApi, type OpenApiDocument, type OpenApiOptions } from '../../src/core/http/openapi.ts';
import { StoreUnavailableError, unwrap, type EngineOptions, type Store } from '../../src/index.ts';
import { formatViewer } from '../../src/core/protocol/viewer.ts';
import { budget } from '../budget.ts';
import { readErrorTable } from '../docs/error-table.ts';
import { reports } from '../protocol/arbitraries.ts';
import { listenOn } from './listening.ts';
import { createChecker, type SentReply } from './openapi-check.ts';
import { createRealService } from './real-service.ts';
import { createMemoryStore } from '../memory-store.ts';

const PUBLIC_URL = 'https://flags.example';
const HASH = 'e6046ea1e61328d5ad100fdf7507b841b5112932';

/** A real service over HTTP, with a checker of the document that it serves. */
async function serve(
  options: Partial<EngineOptions> = {},
  answers: AnswerOptions = {},
  wrap: (service: Service) => Service = (service) => service,
) {
  const { engine, keys } = await createRealService(PUBLIC_URL, options);
  const server = await listenOn(createListener(wrap(engine), { requestIds: 'failures', log: () => {}, ...answers }));
  const send = async (path: string, init?: RequestInit): Promise<SentReply> => {
    const response = await fetch(server.origin + path, init);
    return { status: response.status, headers: response.headers, body: await response.text() };
  };
  const document = JSON.parse((await send('/openapi.json')).body) as OpenApiDocument;
  const form = (fields: Readonly<Record<string, string>>): Promise<SentReply> =>
    send('/api/', { method: 'POST', body: new URLSearchParams(fields) });
  return { engine, keys, send, form, document, checker: createChecker(document), close: () => server.close() };
}
type Served = Awaited<ReturnType<typeof serve>>;

describe('the options', () => {
  it.each([
    [{ publicUrl: 'ftp://a.example' }, '"publicUrl"'],
    [{ publicUrl: 7 }, '"publicUrl"'],
    [{ offenceTypes: [] }, '"offenceTypes"'],
    [{ offenceTypes: 'fraud' }, '"offenceTypes"'],
    [{ offenceTypes: ['fraud', 7] }, '"offenceTypes"'],
    [{ offenceTypes: ['Not A Name'] }, '"offenceTypes"'],
    [{ bounds: { identifiers: 0 } }, '"bounds.identifiers"'],
    [{ bounds: { characters: 1 } }, '"bounds.characters"'],
    [{ fields: 0 }, '"fields"'],
    [{ basePath: '/x' }, '"basePath"'],
  ])('refuses %j', (options, message) => {
    expect(() => createOpenApi(options as unknown as OpenApiOptions)).toThrow(message);
  });

  it('list each offence type once, as the engine does', () => {
    expect(createOpenApi({ offenceTypes: ['fraud', 'own', 'fraud'] })).toEqual(
      createOpenApi({ offenceTypes: ['fraud', 'own'] }),
    );
  });
});

describe('the served document', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(
      { offenceTypes: ['fraud', 'rudeness'], bounds: { identifiers: 3 } },
      { bodyBytes: 4096, fields: 9 },
    );
  });
  afterAll(() => served.close());

  it('has what the operator set', async () => {
    const rules = { offenceTypes: ['fraud', 'rudeness'], bounds: { identifiers: 3 }, bodyBytes: 4096, fields: 9 };
    expect(served.document).toEqual(createOpenApi({ publicUrl: PUBLIC_URL, ...rules }));
    expect(served.document).not.toEqual(createOpenApi());
  });

  it('can be cached, and read by any page', async () => {
    const { status, headers } = await served.send('/openapi.json', { method: 'HEAD' });
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    });
    const again = await served.send('/openapi.json', { headers: { 'If-None-Match': headers.get('etag')! } });
    expect(again).toMatchObject({ status: 304, body: '' });
  });

  it('is under the base path, takes no POST, and is not there if the service does not describe itself', async () => {
    const request = { method: 'GET', query: '', header: () => undefined, body: async () => new Uint8Array() };
    const under = createAnswer(served.engine, { basePath: '/fraud' });
    expect(await under({ ...request, path: '/fraud/openapi.json' })).toMatchObject({ status: 200 });
    expect(await under({ ...request, path: '/openapi.json' })).toMatchObject({ status: 404 });
    expect(await under({ ...request, method: 'POST', path: '/fraud/openapi.json' })).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, HEAD' },
    });
    const { describe: _, ...silent } = served.engine;
    expect(await createAnswer(silent)({ ...request, path: '/openapi.json' })).toMatchObject({ status: 404 });
  });
});

describe('the examples', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve();
  });
  afterAll(() => served.close());

  it.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    '%s: a service answers as described',
    async (type) => {
      const { checker, keys, send, engine } = served;
      const post = checker.operation('/api/', 'post');
      const identifiers = [{ kind: 'email', hash: HASH }];
      const draft = { type: 'fraud', severity: 3, text: `To be deleted, ${type.length}.`, identifiers };
      const { deletionCode } = unwrap(await engine.report({ apiKey: keys.apiKey, ...draft }));

      for (const [action, { value }] of Object.entries(post.requestBody!.content[type]!.examples)) {
        expect(checker.accepts('Form', value)).toBe(true);
        const known: Readonly<Record<string, string>> = { _api: keys.apiKey, _code: deletionCode };
        const body = type === 'multipart/form-data' ? new FormData() : new URLSearchParams();
        for (const [name, field] of Object.entries(value)) body.append(name, known[name] ?? String(field));
        const reply = await send('/api/', { method: 'POST', body });
        expect(reply.status, action).toBe(200);
        expect(checker.differences(post, reply)).toEqual([]);
        if (action !== 'query') continue;
        const linkHash = reply.body.slice(-40);
        for (const [path, address] of [
          ['/api/', `/api/?showreport=${linkHash}`],
          ['/report/{hash}', `/report/${linkHash}`],
        ] as const) {
          const view = await send(address);
          expect(view.status).toBe(200);
          expect(checker.differences(checker.operation(path, 'get'), view)).toEqual([]);
          const unchanged = await send(address, { headers: { 'If-None-Match': view.headers.get('etag')! } });
          expect(unchanged.status).toBe(304);
          expect(checker.differences(checker.operation(path, 'get'), unchanged)).toEqual([]);
        }
      }
    },
  );

  it('of errors are the closed list of docs/protocol.md, with its statuses', () => {
    const { checker } = served;
    const examples = checker
      .examples(checker.operation('/api/', 'post'))
      .filter(({ value }) => String(value).startsWith('ERROR:'));
    // What any address answers is in the introduction.
    const rows = readErrorTable().filter(({ status, body }) => status !== 405 && !/nothing at/.test(body.source));
    for (const { status, value } of examples)
      expect(
        rows.filter((row) => row.status === status && row.body.test(String(value))),
        String(value),
      ).toHaveLength(1);
    for (const { status, body } of rows)
      expect(
        examples.filter((example) => example.status === status && body.test(String(example.value))),
        body.source,
      ).not.toEqual([]);
  });

  it('are valid by their schemas', () => {
    const { checker } = served;
    for (const [path, method] of [
      ['/api/', 'post'],
      ['/api/', 'get'],
      ['/report/{hash}', 'get'],
    ] as const) {
      const operation = checker.operation(path, method);
      for (const { status, value } of checker.examples(operation)) {
        const headers = new Headers({ 'content-type': typeof value === 'string' ? 'text/plain' : 'application/json' });
        const body = typeof value === 'string' ? value : JSON.stringify(value);
        expect(checker.differences(operation, { status, headers, body })).toEqual([]);
      }
    }
  });
});

describe('every refusal', () => {
  /** A request that a new service refuses, and the name of the example. */
  type Attempt = readonly [name: string, ask: (served: Served) => Promise<SentReply>];
  const query = { _action: 'query', email: HASH };
  const report = { _action: 'report', _type: 'fraud', _value: '1', _text: 'Text.', email: HASH };
  const asShop =
    (fields: Readonly<Record<string, string>>) =>
    ({ form, keys }: Served) =>
      form({ _api: keys.apiKey, ...fields });
  const raw =
    (body: string, type = 'application/x-www-form-urlencoded') =>
    ({ send, keys }: Served) =>
      send('/api/', { method: 'POST', headers: { 'Content-Type': type }, body: body.replace('KEY', keys.apiKey) });
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`ip${at + 1}`, `${at}`.padStart(40, '0')]));
  const twice =
    (ask: Attempt[1]): Attempt[1] =>
    async (served) => {
      await ask(served);
      return ask(served);
    };

  const attempts: readonly Attempt[] = [
    ['malformed-body', raw('no parts', 'multipart/form-data; boundary=x')],
    ['invalid-encoding', raw('email=caf%E9')],
    ['too-many-fields', asShop({ ...query, ...many(62) })],
    ['repeated-field', raw(`_action=query&email=${HASH}&email=${HASH}`)],
    ['invalid-field-name', asShop({ ...query, 'email[]': HASH })],
    ['unknown-field', asShop({ ...query, _note: 'x' })],
    [
      'file-upload',
      ({ send, keys }) => {
        const body = new FormData();
        body.append('_api', keys.apiKey);
        body.append('photo', new Blob(['x']), 'photo.png');
        return send('/api/', { method: 'POST', body });
      },
    ],
    ['unknown-action', asShop({ _action: 'Report' })],
    ['invalid-type', asShop({ ...report, _type: 'rudeness' })],
    ['invalid-severity', asShop({ ...report, _value: '11' })],
    ['invalid-text', asShop({ ...report, _text: '' })],
    ['personal-data', asShop({ ...report, _text: 'He is jane@example.com' })],
    ['invalid-identifier', asShop({ ...query, email: 'x' })],
    ['no-identifier', asShop({ _action: 'query' })],
    ['too-many-identifiers', asShop({ ...query, ...many(32) })],
    ['invalid-code', asShop({ _action: 'delete', _code: 'x' })],
    ['missing-field', asShop({ _action: 'delete' })],
    ['missing-key', ({ form }) => form(query)],
    ['unknown-key', ({ form }) => form({ ...query, _api: 'ffffffffffffffff' })],
    ['revoked-key', ({ form, keys }) => form({ ...query, _api: keys.revokedKey })],
    ['suspended-key', ({ form, keys }) => form({ ...query, _api: keys.suspendedKey })],
    [
      'key-scope',
      async ({ engine, form }) => {
        const { reporterId } = unwrap(await engine.createReporter({ name: 'Only asks' }));
        const { apiKey } = unwrap(await engine.issueKey({ reporterId, scope: 'query' }));
        return form({ ...report, _api: apiKey });
      },
    ],
    ['unknown-code', asShop({ _action: 'delete', _code: '0123456789abcdef' })],
    [
      'already-deleted',
      async (served) => {
        const code = (await asShop(report)(served)).headers.get('x-deletion-code')!;
        await asShop({ _action: 'delete', _code: code })(served);
        return asShop({ _action: 'delete', _code: code })(served);
      },
    ],
    ['body-too-large', raw('x'.repeat(65_537))],
    ['unsupported-content-type', raw('{}', 'application/json')],
  ];

  /** A store whose queries fail, wait or work. */
  const withStore = async (findFacts: (store: Store) => Store['findFacts']) => {
    const store = await createMemoryStore();
    return { store: { ...store, findFacts: findFacts(store) } };
  };
  const once = { requests: 1, windowSeconds: 3600 };
  const special: readonly [name: string, open: () => Promise<Served>, ask: Attempt[1]][] = [
    ['sealed-only', () => serve({}, {}, withoutHashes), asShop(query)],
    ['limited-query', () => serve({ limits: { query: once } }), twice(asShop(query))],
    ['limited-identifiers', () => serve({ budgets: { identifiers: { verified: 1, new: 1 } } }), twice(asShop(query))],
    [
      'limited-unknown-key',
      () => serve({ limits: { 'unknown-key': once } }),
      twice(({ form }) => form({ ...query, _api: 'ffffffffffffffff' })),
    ],
    ['internal', async () => serve(await withStore(() => () => Promise.reject(new Error('broken')))), asShop(query)],
    [
      'unavailable',
      async () => serve(await withStore(() => () => Promise.reject(new StoreUnavailableError('broken')))),
      asShop(query),
    ],
    [
      'overloaded',
      async () => {
        let free = (): void => {};
        const held = new Promise<void>((resolve) => (free = resolve));
        const slow = await withStore(
          (store) =>
            (...asked) =>
              held.then(() => store.findFacts(...asked)),
        );
        return { ...(await serve(slow, { formsAtOnce: 1 })), free };
      },
      async (served) => {
        const replies = [asShop(query)(served), asShop(query)(served)];
        const refused = await Promise.race(replies);
        (served as Served & { free(): void }).free();
        await Promise.all(replies);
        return refused;
      },
    ],
  ];

  it('of the form endpoint is an example, and its reply is as described', async () => {
    const names: string[] = [];
    const rows = readErrorTable();
    const rowOf = (status: number, body: unknown): number =>
      rows.findIndex((row) => row.status === status && row.body.test(String(body)));
    const check = ({ checker }: Served, name: string, reply: SentReply): void => {
      const post = checker.operation('/api/', 'post');
      const example = checker.examples(post).find((one) => one.name === name)!;
      expect(rowOf(reply.status, reply.body), name).toBe(rowOf(example.status, example.value));
      expect(checker.differences(post, reply), name).toEqual([]);
      names.push(name);
    };
    const served = await serve();
    for (const [name, ask] of attempts) check(served, name, await ask(served));
    for (const [name, open, ask] of special) {
      const other = await open();
      check(other, name, await ask(other));
      await other.close();
    }
    const errors = served.checker
      .examples(served.checker.operation('/api/', 'post'))
      .filter(({ value }) => String(value).startsWith('ERROR:'));
    expect(names.sort()).toEqual(errors.map(({ name }) => name).sort());
    await served.close();
  });

  it('of the viewer is an example, and its reply is as described', async () => {
    const failing = async (error: Error) => {
      const store = await createMemoryStore();
      return serve({ store: { ...store, findLink: () => Promise.reject(error) } });
    };
    const opened: readonly (readonly [Served, number])[] = [
      [await serve(), 404],
      [await serve({ limits: { viewer: once } }), 429],
      [await failing(new Error('broken')), 500],
      [await failing(new StoreUnavailableError('broken')), 500],
    ];
    for (const [served, status] of opened) {
      const { checker, send, close } = served;
      for (const [path, address] of [
        ['/api/', `/api/?showreport=${HASH}`],
        ['/report/{hash}', `/report/${HASH}`],
      ] as const) {
        if (status === 429) await send(address);
        const reply = await send(address);
        expect(reply.status).toBe(status);
        expect(checker.differences(checker.operation(path, 'get'), reply)).toEqual([]);
      }
      await close();
    }
  });

  it('has status 200 with errorStatus', async () => {
    const { checker, form, keys, close } = await serve({}, { errorStatus: 200 });
    const post = checker.operation('/api/', 'post');
    expect(Object.keys(post.responses)).toEqual(['200']);
    for (const key of [keys.apiKey, keys.revokedKey])
      for (const fields of [query, { _action: 'Query' }])
        expect(checker.differences(post, await form({ _api: key, ...fields }))).toEqual([]);
    await close();
  });
});

describe('laws', () => {
  const { accepts } = createChecker(createOpenApi());

  it('a form is accepted by its schema and by the service, or by neither', async () => {
    const { engine, keys } = await createRealService(PUBLIC_URL, { personalData: 'allow' });
    const answer = createAnswer(engine);
    const ask = async (fields: Readonly<Record<string, string>>): Promise<string> => {
      const bytes = new TextEncoder().encode(new URLSearchParams(fields).toString());
      const reply = await answer({
        method: 'POST',
        path: '/api/',
        query: '',
        header: (name) => (name === 'content-type' ? 'application/x-www-form-urlencoded' : undefined),
        body: async () => bytes,
      });
      return String(reply.body);
    };
    /** OpenAPI gives an integer the text that JSON gives it. */
    const toTyped = ([name, text]: [string, string]) => [
      name,
      name === '_value' && /^-?\d+$/.test(text) && String(Number(text)) === text ? Number(text) : text,
    ];
    const hashes = fc.oneof(
      fc.stringMatching(/^[0-9a-f]{40}$/),
      fc.stringMatching(/^[0-9a-fA-F]{39,41}$/),
      fc.constantFrom('', 'x', `${HASH}\n`, ` ${HASH}`, HASH.toUpperCase()),
    );
    const kinds = fc.oneof(
      fc.constantFrom(
        'email',
        'email2',
        'ip',
        'phone-2',
        'e_mail',
        '2email',
        '-email',
        'e mail',
        'email[]',
        'é',
        '__proto__',
      ),
      fc.stringMatching(/^[a-z][a-z0-9_-]{0,33}$/),
      fc.string({ maxLength: 3 }).map((text) => text.toLowerCase()),
    );
    const codes = fc.oneof(fc.constantFrom('', 'x', HASH), fc.stringMatching(/^[0-9a-fA-F]{15,17}$/));
    const texts = fc.oneof(
      fc.constantFrom('', 'x', 'x'.repeat(2000), 'x'.repeat(2001), '🙂'.repeat(2000), '🙂'.repeat(2001)),
      fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
    );
    const valid = {
      report: { _type: 'fraud', _value: '5', _text: 'Text.', email: HASH },
      delete: { _code: '0123456789abcdef' },
      query: { email: HASH },
    };
    const changes = fc.dictionary(
      fc.constantFrom('_action', '_api', '_type', '_value', '_text', '_code', '_note', 'email'),
      fc.option(
        fc.oneof(
          fc.constantFrom('report', 'fraud', '0', '1', '10', '11', '07', '+7', '7.0', '-1', ' 7', '1e0'),
          texts,
          hashes,
          codes,
        ),
        { nil: undefined },
      ),
      { maxKeys: 2 },
    );
    const forms = fc
      .record({
        action: fc.constantFrom('report', 'delete', 'query'),
        changes,
        identifiers: fc.oneof(
          { weight: 4, arbitrary: fc.dictionary(kinds, hashes, { maxKeys: 2 }) },
          fc
            .integer({ min: 29, max: 34 })
            .map((count) =>
              Object.fromEntries(Array.from({ length: count }, (_, at) => [`ip${at + 1}`, `${at}`.padStart(40, '0')])),
            ),
        ),
      })
      .map(({ action, changes: changed, identifiers }) =>
        Object.entries({
          _action: action,
          _api: keys.apiKey,
          ...valid[action as keyof typeof valid],
          ...identifiers,
          ...changed,
        }).filter((field): field is [string, string] => field[1] !== undefined),
      );
    // What only the service can know: whether a key or code exists, and what characters and names mean.
    const beyond = /API key is not valid|has this deletion code|_text must have|control characters/;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(forms, async (fields) => {
        const body = await ask(Object.fromEntries(fields));
        const isAccepted = accepts('Form', Object.fromEntries(fields.map(toTyped)));
        if (isAccepted) accepted++;
        if (isAccepted && beyond.test(body)) return;
        expect({ isAccepted, body }).toEqual({ isAccepted: !body.startsWith('ERROR:'), body });
      }),
      { numRuns: budget(300) },
    );
    expect(accepted).toBeGreaterThan(20);
  });

  it('every view is accepted by its schema, which lists all that is in it', () => {
    const { properties, required } = createOpenApi().components['schemas']!['ViewedReport'] as {
      properties: object;
      required: string[];
    };
    fc.assert(
      fc.property(reports, (list) => {
        const view = JSON.parse(formatViewer(list)) as { ReportAdvanceds: object[] };
        expect(accepts('ViewedReports', view)).toBe(true);
        for (const report of view.ReportAdvanceds) {
          expect(Object.keys(report)).toEqual(Object.keys(properties));
          expect(Object.keys(report)).toEqual(required);
        }
      }),
    );
  });
});
