import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { createAnswer } from '../../src/core/http/answer.ts';
import type { AnswerEvent } from '../../src/core/http/exchange.ts';
import type { AnswerOptions } from '../../src/core/http/answer-options.ts';
import { asking, reading, textOf } from './asking.ts';
import { createServiceDouble, KEYS, type ServiceDouble } from './service-double.ts';

const HASH = 'a'.repeat(40);
const FORM = {
  query: `_action=query&_api=${KEYS.shop}&email=${HASH}`,
  report: `_action=report&_api=${KEYS.shop}&_type=fraud&_value=7&_text=Paid%20with%20it&email=${HASH}`,
};
const down = () => ({ error: new StoreUnavailableError('the store is away') });

let service: ServiceDouble;
let events: AnswerEvent[];
beforeEach(() => {
  service = createServiceDouble();
  events = [];
});
const create = (options: AnswerOptions = {}) =>
  createAnswer(service, { onAnswer: (event) => void events.push(event), ...options });

describe('onAnswer', () => {
  it.each([
    ['query', 'ok', 200, asking({ text: FORM.query })],
    ['report', 'ok', 200, asking({ text: FORM.report })],
    ['delete', 'unknown-code', 404, asking({ text: `_action=delete&_api=${KEYS.shop}&_code=${'1'.repeat(16)}` })],
    ['query', 'unknown-key', 401, asking({ text: `_action=query&_api=0123456789abcdef&email=${HASH}` })],
    ['query', 'invalid-identifier', 400, asking({ text: `_action=query&_api=${KEYS.shop}&email=x` })],
    ['other', 'unknown-action', 400, asking({ text: `_action=x&_api=${KEYS.shop}` })],
    ['other', 'unsupported-content-type', 415, asking({ headers: {} })],
    ['other', 'method-not-allowed', 405, asking({ method: 'PUT' })],
    ['other', 'not-found', 404, reading('/elsewhere')],
    ['viewer', 'not-found', 404, reading(`/report/${HASH}`)],
    ['viewer', 'not-found', 404, reading('/api/', 'showreport=x')],
  ] as const)('says that a request was %s, and became %s (%i)', async (action, outcome, status, request) => {
    await create()(request);
    expect(events).toEqual([{ action, outcome, status, ms: expect.any(Number) }]);
    expect(events[0]!.ms).toBeGreaterThanOrEqual(0);
  });

  it('says that a view was answered, also with 304', async () => {
    const answer = create();
    await answer(asking({ text: FORM.report }));
    const link = new URL(
      textOf(await answer(asking({ text: FORM.query })))
        .split('-')
        .at(-1)!,
    ).pathname;
    const { headers } = await answer(reading(link.replace('/fraud', '')));
    await answer(reading(link.replace('/fraud', ''), '', { 'if-none-match': headers['ETag']! }));
    expect(events.slice(2).map(({ action, outcome, status }) => [action, outcome, status])).toEqual([
      ['viewer', 'ok', 200],
      ['viewer', 'ok', 304],
    ]);
  });

  it('tells the failures of the service, with the status that the client got', async () => {
    const answer = create();
    service.next = down();
    await answer(asking({ text: FORM.query }));
    service.next = down();
    await answer(reading(`/report/${HASH}`));
    service.next = { error: new TypeError('a defect') };
    await create({ errorStatus: 200 })(asking({ text: FORM.report }));
    expect(events.map(({ action, outcome, status }) => [action, outcome, status])).toEqual([
      ['query', 'unavailable', 503],
      ['viewer', 'unavailable', 500],
      ['report', 'internal', 200],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('of the operator');
      },
    ],
    // Without a handler, the rejection would end the tests.
    ['rejects', () => Promise.reject(new Error('of the operator'))],
  ])('changes no reply if it %s', async (_, onAnswer) => {
    const answer = create({ onAnswer });
    expect(await answer(asking({ text: FORM.report }))).toMatchObject({ status: 200, body: 'OK' });
  });

  it('must be a function', () => {
    // @ts-expect-error: not a function
    expect(() => create({ onAnswer: 1 })).toThrow(TypeError);
    // @ts-expect-error: neither of the two
    expect(() => create({ requestIds: 'some' })).toThrow(TypeError);
  });
});

describe('requestIds', () => {
  const idOf = (reply: { headers: Readonly<Record<string, string>> }) => reply.headers['X-Request-Id'];

  it('are on no reply by default', async () => {
    const answer = create();
    service.next = down();
    expect(idOf(await answer(asking({ text: FORM.query })))).toBeUndefined();
    expect(events[0]).not.toHaveProperty('requestId');
  });

  it('are on failures only, and the same in both events', async () => {
    const logged: unknown[] = [];
    const answer = create({ requestIds: 'failures', log: (event) => void logged.push(event) });
    expect(idOf(await answer(asking({ text: FORM.report })))).toBeUndefined();
    expect(idOf(await answer(reading('/elsewhere')))).toBeUndefined();
    service.next = down();
    const id = idOf(await answer(asking({ text: FORM.query })));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(logged).toEqual([expect.objectContaining({ event: 'store-unavailable', requestId: id })]);
    expect(events.map(({ requestId }) => requestId)).toEqual([undefined, undefined, id]);
    service.next = { refusal: { reason: 'overloaded', retryAfterSeconds: 1 } };
    expect(idOf(await answer(reading(`/report/${HASH}`)))).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are on all replies if wanted, each another one, unless a proxy gave one', async () => {
    const answer = create({ requestIds: 'all' });
    const ids = new Set<string | undefined>();
    for (let n = 0; n < 20; n++) ids.add(idOf(await answer(asking({ text: FORM.query }))));
    expect(ids.size).toBe(20);
    expect(idOf(await answer(asking({ text: FORM.query, requestId: 'f'.repeat(32) })))).toBe('f'.repeat(32));
    expect(events.at(-1)).toMatchObject({ requestId: 'f'.repeat(32) });
  });
});
