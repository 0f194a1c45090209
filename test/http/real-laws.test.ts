import { createHash } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/core/http/failure.ts';
import { createListener } from '../../src/core/http/listener.ts';
import { unwrap } from '../../src/index.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { SqljsStore } from '../../src/core/store/sqljs/store.ts';
import { budget } from '../budget.ts';
import { readErrorTable } from '../docs/error-table.ts';
import { listenOn, type Listening } from './listening.ts';
import { createRealService } from './real-service.ts';
import { createMemoryStore } from '../memory-store.ts';
import { anyCharacter } from '../any-character.ts';

// The laws of the answer, on the real engine and store and over real HTTP.

const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'xyzzy';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const EMAIL = 'e'.repeat(40);

type Pairs = readonly (readonly [string, string])[];

let store: SqljsStore;
let server: Listening;
let keys: Awaited<ReturnType<typeof createRealService>>['keys'];
let deletionCode: string;
let linkHash: string;
/**
 * While true, the store fails with an error that holds all its arguments, but not before the key is found: until then
 * it receives only a digest.
 */
let breaks = false;
const events: LogEvent[] = [];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  store = await createMemoryStore();
  const breaking = new Proxy<Store>(store, {
    get: (target, name: keyof Store) =>
      typeof target[name] !== 'function'
        ? target[name]
        : (...args: unknown[]) =>
            breaks && name !== 'findKey' && name !== 'close'
              ? Promise.reject(
                  new Error(`cannot ${name} ${JSON.stringify(args)}\n    at ${JSON.stringify(args)} (a.js:1:1)`),
                )
              : (target[name] as (...given: unknown[]) => unknown)(...args),
  });
  const service = await createRealService('https://flags.example', { store: breaking });
  ({ keys } = service);
  server = await listenOn(createListener(service.engine, { trustProxies: 1, log: (event) => events.push(event) }));
  const identifiers = [{ kind: 'email', hash: EMAIL }];
  ({ deletionCode } = unwrap(
    await service.engine.report({
      apiKey: keys.apiKey,
      type: 'fraud',
      severity: 5,
      text: 'There before.',
      identifiers,
    }),
  ));
  linkHash = unwrap(await service.engine.query({ apiKey: keys.apiKey, identifiers })).link.slice(-40);
});
afterAll(async () => {
  agent.destroy();
  await server.close();
  await store.close();
});

interface Raw {
  readonly status: number;
  /** Status line, header names and values, body. */
  readonly everything: string;
  readonly body: string;
}

/** Sends it as it is: no client in between that would tidy the address or the headers. */
function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Uint8Array,
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${server.origin}`,
      {
        method,
        path,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Length': body.length }) },
        agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            everything: `${response.statusMessage}\n${response.rawHeaders.join('\n')}\n\n${text}`,
            body: text,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function encode(pairs: Pairs, contentType: string): Uint8Array {
  const text =
    contentType === MULTIPART
      ? `${pairs.map(([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--${BOUNDARY}--\r\n`
      : new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
  return new TextEncoder().encode(text);
}

const digestOfStore = (): string => createHash('sha256').update(store.export()).digest('hex');

describe('any body', () => {
  const rows = readErrorTable();
  const contentTypes = fc.constantFrom(FORM, MULTIPART, undefined);
  // `KEY`, `CODE` and the like stand for what only the running service knows; never a key that is let in.
  const values = fc.oneof(
    fc.constantFrom(
      'report',
      'delete',
      'query',
      'fraud',
      '7',
      EMAIL,
      'Text.',
      'ffffffffffffffff',
      'REVOKED',
      'SUSPENDED',
      'CODE',
      'LINK',
    ),
    fc.string({ unit: anyCharacter, maxLength: 40 }),
  );
  const names = fc.oneof(
    fc.constantFrom('_api', '_action', '_type', '_value', '_text', '_code', 'email', 'email2', 'phone', '__proto__'),
    fc.string({ maxLength: 40 }),
  );
  const wholeForm = fc
    .tuple(
      fc.constantFrom<Pairs>(
        [
          ['_action', 'report'],
          ['_type', 'fraud'],
          ['_value', '7'],
          ['_text', 'Text.'],
          ['email', EMAIL],
        ],
        [
          ['_action', 'delete'],
          ['_code', 'CODE'],
        ],
        [
          ['_action', 'query'],
          ['email', EMAIL],
        ],
      ),
      fc.oneof(fc.constantFrom('REVOKED', 'SUSPENDED', 'ffffffffffffffff'), fc.string()),
    )
    .map(([form, key]): Pairs => [...form, ['_api', key]]);
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 600 }).map((bytes) => ({ bytes, pairs: undefined })),
    fc
      .oneof(fc.array(fc.tuple(names, values), { maxLength: 12 }), wholeForm)
      .map((pairs) => ({ bytes: undefined, pairs })),
  );
  // One byte of a form replaced, or the rest of it cut off.
  const damages = fc.option(fc.record({ at: fc.nat(), byte: fc.option(fc.nat(255), { nil: undefined }) }), {
    nil: undefined,
    freq: 2,
  });

  it('without a key that is let in gets an answer of the closed list and changes nothing in the store', async () => {
    const known: Readonly<Record<string, string>> = {
      REVOKED: keys.revokedKey,
      SUSPENDED: keys.suspendedKey,
      CODE: deletionCode,
      LINK: linkHash,
    };
    // The first use of an ended key in a day is recorded, some time after its reply.
    const unused = digestOfStore();
    await send(
      'POST',
      '/api/',
      { 'Content-Type': FORM },
      encode(
        [
          ['_action', 'query'],
          ['_api', keys.revokedKey],
        ],
        FORM,
      ),
    );
    await expect.poll(digestOfStore).not.toBe(unused);
    const before = digestOfStore();
    const seen = new Map<string, number>();
    const runs = { numRuns: budget(200) };
    // The last step, for certain: few cases come that far.
    const late = ['REVOKED', 'SUSPENDED'].map((key): [{ bytes: undefined; pairs: Pairs }, undefined, typeof FORM] => [
      {
        bytes: undefined,
        pairs: [
          ['_action', 'query'],
          ['email', EMAIL],
          ['_api', key],
        ],
      },
      undefined,
      FORM,
    ]);
    await fc.assert(
      fc.asyncProperty(bodies, damages, contentTypes, async ({ bytes, pairs }, damage, contentType) => {
        let body =
          bytes ??
          encode(
            pairs!.map(([name, value]) => [name, known[value] ?? value] as const),
            contentType ?? FORM,
          );
        if (damage !== undefined && body.length > 0) {
          const at = damage.at % body.length;
          body =
            damage.byte === undefined
              ? body.slice(0, at)
              : Uint8Array.from(body, (byte, index) => (index === at ? damage.byte! : byte));
        }
        const reply = await send(
          'POST',
          '/api/',
          contentType === undefined ? {} : { 'Content-Type': contentType },
          body,
        );
        const row = rows.find(({ status, body: pattern }) => status === reply.status && pattern.test(reply.body));
        expect(row, `${reply.status} ${reply.body}`).toBeDefined();
        expect(digestOfStore()).toBe(before);
        seen.set(String(row?.body), (seen.get(String(row?.body)) ?? 0) + 1);
      }),
      { ...runs, examples: late },
    );
    expect(events).toEqual([]);
    // Bodies that all failed alike would prove nothing about the later steps. Few bodies meet few.
    expect(seen.size).toBeGreaterThanOrEqual(runs.numRuns < 2000 ? 6 : 10);
    expect([...seen.keys()].filter((body) => /revoked|suspended/.test(body))).toHaveLength(2);
  });
});

describe('what was submitted', () => {
  // Distinctive, so that finding it can only mean that it was repeated; safe in an address and in a header.
  const distinctive = fc.stringMatching(/^[a-z]{3}-?[Qq]z[A-Za-z0-9.@_~-]{10,50}$/);
  const numeric = fc.stringMatching(/^[1-9][0-9]{13,30}$/);
  const values = fc.oneof(
    distinctive,
    numeric,
    distinctive.map((text) => `${text} ąß🙂`),
    distinctive.map((text) => `<b>${text}</b>`),
  );
  const fieldNames = fc.constantFrom('_action', '_api', '_type', '_value', '_text', '_code', 'email', 'ip', 'phone2');
  // What is no name of a field. One that is may stand in an error: it tells the client which field is meant.
  const oddNames = fc.oneof(
    distinctive.map((text) => `${text}@x`),
    numeric,
    distinctive.map((text) => `${text} a`),
    distinctive.map((text) => text.padEnd(33, 'a')),
    distinctive.map((text) => `email[${text}]`),
  );

  const anyRequest = fc.record({
    action: fc.constantFrom('report', 'delete', 'query'),
    odd: fc.uniqueArray(fc.tuple(fieldNames, values), { maxLength: 4, selector: ([name]) => name }),
    oddName: fc.option(fc.tuple(oddNames, values), { nil: undefined }),
    query: distinctive,
    path: fc.option(distinctive, { nil: undefined }),
    header: distinctive,
    where: fc.constantFrom('/', '/api/', '/report/', '/api/?showreport=', '/api?'),
    method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'HEAD', 'PUT', 'DELETE'),
    contentType: fc.constantFrom(FORM, FORM, MULTIPART, 'HEADER', 'boundary'),
    fails: fc.boolean(),
  });
  // Chance seldom builds what gets as far as the key and the store, where an odd text is the one value that arrives.
  const wholeReport = fc
    .tuple(anyRequest, fc.tuple(fc.constantFrom('_text', '_text', '_api'), values), fc.constantFrom(FORM, MULTIPART))
    .map(([request, odd, contentType]) => ({
      ...request,
      action: 'report',
      odd: [odd],
      oddName: undefined,
      path: undefined,
      method: 'POST',
      contentType,
    }));

  it('and is no hash stands in no reply and in no line of the log', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: anyRequest }, { weight: 1, arbitrary: wholeReport }),
        async ({ action, odd, oddName, query, path, header, where, method, contentType, fails }) => {
          const whole = {
            _api: keys.apiKey,
            _action: action,
            ...(action === 'delete' ? { _code: 'c'.repeat(16) } : { email: 'd'.repeat(40) }),
            ...(action === 'report' ? { _type: 'fraud', _value: '3', _text: 'Text.' } : {}),
          };
          const pairs: Pairs = [
            ...Object.entries({ ...whole, ...Object.fromEntries(odd) }),
            ...(oddName === undefined ? [] : [oddName]),
          ];
          const address = path === undefined ? `/api/?${query}=${query}` : `${where}${path}`;
          const type =
            contentType === 'HEADER'
              ? header
              : contentType === 'boundary'
                ? `multipart/form-data; boundary=${header}`
                : contentType;
          const headers = {
            'Content-Type': type,
            'If-None-Match': `"${header}"`,
            'X-Forwarded-For': header,
            'User-Agent': header,
            Cookie: `a=${header}`,
          };

          breaks = fails;
          events.length = 0;
          const reply = await send(
            method,
            address,
            headers,
            method === 'GET' || method === 'HEAD' ? undefined : encode(pairs, type),
          ).finally(() => (breaks = false));
          statuses.add(reply.status);
          const told = `${reply.everything}\n${JSON.stringify(events)}`.toLowerCase();
          for (const secret of [
            ...odd.map(([, value]) => value),
            ...(oddName ?? []),
            query,
            path ?? query,
            header,
            keys.apiKey,
          ]) {
            for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
              expect(told).not.toContain(spelling.toLowerCase());
          }
        },
      ),
      { numRuns: budget(300) },
    );
    // Each way through the service was walked.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405, 415, 500]));
  });
});
