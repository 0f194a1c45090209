import { beforeAll, beforeEach, afterAll, describe, expect, it } from 'vitest';
import { unwrap } from '../../../src/index.ts';
import { fromBase64Url, toBase64Url, toInput } from '../../../src/sealed/encoding.ts';
import { fromReply, verifyEvaluator } from '../../../src/sealed/evaluation.ts';
import { blind, hashToGroup, multiply, randomScalar, unblind, verifyProof } from '../../../src/sealed/group/voprf.ts';
import { destroyEpoch, epochPublicKeyOf, nextEpoch } from '../../../src/sealed/keys.ts';
import { operatorPublicKey, verifyManifest } from '../../../src/sealed/manifest.ts';
import { createRowKeys } from '../../../src/sealed/rows.ts';
import { lookUp } from '../../../src/sealed/snapshot.ts';
import { openRealService, type RealService } from '../client/real-service.ts';
import { seededRandom } from '../group-samples.ts';
import { DAY, hashOf } from './publishing.ts';

const random = seededRandom('endpoints');
let service: RealService;
let apiKey: string;

beforeAll(async () => {
  service = await openRealService({
    types: ['chargeback', 'fraud'],
    elements: { atOnce: 40, verified: 60, new: 50 },
    engine: { limits: {}, budgets: {} },
  });
  ({ apiKey } = await service.addShop('Shop', true));
});
afterAll(() => service.close());
beforeEach(() => {
  // The buckets are full again.
  service.advance(DAY);
  if (service.now > service.keys.epochs.at(-1)!.endsAt - 7 * DAY) throw new Error('too many tests for one epoch');
});

const call = (path: string, init: RequestInit = {}, key: string = apiKey) => service.call(path, key, init);
const post = (path: string, body: unknown, key: string = apiKey) => service.call(path, key, {}, body);
const refusalOf = async (response: Promise<Response>): Promise<string> => {
  const reply = await response;
  const { error, message } = (await reply.json()) as { error: string; message: string };
  expect(message).toMatch(/\S/);
  return `${reply.status} ${error}`;
};

/** Evaluates hashes as a client does, and verifies the proof. */
async function evaluate(hashes: readonly string[]): Promise<Uint8Array[]> {
  const blinded = hashes.map((hash) => blind(toInput(hash), random));
  const reply = await post('evaluate', { epoch: 1, blinded: blinded.map((one) => toBase64Url(one.blinded)) });
  expect(reply.status).toBe(200);
  const { epoch, evaluator: first, ...last } = (await reply.json()) as { epoch: number; evaluator: unknown };
  expect(epoch).toBe(1);
  const [one, two] = [fromReply(first, hashes.length)!, fromReply(last, hashes.length)!];
  verifyEvaluator(
    service.evaluator.access.publicKey,
    blinded.map((each) => each.blinded),
    one,
  );
  verifyProof(epochPublicKeyOf(service.keys, 1), one.evaluated, two);
  return two.evaluated.map((element, at) => unblind(blinded[at]!.blind, element));
}

const point = (): string => toBase64Url(multiply(randomScalar(random), hashToGroup(random(20))));
const report = (identifiers: unknown) => ({
  epoch: 1,
  type: 'chargeback',
  severity: 7,
  text: 'The goods were not paid.',
  identifiers,
});

describe('the sealed look-up over HTTP', () => {
  it('takes a sealed report, and publishes what a client then opens alone', async () => {
    const [email, phone] = await evaluate([hashOf(1), hashOf(2)]);
    const identifiers = [
      { kind: 'email', point: toBase64Url(email!) },
      { kind: 'phone', point: toBase64Url(phone!) },
    ];
    const reported = await post('report', report(identifiers));
    expect(reported.status).toBe(200);
    const receipt = (await reported.json()) as { code: string };
    expect(receipt).toEqual({ code: expect.stringMatching(/^[0-9a-f]{16}$/) as string });
    // A retry has the same receipt.
    expect(await (await post('report', report(identifiers))).json()).toEqual(receipt);
    const plain = unwrap(
      await service.engine.query({
        apiKey,
        identifiers: [
          { kind: 'email', hash: hashOf(1) },
          { kind: 'phone', hash: hashOf(2) },
        ],
      }),
    );
    expect(plain.reported).toBe(1);

    const { sequence } = await service.publish();
    service.advance(1000);
    const reply = await call('manifest', {}, '');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    const signature = fromBase64Url(reply.headers.get('redflag-signature'))!;
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const operatorKey = operatorPublicKey(service.keys.operatorKey);
    const { manifest } = verifyManifest(bytes, signature, { operatorKey, now: service.now });
    expect(manifest).toMatchObject({ sequence, rows: 80 });
    const etag = reply.headers.get('etag')!;
    expect((await call('manifest', { headers: { 'If-None-Match': etag } })).status).toBe(304);

    const address = `1/${sequence}`;
    const whole = await call(`${address}/snapshot`);
    expect(whole.headers.get('cache-control')).toContain('immutable');
    const snapshot = new Uint8Array(await whole.arrayBuffer());
    const found = lookUp(snapshot, createRowKeys(fromBase64Url(manifest.salt)!, email!));
    expect(found).toMatchObject([{ severity: 7, disputed: false, kind: 0, type: 0 }]);

    expect(await refusalOf(call('1/7/snapshot'))).toBe('404 not-found');
  });

  it('refuses a request without a key that works, before any other mistake', async () => {
    const { sequence } = await service.publish();
    for (const key of ['', '0123456789abcdef', 'x']) {
      for (const path of [`1/${sequence}/snapshot`, '1/2/snapshot'])
        expect(await refusalOf(call(path, {}, key))).toBe('401 unauthorised');
      for (const path of ['evaluate', 'report'])
        for (const body of ['{', { epoch: 9, blinded: [point()] }])
          expect(await refusalOf(post(path, body, key))).toBe('401 unauthorised');
    }
  });

  it('refuses malformed requests with a closed list of errors', async () => {
    const identity = toBase64Url(new Uint8Array(32));
    const bad = toBase64Url(new Uint8Array(32).fill(0xff));
    const identifier = { kind: 'email', point: point() };
    const cases: [string, unknown, string][] = [
      ['evaluate', '{', '400 invalid-request'],
      ['evaluate', '[]', '400 invalid-request'],
      ['evaluate', { epoch: 1 }, '400 invalid-request'],
      ['evaluate', { epoch: 1, blinded: [point()], more: 1 }, '400 invalid-request'],
      ['evaluate', { epoch: '1', blinded: [point()] }, '400 invalid-request'],
      ['evaluate', { epoch: -1, blinded: [point()] }, '400 invalid-request'],
      ['evaluate', { epoch: 1, blinded: [] }, '400 invalid-request'],
      ['evaluate', { epoch: 1, blinded: [identity] }, '400 invalid-element'],
      ['evaluate', { epoch: 1, blinded: [point(), bad] }, '400 invalid-element'],
      ['evaluate', { epoch: 1, blinded: [`${point()}=`] }, '400 invalid-element'],
      ['evaluate', { epoch: 1, blinded: [7] }, '400 invalid-element'],
      ['evaluate', { epoch: 1, blinded: Array.from({ length: 33 }, point) }, '413 too-many'],
      ['evaluate', ' '.repeat(5000), '413 too-many'],
      ['report', report([{ kind: 'email' }]), '400 invalid-request'],
      ['report', report([{ ...identifier, hash: hashOf(1) }]), '400 invalid-request'],
      ['report', report([{ kind: 'email', point: identity }]), '400 invalid-element'],
      ['report', report([{ kind: '!', point: point() }]), '400 invalid-request'],
      ['report', report(Array.from({ length: 33 }, () => identifier)), '413 too-many'],
      ['report', { ...report([identifier]), severity: 11 }, '400 invalid-request'],
      ['report', { ...report([identifier]), type: 'unknown' }, '400 invalid-request'],
      ['report', { ...report([identifier]), text: 'Write to ada@example.org' }, '400 invalid-request'],
      ['report', { ...report([identifier]), text: 7 }, '400 invalid-request'],
    ];
    for (const [path, body, expected] of cases) {
      service.advance(DAY / 24);
      expect([path, body, await refusalOf(post(path, body))]).toEqual([path, body, expected]);
    }
    const noType = call('evaluate', { method: 'POST', body: '{}', headers: { 'Content-Type': 'text/plain' } });
    expect(await refusalOf(noType)).toBe('400 invalid-request');
  });

  it('refuses elements beyond the limits of the reporter, with the headers of a limit', async () => {
    const batch = (count: number) => ({ epoch: 1, blinded: Array.from({ length: count }, point) });
    expect((await post('evaluate', batch(32))).status).toBe(200);
    const refused = await post('evaluate', batch(20));
    expect(refused.status).toBe(429);
    expect(((await refused.json()) as { error: string }).error).toBe('rate-limited');
    expect(refused.headers.get('ratelimit-policy')).toBe('"evaluate";q=40;w=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    service.advance(60_000);
    const beyondDay = await post('evaluate', batch(32));
    expect(beyondDay.status).toBe(429);
    expect(beyondDay.headers.get('ratelimit-policy')).toBe('"elements";q=60;w=86400');
    // Another key of the same reporter has the same limits.
    const [reporter] = await service.engine.listReporters();
    const other = unwrap(await service.engine.issueKey({ reporterId: reporter!.reporterId })).apiKey;
    expect(await refusalOf(post('evaluate', batch(32), other))).toBe('429 rate-limited');
  });

  it('lets a key for reports evaluate and report, but fetch no rows', async () => {
    const { sequence } = await service.publish();
    const [reporter] = await service.engine.listReporters();
    const { reporterId } = reporter!;
    const keyFor = async (scope: 'query' | 'report') =>
      unwrap(await service.engine.issueKey({ reporterId, scope })).apiKey;
    const [reporting, asking] = [await keyFor('report'), await keyFor('query')];
    const identifiers = [{ kind: 'email', point: point() }];
    const body = { epoch: 1, blinded: [point()] };
    const statuses = async (key: string) =>
      Promise.all(
        [
          post('evaluate', body, key),
          post('report', report(identifiers), key),
          call(`1/${sequence}/snapshot`, {}, key),
        ].map(async (reply) => (await reply).status),
      );
    expect(await statuses(reporting)).toEqual([200, 200, 401]);
    expect(await statuses(asking)).toEqual([200, 401, 200]);
    expect(await refusalOf(post('evaluate', '{', reporting))).toBe('400 invalid-request');
  });

  it('answers other methods and addresses', async () => {
    expect((await call('evaluate')).status).toBe(405);
    expect((await call('evaluate')).headers.get('allow')).toBe('POST');
    expect((await call('evaluate', { method: 'OPTIONS' })).status).toBe(204);
    for (const path of ['nothing', 'query']) expect(await refusalOf(call(path))).toBe('404 not-found');
    expect(await refusalOf(call('1/99999999999/snapshot'))).toBe('404 not-found');
    const head = await call('manifest', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('refuses epochs that are not open, and answers in the overlap under both keys', async () => {
    const body = (epoch: number) => ({ epoch, blinded: [point()] });
    const unknown = await post('evaluate', body(2));
    expect([unknown.status, await unknown.json()]).toEqual([
      409,
      { error: 'unknown-epoch', message: expect.any(String) as string, epoch: 1 },
    ]);
    service.keys = nextEpoch(service.keys, service.now, random);
    expect(await refusalOf(post('evaluate', body(2)))).toBe('409 unknown-epoch');
    const { endsAt } = service.keys.epochs[0]!;
    service.advance(endsAt - DAY - service.now);
    expect([(await post('evaluate', body(1))).status, (await post('evaluate', body(2))).status]).toEqual([200, 200]);
    service.advance(DAY);
    expect(await refusalOf(post('evaluate', body(1)))).toBe('410 epoch-ended');
    expect(await refusalOf(call('1/7/snapshot'))).toBe('410 epoch-ended');
    service.keys = destroyEpoch(service.keys, 1);
    expect(await refusalOf(post('report', report([{ kind: 'email', point: point() }])))).toBe('410 epoch-ended');
    expect(service.errors).toEqual([]);
  });
});
