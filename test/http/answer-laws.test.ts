import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { LogEvent } from '../../src/core/http/failure.ts';
import { asking, textOf } from './asking.ts';
import { KEYS, createServiceDouble } from './service-double.ts';
import { anyCharacter } from '../any-character.ts';

const STATUSES = [200, 400, 401, 403, 404, 405, 409, 413, 415, 429, 500, 503];

const methods = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'TRACE', ''),
  fc.string({ maxLength: 8 }),
);
const paths = fc.oneof(fc.constantFrom('/api', '/api/', `/report/${'b'.repeat(40)}`, '/', ''), fc.string());
const contentTypes = fc.oneof(
  fc.constantFrom(
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'multipart/form-data; boundary="',
    'application/json',
  ),
  fc.string(),
);
const bodies = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc.string({ unit: anyCharacter }).map((text) => new TextEncoder().encode(text)),
  fc
    .array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom('_api', '_action', '_code', '_text', '_type', '_value', 'email', 'email2', '__proto__'),
          fc.string(),
        ),
        fc.oneof(fc.constantFrom(KEYS.shop, 'query', 'delete', 'c'.repeat(40)), fc.string()),
      ),
    )
    .map((pairs) => new TextEncoder().encode(new URLSearchParams(pairs).toString())),
  fc
    .string()
    .map((text) =>
      new TextEncoder().encode(`--x\r\nContent-Disposition: form-data; name="${text}"\r\n\r\n${text}\r\n--x--\r\n`),
    ),
);

describe('laws of the answer', () => {
  it('any request gets an answer of the closed list, and none of these changes anything', async () => {
    await fc.assert(
      fc.asyncProperty(
        methods,
        paths,
        fc.string(),
        contentTypes,
        bodies,
        fc.boolean(),
        async (method, path, query, contentType, text, allowGetQuery) => {
          const service = createServiceDouble();
          const events: LogEvent[] = [];
          const reply = await createAnswer(service, { allowGetQuery, log: (event) => events.push(event) })(
            asking({ method, path, query, text, headers: { 'content-type': contentType } }),
          );
          expect(STATUSES).toContain(reply.status);
          expect(events).toEqual([]);
          const changing = service.calls.filter(({ name }) => name === 'report' || name === 'remove');
          // Chance may build a whole delete of a code that is nobody's; a report has too many parts for that.
          if (changing.length > 0) expect([changing[0]?.name, reply.status]).toEqual(['remove', 404]);
          const body = textOf(reply);
          if (body.startsWith('ERROR:')) expect(body).toMatch(/^ERROR: [^-\r\n]+$/);
          for (const value of Object.values(reply.headers)) expect(value).toMatch(/^[\x20-\x7e]*$/);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('any parsed body gets an answer of the closed list', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true, withTypedArray: true, withDate: true }),
        async (parsedBody) => {
          const service = createServiceDouble();
          const events: LogEvent[] = [];
          const reply = await createAnswer(service, { log: (event) => events.push(event) })(
            asking({ parsedBody, body: async () => new Uint8Array() }),
          );
          expect(reply.status).toBeGreaterThanOrEqual(400);
          expect(STATUSES).toContain(reply.status);
          expect(service.calls).toEqual([]);
          expect(events).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('no reply and no log event holds a submitted value', async () => {
    // Distinctive, so that finding it can only mean that it was repeated.
    const distinctive = fc.stringMatching(/^[a-z]{3}-?[Qq]z[A-Za-z0-9 .@_-]{8,60}$/);
    const fieldNames = fc.constantFrom('_action', '_api', '_type', '_value', '_text', '_code', 'email', 'ip', 'phone2');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fieldNames, distinctive), { maxLength: 5, selector: ([name]) => name }),
        fc.constantFrom('report', 'delete', 'query'),
        fc.boolean(),
        distinctive,
        async (odd, action, fails, query) => {
          const fields = {
            _api: KEYS.shop,
            _action: action,
            ...(action === 'delete' ? { _code: 'c'.repeat(16) } : { email: 'd'.repeat(40) }),
            ...(action === 'report' ? { _type: 'fraud', _value: '3', _text: 'Text.' } : {}),
            ...Object.fromEntries(odd),
          };
          const text = new URLSearchParams(fields).toString();
          const service = createServiceDouble();
          if (fails)
            service.next = { error: new Error(`cannot store ${text} ${Object.values(fields).join('\n    at ')}`) };
          const events: LogEvent[] = [];
          const reply = await createAnswer(service, { log: (event) => events.push(event) })(asking({ text, query }));
          const told = JSON.stringify([reply, events]);
          for (const value of [...odd.map(([, one]) => one), query])
            expect(told).not.toContain(JSON.stringify(value).slice(1, -1));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
