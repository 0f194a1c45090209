import { createRandom } from '../../../src/core/crypto/crypto.ts';
import { createSealedOperations } from '../../../src/sealed/engine/operations.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { retryHeaders } from '../../../src/core/http/status.ts';
import { createFetchHandler } from '../../../src/core/http/fetch.ts';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../../src/index.ts';
import { formatRefusal } from '../../../src/core/protocol/wording.ts';
import { fromBase64Url, toBase64Url, toHex, toInput } from '../../../src/sealed/encoding.ts';
import { fromReply, verifyEvaluator } from '../../../src/sealed/evaluation.ts';
import { blind, hashToGroup, multiply, randomScalar, unblind, verifyProof } from '../../../src/sealed/group/voprf.ts';
import { createKeys, destroyEpoch, epochPublicKeyOf, nextEpoch, type SealedKeys } from '../../../src/sealed/keys.ts';
import { operatorPublicKey, verifyManifest } from '../../../src/sealed/manifest.ts';
import { createRowKeys } from '../../../src/sealed/rows.ts';
import { lookUp } from '../../../src/sealed/snapshot.ts';
import { createSealedEndpoints } from '../../../src/sealed/service/endpoints.ts';
import { createPace } from '../../../src/sealed/service/pace.ts';
import { createPublicationReader, openPublicationFiles } from '../../../src/sealed/service/publication-files.ts';
import { createPublisher, type Publisher } from '../../../src/sealed/service/publisher.ts';
import { useFolder } from '../../folder.ts';
import { seededRandom } from '../group-samples.ts';
import { createTestEvaluator } from '../test-evaluator.ts';
import { DAY, hashOf, NO_HEADS, rules, START } from './publishing.ts';
import { createMemoryStore } from '../../memory-store.ts';

const folder = useFolder('endpoints');
const random = seededRandom('endpoints');
const errors: unknown[] = [];

const evaluator = createTestEvaluator();
let keys: SealedKeys;
let now = START;
let engine: Engine;
let apiKey: string;
let publisher: Publisher;
let handle: (request: Request, client?: { address?: string }) => Promise<Response>;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeAll(async () => {
  keys = createKeys(evaluator.access, START, random);
  engine = createEngine({
    store: await createMemoryStore(),
    secret: 'the secret of these tests',
    publicUrl: 'https://reports.example',
    clock: () => now,
    monotonic: () => now,
    seal: { fingerprint: '0123456789abcdef', elementOf: (hash) => toHex(evaluator.sealHash(hash)) },
  });
  const reporter = unwrap(await engine.createReporter({ name: 'Shop', verified: true }));
  apiKey = unwrap(await engine.issueKey({ reporterId: reporter.reporterId })).apiKey;
  const published = join(folder, 'published');
  publisher = createPublisher({
    keys: () => keys,
    askSignature: evaluator.sign,
    source: {
      async *readRows() {
        yield (await engine.readSealedRows({ limit: 1000 })).rows;
      },
      readReporters: async () => new Map((await engine.listStandings()).map((one) => [one.reporterId, one])),
    },
    store: await openPublicationFiles(published, NO_HEADS),
    rules,
    clock: () => now,
    random: createRandom(),
    pace: createPace(turn, () => performance.now()),
  });
  const beside = createSealedEndpoints({
    keys: () => keys,
    askEvaluator: evaluator.evaluate,
    files: createPublicationReader(published, () => now),
    service: createSealedOperations(engine, { atOnce: 40, verified: 60, new: 50 }),
    formatRefusal,
    retryHeaders,
    clock: () => now,
    random,
    giveTurn: turn,
    onError: (error) => errors.push(error),
  });
  handle = createFetchHandler(engine, { basePath: '/fraud', beside });
});
afterAll(() => engine.close());
beforeEach(() => {
  // The buckets are full again.
  now += DAY;
  if (now > keys.epochs.at(-1)!.endsAt - 7 * DAY) throw new Error('too many tests for one epoch');
});

const call = (path: string, init: RequestInit = {}, key: string | undefined = apiKey): Promise<Response> =>
  handle(
    new Request(`https://reports.example/fraud/sealed/${path}`, {
      ...init,
      headers: { ...(key && { Authorization: `Bearer ${key}` }), ...(init.headers as Record<string, string>) },
    }),
  );
const post = (path: string, body: unknown, key?: string): Promise<Response> =>
  call(
    path,
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    },
    key,
  );
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
    evaluator.access.publicKey,
    blinded.map((each) => each.blinded),
    one,
  );
  verifyProof(epochPublicKeyOf(keys, 1), one.evaluated, two);
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
      await engine.query({
        apiKey,
        identifiers: [
          { kind: 'email', hash: hashOf(1) },
          { kind: 'phone', hash: hashOf(2) },
        ],
      }),
    );
    expect(plain.reported).toBe(1);

    const { sequence } = await publisher.publish();
    now += 1000;
    const reply = await call('manifest', {}, '');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    const signature = fromBase64Url(reply.headers.get('redflag-signature'))!;
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const operatorKey = operatorPublicKey(keys.operatorKey);
    const { manifest } = verifyManifest(bytes, signature, { operatorKey, now });
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
    const { sequence } = await publisher.publish();
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
      now += DAY / 24;
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
    now += 60_000;
    const beyondDay = await post('evaluate', batch(32));
    expect(beyondDay.status).toBe(429);
    expect(beyondDay.headers.get('ratelimit-policy')).toBe('"elements";q=60;w=86400');
    // Another key of the same reporter has the same limits.
    const [reporter] = await engine.listReporters();
    const other = unwrap(await engine.issueKey({ reporterId: reporter!.reporterId })).apiKey;
    expect(await refusalOf(post('evaluate', batch(32), other))).toBe('429 rate-limited');
  });

  it('lets a key for reports evaluate and report, but fetch no rows', async () => {
    const { sequence } = await publisher.publish();
    const [reporter] = await engine.listReporters();
    const { reporterId } = reporter!;
    const keyFor = async (scope: 'query' | 'report') => unwrap(await engine.issueKey({ reporterId, scope })).apiKey;
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
    const before = now;
    keys = nextEpoch(keys, now, random);
    expect(await refusalOf(post('evaluate', body(2)))).toBe('409 unknown-epoch');
    const { endsAt } = keys.epochs[0]!;
    now = endsAt - DAY;
    expect([(await post('evaluate', body(1))).status, (await post('evaluate', body(2))).status]).toEqual([200, 200]);
    now = endsAt;
    expect(await refusalOf(post('evaluate', body(1)))).toBe('410 epoch-ended');
    expect(await refusalOf(call('1/7/snapshot'))).toBe('410 epoch-ended');
    keys = destroyEpoch(keys, 1);
    expect(await refusalOf(post('report', report([{ kind: 'email', point: point() }])))).toBe('410 epoch-ended');
    expect(before).toBeLessThan(endsAt);
    expect(errors).toEqual([]);
  });
});
