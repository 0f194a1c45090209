// Section 8, limits:
//
// _value 1 to 10 · Reliability 0 to 10 · deletion code 16 hex · showreport 40 hex · 32000 iterations
// viewer requests limited per IP address, 429 · query requests limited · duplicate reports dilute scoring
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEFAULT_ITERATIONS, hashIdentifier } from '../../src/hash.ts';
import { unwrap } from '../../src/index.ts';
import {
  codeOf,
  freshHash,
  openSpecifiedService,
  segmentsOf,
  verdictOf,
  type SpecifiedService,
} from './specified-service.ts';

let service: SpecifiedService;
beforeAll(async () => {
  service = await openSpecifiedService();
});
afterAll(() => service.close());

it('8 _value: integer 1 to 10', async () => {
  const bodies = await Promise.all(
    ['0', '1', '10', '11'].map(async (value) => (await service.report({ _value: value })).body),
  );
  expect(bodies.map((body) => body === 'OK')).toEqual([false, true, true, false]);
});

it('8 Reliability: 0 to 10, however many reporters agree', async () => {
  const [email, phone, domain] = [freshHash(), freshHash(), freshHash()];
  for (let index = 0; index < 60; index += 1) {
    const { apiKey } = unwrap(
      await service.engine.issueKey(unwrap(await service.engine.createReporter({ name: `Reporter ${index}` }))),
    );
    await service.report({ _api: apiKey, _value: '10', email, phone, domain });
  }
  const [points, reported, reliability] = verdictOf(await service.query({ email, phone, domain }));
  expect(reported).toBe('60');
  expect(Number(points)).toBeLessThanOrEqual(100);
  expect(Number(reliability)).toBeGreaterThan(9);
  expect(Number(reliability)).toBeLessThanOrEqual(10);
});

it('8 deletion code: 16 hex characters', async () => {
  const code = codeOf(await service.report());
  expect(code).toMatch(/^[0-9a-f]{16}$/);
  expect((await service.remove(code.slice(1))).status).toBe(400);
  expect((await service.remove(`${code}0`)).status).toBe(400);
  expect((await service.remove(code)).body).toBe('OK');
});

it('8 showreport hash: 40 hex characters', async () => {
  const email = freshHash();
  await service.report({ email });
  const hash = segmentsOf(await service.query({ email }))[3].slice(-40);
  expect((await service.view(hash)).status).toBe(200);
  expect((await service.view(hash.slice(1))).status).toBe(404);
  expect((await service.view(`${hash}0`)).status).toBe(404);
});

it('8 hash iterations: 32000', async () => {
  let value = 'iterations@example.com';
  for (let round = 0; round < 32_000; round += 1) value = createHash('sha1').update(`service-${value}`).digest('hex');
  expect(await hashIdentifier('iterations@example.com')).toBe(value);
  expect(DEFAULT_ITERATIONS).toBe(32_000);
});

it('8 public viewer requests: limited per IP address; exceeding gives 429', async () => {
  const limited = await openSpecifiedService(
    { limits: { viewer: { requests: 2, windowSeconds: 3600 } } },
    { trustProxies: 1 },
  );
  const statusFor = async (address: string): Promise<number> =>
    (await limited.request(`/api/?showreport=${'0'.repeat(40)}`, { headers: { 'x-forwarded-for': address } })).status;
  for (const address of ['203.0.113.1', '203.0.113.2'])
    expect([await statusFor(address), await statusFor(address), await statusFor(address)], address).toEqual([
      404, 404, 429,
    ]);
  await limited.close();
});

it('8 query requests: limited, per key', async () => {
  const limited = await openSpecifiedService({ limits: { query: { requests: 2, windowSeconds: 3600 } } });
  const ask = (key: string) => limited.query({ email: freshHash() }, { _api: key });
  expect([(await ask(limited.apiKey)).status, (await ask(limited.apiKey)).status]).toEqual([200, 200]);
  const refused = await ask(limited.apiKey);
  expect(refused).toMatchObject({ status: 429 });
  expect(refused.body).toMatch(/^ERROR: Too many query requests. Try again in \d+ seconds\.$/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask(limited.strangerKey)).status).toBe(200);
  await limited.close();
});

it('8 duplicate reports dilute scoring: one reporter is one voice, however often it reports', async () => {
  const email = freshHash();
  await service.report({ email });
  const [points, , reliability] = verdictOf(await service.query({ email }));
  for (let index = 0; index < 5; index += 1) await service.report({ email, _text: `Again, ${index}.` });
  expect(verdictOf(await service.query({ email }))).toEqual([points, '6', reliability]);
  await service.report({ email, _api: service.strangerKey });
  expect(Number(verdictOf(await service.query({ email }))[0])).toBeGreaterThan(Number(points));
});
