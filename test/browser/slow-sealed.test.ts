import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationStore } from '../../src/sealed/client/evaluations.ts';
import type { ReplicaStore } from '../../src/sealed/client/replica-store.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { evaluationStoreContract, replicaStoreContract } from '../contract/sealed-stores.ts';
import { BEGIN, hashFor, HOUR } from '../sealed/client/operator.ts';
import { relayTo } from '../sealed/client/relay.ts';
import { API_KEY, openSetting, TestService } from '../sealed/client/service.ts';
import { seededRandom } from '../sealed/group-samples.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser } from './chromium.ts';
import { callIn, createStoragePage } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-sealed.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('the sealed client in a browser', () => {
  const service = new TestService();
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let browser: KeptBrowser;
  let page: Page;
  let names = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-browser-'));
    server = await openServer(withService(await createStoragePage(), service));
    browser = await startChromium(folder);
    page = await browser.context.newPage();
    await page.goto(server.origin);
  });
  afterAll(async () => {
    await browser?.kill();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const openEvaluations = async (
    place: 'page' | 'worker',
    name: string,
    key?: Uint8Array,
  ): Promise<EvaluationStore> => {
    const store = await callIn<EvaluationStore & { keep(epochKey: string, pairs: unknown): Promise<void> }>(
      page,
      place,
      'openSealedEvaluations',
      name,
      key,
    );
    return { ...store, keep: (epochKey, elements) => store.keep(epochKey, [...elements]) };
  };

  for (const place of ['page', 'worker'] as const) {
    replicaStoreContract(`IndexedDB in a ${place}`, async () => {
      const name = `replica-${names++}`;
      const open = () => callIn<ReplicaStore>(page, place, 'openIndexedDbReplica', name);
      return { open, survivesClose: true, remove: async () => undefined };
    });
    for (const key of [undefined, seededRandom('browser')(32)]) {
      evaluationStoreContract(`IndexedDB in a ${place}, ${key ? "the caller's key" : 'an own key'}`, async () => {
        const name = `evaluations-${names++}`;
        return { open: () => openEvaluations(place, name, key), survivesClose: true, remove: async () => undefined };
      });
    }
  }

  it('answers a query, and after a reload the same without a request', async () => {
    const { operator } = service;
    const email = { kind: 'email', hash: hashFor('email') };
    operator.reporters = [{ number: 1, precision: 0.8, established: true, verified: true }];
    const report = { id: 1, reporter: 1, type: 'fraud', severity: 8, disputed: false, identifiers: [email] };
    operator.reports = [{ ...report, seconds: BEGIN / 1000 - HOUR }];
    operator.publish();
    const setting = openSetting({ fetch: service.fetch, operatorKey: operator.operatorKey, clock: () => BEGIN });
    const expected = await setting.client.query([email]);
    service.seen.length = 0;
    const ask = () =>
      callIn<unknown>(page, 'page', 'querySealed', toBase64Url(operator.operatorKey), API_KEY, BEGIN, [email]);
    expect(await ask()).toEqual([expected, expected]);
    expect(service.seen.map(({ path }) => path)).toEqual(['manifest', '1/1/snapshot', '1/1/reporters', 'evaluate']);
    await page.reload();
    service.seen.length = 0;
    expect(await ask()).toEqual([expected, expected]);
    expect(service.seen).toEqual([]);

    const kept = await callIn<string>(page, 'page', 'readSealed', 'sealed-evaluations');
    expect(kept).toContain('AES-GCM not extractable encrypt decrypt');
    expect(kept).not.toContain([...operator.elementOf(1, email.hash)].slice(0, 6).join(' '));
    expect(kept).not.toContain(email.hash);
    // Damage: the evaluation is made again.
    const damaged = { bytes: new Uint8Array(60), version: 1 };
    await callIn(page, 'page', 'writeSealed', 'sealed-evaluations', 'evaluations', damaged);
    expect(await ask()).toEqual([expected, expected]);
    expect(service.seen.map(({ path }) => path)).toEqual(['evaluate']);
  });

  it('refuses evaluations that another key encrypted', async () => {
    const store = await openEvaluations('page', 'other-key', seededRandom('one')(32));
    await store.keep(toBase64Url(new Uint8Array(32)), new Map());
    await store.close();
    await expect(openEvaluations('page', 'other-key', seededRandom('two')(32))).rejects.toThrow(
      'another key encrypted',
    );
  });
});

/** Serves the endpoints of the service beside the page. */
function withService(pages: RequestListener, service: TestService): RequestListener {
  const relay = relayTo(service);
  return (request, response) => (request.url?.startsWith('/sealed/') ? relay : pages)(request, response);
}
