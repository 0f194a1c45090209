import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import type { JournalMedium } from '../../src/journal/medium.ts';
import type { Store } from '../../src/store/store.ts';
import { describeJournalMedium } from '../contract/journal-medium.ts';
import { storeContract } from '../contract/store.ts';
import { openBrowser, reasonToSkip } from './chromium.ts';
import { callIn, createStoragePage } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-store-contract.test.ts skipped: ${skipped}`);

describe.skipIf(skipped !== undefined)('the contracts, in a browser', () => {
  let opened: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let names = 0;

  beforeAll(async () => {
    opened = await openBrowser(await createStoragePage());
    page = await opened.browser.newPage();
    await page.goto(opened.origin);
  });
  afterAll(() => opened?.close());

  for (const [place, maker] of [['page', 'openIndexedDbMedium'], ['worker', 'openOpfsMedium']] as const) {
    describeJournalMedium(`${maker} in a ${place}`, async () => {
      const name = `medium-${names++}`;
      return { open: () => callIn<JournalMedium>(page, place, maker, name), survivesClose: true, remove: async () => undefined };
    });
  }

  for (const [place, storage] of [['page', 'indexeddb'], ['worker', 'indexeddb'], ['worker', 'opfs']] as const) {
    const nameOf = new WeakMap<Store, string>();
    const open = async (name: string): Promise<Store> => {
      const store = await callIn<Store>(page, place, 'openBrowserStore', { name, storage });
      nameOf.set(store, name);
      return store;
    };
    storeContract(`sql.js on ${storage} in a ${place}`, () => open(`contract-${names++}`), async (store) => {
      await store.close();
      return open(nameOf.get(store)!);
    });
  }
});
