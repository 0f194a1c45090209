// Section 7, errors:
//
// report   validation failure              body `ERROR: <details>`
// delete   invalid code, already deleted…  body other than `OK`
// query    HTML, fewer than four segments  unexpected response, so this service never sends any
// viewer   invalid hash or no report       404
// viewer   server failure                  500
// viewer   rate limit exceeded             429
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/core/client/client.ts';
import { UnexpectedResponseError } from '../../src/core/client/errors.ts';
import { StoreUnavailableError } from '../../src/index.ts';
import { codeOf, freshHash, openSpecifiedService, segmentsOf, type SpecifiedService } from './specified-service.ts';
import { createMemoryStore } from '../memory-store.ts';

let service: SpecifiedService;
beforeAll(async () => {
  service = await openSpecifiedService();
});
afterAll(() => service.close());

it.each([
  ['no key', { _api: undefined }],
  ['an unknown key', { _api: 'ffffffffffffffff' }],
  ['no type', { _type: undefined }],
  ['an unknown type', { _type: 'x' }],
  ['no value', { _value: undefined }],
  ['a value of 11', { _value: '11' }],
  ['no text', { _text: undefined }],
  ['an empty text', { _text: '' }],
  ['no identifier', { email: undefined }],
  ['an address in clear text', { email: 'jane@example.org' }],
])(
  '7 report, validation failure: %s gives `ERROR: <details>`',
  async (_, changes: Record<string, string | undefined>) => {
    const reply = await service.report(changes);
    expect(reply.body).toMatch(/^ERROR: [^-\r\n]+\.$/);
    expect(reply.status).toBeGreaterThanOrEqual(400);
  },
);

it('7 delete: an invalid code, an already deleted report and any other failure give a body other than OK', async () => {
  const code = codeOf(await service.report());
  await service.remove(code);
  for (const reply of [
    await service.remove('x'),
    await service.remove('0123456789abcdef'),
    await service.remove(code),
    await service.remove(code, { _api: '' }),
    await service.remove(code, { extra: 'x' }),
  ]) {
    expect(reply.body).toMatch(/^ERROR: /);
  }
});

it('7 query, unexpected response: the client takes HTML and fewer than four segments for one', async () => {
  for (const body of ['<html>Maintenance - back - in - a minute</html>', '0-0-0.0', 'OK', '']) {
    const client = createClient({
      baseUrl: service.base,
      apiKey: service.apiKey,
      fetch: async () => new Response(body),
    });
    await expect(client.query([{ kind: 'email', hash: freshHash() }]), body).rejects.toBeInstanceOf(
      UnexpectedResponseError,
    );
  }
});

it('7 viewer, invalid hash or no report: 404', async () => {
  for (const hash of ['x', '0'.repeat(40)])
    expect(await service.view(hash)).toMatchObject({ status: 404, body: '{"ReportAdvanceds":[],"count":0}' });
});

it.each([
  ['a defect', () => new Error('broken')],
  ['an unavailable store', () => new StoreUnavailableError('gone')],
])('7 viewer, server failure: %s is 500', async (_, failure) => {
  const store = await createMemoryStore();
  const failing = await openSpecifiedService({ store: { ...store, findLink: () => Promise.reject(failure()) } });
  expect(await failing.view('0'.repeat(40))).toMatchObject({ status: 500, body: '{"ReportAdvanceds":[],"count":0}' });
  await failing.close();
});

it('7 viewer, rate limit exceeded: 429', async () => {
  const limited = await openSpecifiedService({ limits: { viewer: { requests: 2, windowSeconds: 3600 } } });
  const email = freshHash();
  await limited.report({ email });
  const link = segmentsOf(await limited.query({ email }))[3];
  const statuses = [await limited.view(link), await limited.view(link), await limited.view(link)].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([200, 200, 429]);
  await limited.close();
});
