// Section 5, authentication:
//
// report, delete and query each need `_api` · in the body · created by the operator
// an invalid key on a report: `ERROR: <details>`
// the viewer needs none · (lifetime, rotation, revocation: ours)
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  codeOf,
  freshHash,
  openSpecifiedService,
  segmentsOf,
  SURROUNDINGS,
  type SpecifiedService,
} from './specified-service.ts';

let service: SpecifiedService;
beforeAll(async () => {
  service = await openSpecifiedService();
});
afterAll(() => service.close());

it.each([
  ['report', (key: string) => service.report({ _api: key })],
  ['delete', async (key: string) => service.remove(codeOf(await service.report()), { _api: key })],
  ['query', (key: string) => service.query({ email: freshHash() }, { _api: key })],
])('5 %s: needs a valid key', async (_, send) => {
  expect(await send(service.apiKey)).toMatchObject({ status: 200 });
  // One text for all: it also helps with a key that was copied with something around it.
  const body =
    'ERROR: The API key is not valid. A key has 16 hex characters. ' +
    'Send it without spaces, line breaks or quotes around it.';
  const wrong = ['', 'ffffffffffffffff', ...SURROUNDINGS.map((extra) => `${service.apiKey}${extra}`)];
  for (const key of wrong) expect(await send(key), key).toMatchObject({ status: 401, body });
});

it('5 the key is sent in the request body: in the address or a header it is none', async () => {
  const body = new URLSearchParams({ _action: 'query', email: freshHash() });
  expect((await service.request(`/api/?_api=${service.apiKey}`, { method: 'POST', body })).status).toBe(401);
  expect(
    (await service.request('/api/', { method: 'POST', body, headers: { authorization: `Bearer ${service.apiKey}` } }))
      .status,
  ).toBe(401);
});

it('5 an invalid key on a report gives `ERROR: <details>`', async () => {
  expect((await service.report({ _api: 'nonsense' })).body).toMatch(/^ERROR: ./);
});

it('5 the public viewer needs no key', async () => {
  const email = freshHash();
  await service.report({ email });
  expect((await service.view(segmentsOf(await service.query({ email }))[3])).status).toBe(200);
});

it('5 a revoked key is refused (our choice)', async () => {
  expect(await service.query({ email: freshHash() }, { _api: service.revokedKey })).toMatchObject({
    status: 403,
    body: 'ERROR: The API key has been revoked.',
  });
});
