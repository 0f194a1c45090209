import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import type { SqlAnswer, SqlStep, SqlWork } from '../../src/core/store/sql/statement.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isLong } from '../budget.ts';
import { describeJournalMedium } from '../contract/journal-medium.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser } from './chromium.ts';
import { callIn, createStoragePage } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-store-contract.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('the contracts, in a browser', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let browser: KeptBrowser;
  let page: Page;
  let names = 0;

  beforeAll(async () => {
    // A browser that keeps nothing has its storage in memory, which is another program.
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

  for (const [place, maker] of [
    ['page', 'openIndexedDbMedium'],
    ['worker', 'openOpfsMedium'],
  ] as const) {
    describeJournalMedium(`${maker} in a ${place}`, async () => {
      const name = `medium-${names++}`;
      return {
        open: () => callIn<JournalMedium>(page, place, maker, name),
        survivesClose: true,
        remove: async () => undefined,
        // More than one entry of IndexedDB.
        largeBytes: (isLong ? 9 : 5) * 1024 * 1024,
      };
    });
  }

  // All of them are the store on a journal, which has all cases in test/store/durable.test.ts.
  for (const [place, storage] of [
    ['page', 'indexeddb'],
    ['worker', 'indexeddb'],
    ['worker', 'opfs'],
  ] as const) {
    const nameOf = new WeakMap<Store, string>();
    const open = async (name: string): Promise<Store> => {
      const remote = await callIn<RemoteStore>(page, place, 'openBrowserStore', { name, storage });
      const store = { ...remote, read: <T>(work: () => SqlWork<T>) => readBySteps(remote, work()) };
      nameOf.set(store, name);
      return store;
    };
    storeContract(
      `sql.js on ${storage} in a ${place}`,
      () => open(`contract-${names++}`),
      async (store) => {
        await store.close();
        return open(nameOf.get(store)!);
      },
      VARIANT_CASES,
    );
  }
});

/** A store in a page. */
type RemoteStore = Omit<Store, 'read'> & { read(step: SqlStep): Promise<SqlAnswer> };

async function readBySteps<T>(store: RemoteStore, work: SqlWork<T>): Promise<T> {
  let step = work.next([]);
  while (!step.done) step = work.next(await store.read(step.value));
  return step.value;
}
