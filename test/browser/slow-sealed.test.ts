import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvaluationStore } from '../../src/sealed/client/evaluations.ts';
import type { ReplicaStore } from '../../src/sealed/client/replica-store.ts';
import { toBase64Url } from '../../src/sealed/encoding.ts';
import { evaluationStoreContract, replicaStoreContract } from '../contract/sealed-stores.ts';
import { seededRandom } from '../sealed/group-samples.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser } from './chromium.ts';
import { callIn, createStoragePage } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-sealed.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('the stores of the sealed client in a browser', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let browser: KeptBrowser;
  let page: Page;
  let names = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-browser-'));
    server = await openServer(await createStoragePage());
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

  it('refuses a database of another version, and leaves it as it is', async () => {
    await callIn(page, 'page', 'openVersion', 'newer', 2);
    await expect(openEvaluations('page', 'newer')).rejects.toMatchObject({ name: 'VersionError' });
    expect(await callIn(page, 'page', 'openVersion', 'newer', 2)).toBe(2);
  });

  it('refuses evaluations of another version, and counts damaged ones as empty', async () => {
    const [epochKey, hash, element] = [toBase64Url(new Uint8Array(32)), 'ab'.repeat(20), seededRandom('element')(32)];
    const store = await openEvaluations('page', 'versions');
    await store.keep(epochKey, new Map([[hash, element]]));
    await store.close();
    const header = [...'redflagE'].map((letter) => letter.charCodeAt(0));
    const replace = (bytes: Uint8Array) =>
      callIn(page, 'page', 'writeSealed', 'versions', 'evaluations', { bytes, version: 9 });
    await replace(Uint8Array.of(...header, 2, ...new Uint8Array(60)));
    await expect(openEvaluations('page', 'versions')).rejects.toThrow('another version of redflag');
    for (const damaged of [
      new Uint8Array(0),
      Uint8Array.of(...header),
      Uint8Array.of(...header, 1),
      new Uint8Array(60),
    ]) {
      await replace(damaged);
      const empty = await openEvaluations('page', 'versions');
      expect(await empty.read(epochKey, [hash])).toEqual([undefined]);
      await empty.close();
    }
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
