import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseError, parseResult } from '../../src/core/protocol/reply.ts';
import { hashOfLink } from '../../src/core/protocol/link.ts';
import { parseViewer } from '../../src/core/protocol/viewer.ts';

/** A running service and who may use it. */
export interface HttpHost {
  /** The service's base address, with the prefix it is mounted under, without a slash at its end. */
  readonly base: string;
  /** Sends a request and answers the reply, redirects not followed. */
  readonly send: (request: Request) => Promise<Response>;
  /** A key that works, and, where the host can have more, one of another reporter and two that are not let in. */
  readonly apiKey: string;
  readonly strangerKey?: string;
  readonly revokedKey?: string;
  readonly suspendedKey?: string;
  readonly close?: () => Promise<void>;
}

export interface HttpContractOptions {
  /** True when a framework's parser reads the body first: what it does with broken bodies is its own. */
  readonly parsedFirst?: boolean;
  /** True when the framework redirects a path with repeated slashes before the service sees it. */
  readonly joinsSlashes?: boolean;
}

type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const EMPTY_VIEWER = '{"ReportAdvanceds":[],"count":0}';
const BOUNDARY = 'a5b6c7d8';

/** What every way of running the service keeps (protocol 4, 5, 7). `open` starts one with the default options. */
export function describeHttp(
  name: string,
  open: () => Promise<HttpHost>,
  { parsedFirst = false, joinsSlashes = false }: HttpContractOptions = {},
): void {
  describe(name, () => {
    let host: HttpHost;
    beforeAll(async () => {
      host = await open();
    });
    afterAll(async () => {
      await host.close?.();
    });

    const hash = (): string => randomBytes(20).toString('hex');
    const encode = (fields: Fields): string =>
      new URLSearchParams(
        Array.isArray(fields) ? fields.map(([n, v]) => [n, v]) : ({ ...fields } as Record<string, string>),
      ).toString();
    const post = (body: BodyInit | null, contentType: string | null = FORM, path = '/api/'): Promise<Response> =>
      host.send(
        new Request(host.base + path, {
          method: 'POST',
          body,
          headers: contentType === null ? {} : { 'content-type': contentType },
          redirect: 'manual',
        }),
      );
    const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
      host.send(new Request(host.base + path, { method, headers, redirect: 'manual' }));
    const form = (fields: Fields): Promise<Response> => post(encode(fields));
    const report = (changes: Readonly<Record<string, string>> = {}): Record<string, string> => ({
      _api: host.apiKey,
      _action: 'report',
      _type: 'fraud',
      _value: '7',
      _text: 'Paid with a card that was not theirs.',
      email: hash(),
      ...changes,
    });
    const without = (fields: Readonly<Record<string, string>>, ...names: string[]): Record<string, string> =>
      Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field)));

    async function expectText(response: Response, status: number, body?: string): Promise<string> {
      const text = await response.text();
      expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({ status, type: TEXT });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      if (body !== undefined) expect(text).toBe(body);
      return text;
    }
    async function expectError(response: Response, status: number): Promise<string> {
      const text = await expectText(response, status);
      expect(parseError(text)).toMatch(/^[^-\r\n]+\.$/);
      expect(text).not.toContain('-');
      return text;
    }

    describe('report', () => {
      it('answers exactly OK, and the code and the id in headers (protocol 4.2)', async () => {
        const response = await form(report());
        await expectText(response, 200, 'OK');
        expect(response.headers.get('x-deletion-code')).toMatch(/^[0-9a-f]{16}$/);
        expect(response.headers.get('x-report-id')).toMatch(/^[0-9a-f]{16}$/);
      });

      it('is served without the slash too, and never redirected', async () => {
        await expectText(await post(encode(report()), FORM, '/api'), 200, 'OK');
      });

      it('takes the fields in any order and in any case', async () => {
        const fields = Object.entries(report({ email: hash().toUpperCase() }))
          .reverse()
          .map(([field, value]) => [field.toUpperCase(), value] as const);
        await expectText(await form(fields), 200, 'OK');
      });

      it('takes multipart/form-data', async () => {
        const data = new FormData();
        for (const [field, value] of Object.entries(report({ _text: 'Zażółć gęślą jaźń 🙂' })))
          data.append(field, value);
        await expectText(await post(data, null), 200, 'OK');
      });

      it('takes content types with parameters and in any case', async () => {
        await expectText(await post(encode(report()), 'Application/X-WWW-Form-URLEncoded; Charset="UTF-8"'), 200, 'OK');
      });

      it('keeps the text as it was sent', async () => {
        const text = 'Ünïcode & signs: <b>+%=? "quoted"\nsecond line\t🙂';
        const fields = report({ _text: text });
        await form(fields);
        const result = parseResult(
          await (await form({ _api: host.apiKey, _action: 'query', email: fields['email'] ?? '' })).text(),
        );
        const reports = parseViewer(await (await get(`/api/?showreport=${hashOfLink(result?.link ?? '')}`)).text());
        expect(reports?.map((one) => one.text)).toEqual([text]);
      });

      const refused: readonly (readonly [string, number, (fields: Record<string, string>) => Fields])[] = [
        ['no _action', 400, (fields) => without(fields, '_action')],
        ['an unknown action', 400, (fields) => ({ ...fields, _action: 'Report' })],
        ['an action that is a name of Object', 400, (fields) => ({ ...fields, _action: 'constructor' })],
        ['no _api', 401, (fields) => without(fields, '_api')],
        ['an empty _api', 401, (fields) => ({ ...fields, _api: '' })],
        ['a key of another shape', 401, (fields) => ({ ...fields, _api: 'not a key' })],
        ['an unknown key', 401, (fields) => ({ ...fields, _api: 'ffffffffffffffff' })],
        ['no _type', 400, (fields) => without(fields, '_type')],
        ['an unknown type', 400, (fields) => ({ ...fields, _type: 'rudeness' })],
        ['no _value', 400, (fields) => without(fields, '_value')],
        ...['0', '11', '-1', '1.0', '07', '1e1', ' 7', '７', ''].map(
          (value) =>
            [
              `_value ${JSON.stringify(value)}`,
              400,
              (fields: Record<string, string>) => ({ ...fields, _value: value }),
            ] as const,
        ),
        ['no _text', 400, (fields) => without(fields, '_text')],
        ['an empty _text', 400, (fields) => ({ ...fields, _text: '' })],
        ['a _text of white space', 400, (fields) => ({ ...fields, _text: ' \u00a0\n\t' })],
        ['a _text of 2,001 characters', 400, (fields) => ({ ...fields, _text: '🙂'.repeat(2001) })],
        ['a NUL in _text', 400, (fields) => ({ ...fields, _text: 'a\u0000b' })],
        ['an escape in _text', 400, (fields) => ({ ...fields, _text: 'a\u001b[2Jb' })],
        ['no identifier', 400, (fields) => without(fields, 'email')],
        ['an e-mail in clear text', 400, (fields) => ({ ...fields, email: 'jane.doe@example.org' })],
        ['an MD5', 400, (fields) => ({ ...fields, email: 'd41d8cd98f00b204e9800998ecf8427e' })],
        ['a blank identifier', 400, (fields) => ({ ...fields, phone: '' })],
        [
          '33 identifiers',
          400,
          (fields) => ({
            ...fields,
            ...Object.fromEntries(Array.from({ length: 32 }, (_, index) => [`ip${index + 2}`, hash()])),
          }),
        ],
        [
          '70 fields',
          400,
          (fields) => ({
            ...fields,
            ...Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`ip${index + 2}`, hash()])),
          }),
        ],
        ['an unknown field with _', 400, (fields) => ({ ...fields, _note: 'x' })],
        ['a field of another action', 400, (fields) => ({ ...fields, _code: '0123456789abcdef' })],
        ['a name that is no name', 400, (fields) => ({ ...fields, 'e mail': hash() })],
        ['a name of 33 characters', 400, (fields) => ({ ...fields, ['a'.repeat(33)]: hash() })],
        ['a field twice', 400, (fields) => [...Object.entries(fields), ['email', hash()]]],
        ['a field twice in two cases', 400, (fields) => [...Object.entries(fields), ['EMAIL', hash()]]],
        ['_api twice', 400, (fields) => [...Object.entries(fields), ['_api', fields['_api'] ?? '']]],
      ];
      it.each(refused)('refuses %s with %i', async (_, status, change) => {
        const fields = change(report());
        const text = await expectError(await form(fields), status);
        for (const [, value] of Array.isArray(fields) ? fields : Object.entries(fields)) {
          if (value.length > 8) expect(text).not.toContain(value);
        }
      });

      it.skipIf(parsedFirst)('refuses an empty name with 400', async () => {
        await expectError(await form(report({ '': hash() })), 400);
      });

      it('takes 2,000 characters outside the basic plane', async () => {
        await expectText(await form(report({ _text: '🙂'.repeat(2000) })), 200, 'OK');
      });
    });

    describe('delete', () => {
      it('answers OK once, then 409, and 404 to other reporters and for unknown codes (protocol 4.3)', async () => {
        const code = (await form(report())).headers.get('x-deletion-code') ?? '';
        const remove = (fields: Record<string, string> = {}): Promise<Response> =>
          form({ _api: host.apiKey, _action: 'delete', _code: code, ...fields });
        const unknown = await expectError(await remove({ _code: 'fedcba9876543210' }), 404);
        // A service that runs as an example has one key only.
        if (host.strangerKey !== undefined)
          expect(await expectError(await remove({ _api: host.strangerKey }), 404)).toBe(unknown);
        await expectText(await remove(), 200, 'OK');
        await expectError(await remove(), 409);
      });

      it.each(['', 'xyz', '0123456789abcde', '0123456789abcdef0'])('refuses the code %j with 400', async (code) => {
        await expectError(await form({ _api: host.apiKey, _action: 'delete', _code: code }), 400);
      });

      it('refuses a missing code and fields that are not its own with 400', async () => {
        await expectError(await form({ _api: host.apiKey, _action: 'delete' }), 400);
        await expectError(
          await form({ _api: host.apiKey, _action: 'delete', _code: '0123456789abcdef', email: hash() }),
          400,
        );
      });
    });

    describe('query', () => {
      it('answers zeros and a link when nothing matches (protocol 4.4)', async () => {
        const text = await expectText(await form({ _api: host.apiKey, _action: 'query', email: hash() }), 200);
        expect(text).toMatch(/^0-0-0\.0-https?:\/\/[^-]+\/report\/[0-9a-f]{40}$/);
      });

      it('answers four segments when something matches, whatever the order of the identifiers', async () => {
        const [email, ip] = [hash(), hash()];
        await form(report({ email, ip }));
        const first = await expectText(
          await form([
            ['_api', host.apiKey],
            ['email', email],
            ['_action', 'query'],
            ['ip', ip],
          ]),
          200,
        );
        const second = await expectText(
          await form([
            ['ip', ip.toUpperCase()],
            ['email', email],
            ['_action', 'query'],
            ['_api', host.apiKey],
          ]),
          200,
        );
        expect(first.split('-')).toHaveLength(4);
        expect(parseResult(first)?.reported).toBe(1);
        expect(second).toBe(first);
      });

      it('refuses a query without identifier and fields that are not its own with 400', async () => {
        await expectError(await form({ _api: host.apiKey, _action: 'query' }), 400);
        for (const field of ['_code', '_text', '_value', '_type'])
          await expectError(await form({ _api: host.apiKey, _action: 'query', email: hash(), [field]: 'x' }), 400);
      });

      it('refuses revoked and suspended keys with 403', async () => {
        for (const key of [host.revokedKey, host.suspendedKey]) {
          if (key !== undefined) await expectError(await form({ _api: key, _action: 'query', email: hash() }), 403);
        }
      });

      it('is not answered to GET', async () => {
        await expectError(await get(`/api/?${encode({ _api: host.apiKey, _action: 'query', email: hash() })}`), 404);
      });
    });

    describe('viewer', () => {
      let linkHash: string;
      beforeAll(async () => {
        const email = hash();
        await form(report({ email, _text: 'Seen by anyone.' }));
        linkHash =
          hashOfLink(
            parseResult(await (await form({ _api: host.apiKey, _action: 'query', email })).text())?.link ?? '',
          ) ?? '';
      });

      it('answers the reports as JSON, cacheable and readable by any page (protocol 4.5)', async () => {
        const response = await get(`/api/?showreport=${linkHash}`);
        expect(response.status).toBe(200);
        expect(response.headers.get('content-type')).toBe(JSON_TYPE);
        expect(response.headers.get('cache-control')).toBe('public, max-age=300');
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        const text = await response.text();
        expect(parseViewer(text)).toHaveLength(1);
        const envelope: unknown = JSON.parse(text);
        expect(envelope).toEqual({
          ReportAdvanceds: [
            {
              reportId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
              type: 'fraud',
              value: 7,
              description: 'Seen by anyone.',
              createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
              reporter: expect.any(String) as string,
            },
          ],
          count: 1,
        });
      });

      it.each([
        ['without the slash', (h: string) => `/api?showreport=${h}`],
        ['in upper case', (h: string) => `/api/?showreport=${h.toUpperCase()}`],
        ['beside other parameters', (h: string) => `/api/?a=1&showreport=${h}&b=2`],
        ['at the link', (h: string) => `/report/${h}`],
        ['at the link in upper case', (h: string) => `/report/${h.toUpperCase()}`],
      ])('answers the same %s', async (_, path) => {
        const [one, other] = [await get(`/api/?showreport=${linkHash}`), await get(path(linkHash))];
        expect(other.status).toBe(200);
        expect(await other.text()).toBe(await one.text());
        expect(other.headers.get('etag')).toBe(one.headers.get('etag'));
      });

      it('answers HEAD with the same headers and no body', async () => {
        const response = await get(`/api/?showreport=${linkHash}`, {}, 'HEAD');
        expect(response.status).toBe(200);
        expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/);
        expect(await response.text()).toBe('');
      });

      it('answers 304 to what names its tag, and 200 to what does not', async () => {
        const tag = (await get(`/api/?showreport=${linkHash}`)).headers.get('etag') ?? '';
        for (const header of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag} , "more"`, '*']) {
          const response = await get(`/api/?showreport=${linkHash}`, { 'if-none-match': header });
          expect(response.status, header).toBe(304);
          expect(response.headers.get('etag')).toBe(tag);
          expect(response.headers.get('cache-control')).toBe('public, max-age=300');
          expect(await response.text()).toBe('');
        }
        for (const header of ['"other"', tag.replaceAll('"', ''), `${tag}x`]) {
          expect((await get(`/api/?showreport=${linkHash}`, { 'if-none-match': header })).status, header).toBe(200);
        }
      });

      it.each([
        ['an unknown hash', `/api/?showreport=${'0'.repeat(40)}`],
        ['an unknown link', `/report/${'0'.repeat(40)}`],
        ['no hash', '/api/?showreport='],
        ['39 characters', `/api/?showreport=${'0'.repeat(39)}`],
        ['another alphabet', `/api/?showreport=${'g'.repeat(40)}`],
        ['two hashes', `/api/?showreport=${'0'.repeat(40)}&showreport=${'0'.repeat(40)}`],
      ])('answers 404 with an empty list to %s', async (_, path) => {
        const response = await get(path);
        expect(response.status).toBe(404);
        expect(response.headers.get('content-type')).toBe(JSON_TYPE);
        expect(response.headers.get('cache-control')).toBe('no-store');
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(await response.text()).toBe(EMPTY_VIEWER);
      });
    });

    describe('elsewhere', () => {
      it.each([
        '/api/?',
        '/api/?showReport=1',
        '/api/x',
        ...(joinsSlashes ? [] : ['/api//']),
        '/apix',
        '/report/',
        '/report/xyz',
        `/report/${'0'.repeat(40)}/`,
        '/other',
      ])('answers 404 to GET %s', async (path) => {
        await expectError(await get(path), 404);
      });

      it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 405 with Allow to %s', async (method) => {
        const response = await get('/api/', {}, method);
        expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
        await expectError(response, 405);
        const viewer = await get(`/report/${'0'.repeat(40)}`, {}, method);
        expect(viewer.headers.get('allow')).toBe('GET, HEAD');
        await expectError(viewer, 405);
      });
    });

    describe('bodies', () => {
      it.each(['application/json', 'text/plain', 'application/x-www-form-urlencodedx'])(
        'answers 415 to %s',
        async (type) => {
          await expectError(await post(type === 'application/json' ? '{}' : encode(report()), type), 415);
        },
      );

      it.skipIf(parsedFirst).each(['; charset=iso-8859-1', '; x=1; charset="utf-16"', ';charset='])(
        'answers a form with %j if all of it is ASCII, and 415 to any other',
        async (parameter) => {
          await expectText(await post(encode(report()), FORM + parameter), 200, 'OK');
          await expectError(await post(encode(report({ _text: 'café' })), FORM + parameter), 415);
        },
      );

      it('answers 415 to a body without a type', async () => {
        await expectError(await post(new TextEncoder().encode(encode(report())), null), 415);
      });

      it('answers 400 to an empty form', async () => {
        await expectError(await post(''), 400);
      });

      it.skipIf(parsedFirst)('answers 413 to more than 32,768 bytes', async () => {
        const most = `${encode(report())}&${'&'.repeat(32_768)}`.slice(0, 32_768);
        await expectText(await post(most), 200, 'OK');
        await expectError(await post(`${most}&`), 413);
      });

      it.skipIf(parsedFirst)('answers 400 to bytes that are not UTF-8', async () => {
        const latin1 = Buffer.from(`${encode(without(report(), '_text'))}&_text=caf\u00e9`, 'latin1');
        await expectError(await post(latin1), 400);
        await expectError(await post(`${encode(without(report(), '_text'))}&_text=caf%E9`), 400);
      });

      it('answers 400 to a multipart body that holds a file or is broken', async () => {
        const data = new FormData();
        for (const [field, value] of Object.entries(report())) data.append(field, value);
        data.append('phone', new Blob([hash()]), 'phone.txt');
        await expectError(await post(data, null), 400);
        await expectError(await post('--nothing', `multipart/form-data; boundary=${BOUNDARY}`), 400);
        await expectError(await post('nothing', 'multipart/form-data'), 400);
      });

      it('refuses a repeated multipart field with 400', async () => {
        const data = new FormData();
        for (const [field, value] of [...Object.entries(report()), ['email', hash()] as const])
          data.append(field, value);
        await expectError(await post(data, null), 400);
      });

      it('reads a body that comes in pieces', async () => {
        const bytes = new TextEncoder().encode(encode(report()));
        const body = new ReadableStream<Uint8Array>({
          async start(controller) {
            for (let at = 0; at < bytes.length; at += 31) {
              controller.enqueue(bytes.slice(at, at + 31));
              await new Promise((resolve) => setTimeout(resolve, 2));
            }
            controller.close();
          },
        });
        const init = { method: 'POST', body, headers: { 'content-type': FORM }, duplex: 'half' };
        await expectText(await host.send(new Request(`${host.base}/api/`, init)), 200, 'OK');
      });
    });
  });
}
