import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import type { BrowserStore } from '../../src/sqljs.ts';
import { budget } from '../budget.ts';
import { DAY, id, report as storedReport, reporter } from '../contract/stored.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser } from './chromium.ts';
import { callIn, createStoragePage, STORAGE_PLACES, type Place } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-store.test.ts skipped: ${skipped}`);

type Storage = 'indexeddb' | 'opfs';

// Bytes that are nowhere by chance.
const hash = (n: number): string => n.toString(16).padStart(4, 'd').repeat(10);
const report = (n: number) =>
  storedReport(n, { identifiers: [{ kind: 'email', hash: hash(n) }], text: `the text of report ${n}` });
const unavailable = { name: 'StoreUnavailableError' };

describe.skipIf(skipped !== undefined)('openBrowserStore', () => {
  let folder: string;
  let origin: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let browser: KeptBrowser;
  let page: Page;

  beforeAll(async () => {
    // A browser that keeps nothing has its storage in memory, which is another program.
    folder = await mkdtemp(join(tmpdir(), 'redflag-browser-'));
    server = await openServer(await createStoragePage());
    ({ origin } = server);
    browser = await startChromium(folder);
  });
  afterAll(async () => {
    await browser?.kill();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    page = await browser.context.newPage();
    await (
      await browser.context.newCDPSession(page)
    ).send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await page.goto(origin);
  });
  afterEach(async () => {
    for (const tab of browser.context.pages()) if (tab.url() !== 'about:blank') await tab.close();
  });

  async function newTab(): Promise<Page> {
    const tab = await browser.context.newPage();
    await tab.goto(origin);
    return tab;
  }

  const openIn = (tab: Page, place: Place, storage: Storage | undefined, options: object = {}): Promise<BrowserStore> =>
    callIn<BrowserStore>(tab, place, 'openBrowserStore', {
      name: 'shop',
      ...(storage === undefined ? {} : { storage }),
      ...options,
    });

  const stored = async (storage: Storage): Promise<Buffer> =>
    Buffer.concat(
      Object.values(await callIn<Record<string, Uint8Array>>(page, 'page', 'readStored', storage, 'shop')).map(
        (bytes) => Buffer.from(bytes),
      ),
    );

  it.each(STORAGE_PLACES)(
    'keeps reports over a reload, a closed tab and a worker’s end (%s in a %s)',
    async (storage, place) => {
      const store = await openIn(page, place, storage);
      await store.addReporter(reporter(1));
      for (let n = 1; n <= 20; n++) {
        await store.addReport(report(n), 0);
        if (n % 5 === 0) await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: DAY });
      }
      const found = { reports: 16, removed: 4, reporters: 1 };
      // Without a close: the page just goes.
      for (let round = 0; round < budget(2); round++) {
        await page.reload();
        const again = await openIn(page, place, storage, { waitSeconds: 30 });
        expect(await again.count()).toMatchObject(found);
        expect(await again.check()).toEqual([]);
      }
      await page.close();
      page = await newTab();
      const last = await openIn(page, place, storage, { waitSeconds: 30 });
      expect((await last.findReports([id(1), id(5)])).map(({ text }) => text)).toEqual(['the text of report 1']);
      await last.close();
      await expect(last.count()).rejects.toMatchObject(unavailable);
    },
  );

  it.each(STORAGE_PLACES)('is open in one tab at a time (%s in a %s)', async (storage, place) => {
    const store = await openIn(page, place, storage);
    await store.addReporter(reporter(1));
    const tab = await newTab();
    const inUse = {
      name: 'FolderInUseError',
      message: 'the store shop is in use: this or another tab or worker has it open',
    };
    await expect(openIn(tab, place, storage)).rejects.toMatchObject(inUse);
    await expect(openIn(page, place, storage)).rejects.toMatchObject(inUse);
    await expect(openIn(tab, place, storage, { waitSeconds: 0.2 })).rejects.toMatchObject(inUse);
    const other = await openIn(tab, place, storage, { name: 'another' });
    expect(await other.listReporters()).toEqual([]);
    const waiting = openIn(tab, place, storage, { waitSeconds: 60 });
    await store.addReporter(reporter(2));
    await store.close();
    const second = await waiting;
    expect(await second.listReporters()).toEqual([reporter(1), reporter(2)]);
    await expect(openIn(page, place, storage)).rejects.toMatchObject(inUse);
    // A tab that goes lets go.
    await tab.close();
    const third = await openIn(page, place, storage, { waitSeconds: 60 });
    expect(await third.count()).toMatchObject({ reporters: 2 });
  });

  it.each(STORAGE_PLACES)(
    'writes nothing once another has taken the lock away (%s in a %s)',
    async (storage, place) => {
      const store = await openIn(page, place, storage);
      await store.addReporter(reporter(1));
      const tab = await newTab();
      await callIn(tab, 'page', 'stealLock', `redflag:${storage}:shop`);
      // A new report each time: one that is stored already would write nothing.
      let number = 1;
      await expect
        .poll(() =>
          store.addReport(report(number++), 0).then(
            () => 'added',
            (error: Error) => error.name,
          ),
        )
        .toBe('StoreUnavailableError');
      const before = await stored(storage);
      await expect(store.addReport(report(number), 0)).rejects.toMatchObject(unavailable);
      await store.close();
      expect(await stored(storage)).toEqual(before);
    },
  );

  it.each(STORAGE_PLACES)(
    'has nothing of what was removed, erased or moved in its storage (%s in a %s)',
    async (storage, place) => {
      const store = await openIn(page, place, storage);
      const holds = async (n: number): Promise<boolean> => {
        const bytes = await stored(storage);
        return [`the text of report ${n}`, hash(n), Buffer.from(hash(n), 'hex')].some((trace) => bytes.includes(trace));
      };
      await store.addReporter(reporter(1));
      for (const n of [11, 22, 33, 44]) await store.addReport(report(n), 0);
      for (const n of [11, 22, 33, 44]) expect(await holds(n)).toBe(true);
      await store.removeReport({ reportId: id(11), reporterId: id(1), removedAt: DAY });
      await store.erase({ hashes: [hash(22)], erasedAt: DAY });
      await store.rehash([{ from: hash(44), to: hash(55) }], 1);
      await store.erased();
      expect([
        await holds(11),
        await holds(22),
        await holds(33),
        (await stored(storage)).includes(Buffer.from(hash(44), 'hex')),
      ]).toEqual([false, false, true, false]);
      await store.close();
      // And within the time that it is given.
      const hasty = await openIn(page, place, storage, { eraseWithinSeconds: 0 });
      await hasty.removeReport({ reportId: id(33), reporterId: id(1), removedAt: DAY });
      await expect.poll(() => holds(33)).toBe(false);
      await hasty.close();
    },
  );

  it.each(STORAGE_PLACES)(
    'undoes a write for which there is no room, and works on (%s in a %s)',
    async (storage, place) => {
      const session = await browser.context.newCDPSession(page);
      const allow = (quotaSize?: number) =>
        session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize === undefined ? {} : { quotaSize }) });
      await allow(4_000_000);
      const store = await openIn(page, place, storage);
      await store.addReporter(reporter(1));
      await store.addReport(report(1), 0);
      // What cannot be compressed.
      const noise = randomBytes(600_000).toString('hex');
      const long = (n: number) => ({ ...report(n), text: noise });
      const added = new Set([1]);
      const add = async (n: number): Promise<string> => {
        const outcome = await store.addReport(long(n), 0).then(
          (told) => told.outcome,
          (error: Error) => error.name,
        );
        if (outcome === 'added') added.add(n);
        return outcome;
      };
      for (const n of [2, 3, 4, 5]) await add(n);
      expect(await add(6)).toBe('StoreUnavailableError');
      expect(await callIn(page, place, 'notices')).toContain('write-failed');
      const counted = () =>
        store.count().then(
          ({ reports }) => reports,
          (error: Error) => error.name,
        );
      await expect.poll(counted).toBe(added.size);
      expect(added.size).toBeGreaterThanOrEqual(2);
      // What is small still has room. A rewriting has not, and leaves what is there.
      expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: DAY })).toMatchObject({
        outcome: 'removed',
      });
      await expect(store.erased()).rejects.toMatchObject(unavailable);
      expect((await stored(storage)).includes('the text of report 1')).toBe(true);
      await allow();
      await store.erased();
      expect((await stored(storage)).includes('the text of report 1')).toBe(false);
      expect(await add(7)).toBe('added');
      await page.reload();
      const again = await openIn(page, place, storage, { waitSeconds: 30 });
      expect((await again.findReports([1, 2, 3, 4, 5, 6, 7].map(id))).map(({ reportId }) => reportId).sort()).toEqual(
        [...added]
          .filter((n) => n !== 1)
          .map(id)
          .sort(),
      );
      expect(await again.check()).toEqual([]);
      await again.close();
    },
  );

  it.each(STORAGE_PLACES)('is not opened where there is no room at all (%s in a %s)', async (storage, place) => {
    const session = await browser.context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
    await expect(openIn(page, place, storage)).rejects.toMatchObject({
      ...unavailable,
      cause: expect.stringContaining('QuotaExceededError') as string,
    });
    await session.send('Storage.overrideQuotaForOrigin', { origin });
    const store = await openIn(page, place, storage);
    await store.addReporter(reporter(1));
    await store.close();
  });

  it('acknowledges nothing more when the site’s data is deleted while it is open (indexeddb)', async () => {
    const store = await openIn(page, 'page', 'indexeddb');
    await store.addReporter(reporter(1));
    await (
      await browser.context.newCDPSession(page)
    ).send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
    await expect(store.addReport(report(1), 0)).rejects.toMatchObject(unavailable);
    await expect.poll(() => callIn(page, 'page', 'notices')).toContain('recovery-failed');
    await expect(store.count()).rejects.toMatchObject(unavailable);
    await store.close();
    // A new store, which is what was asked for.
    const again = await openIn(page, 'page', 'indexeddb');
    expect(await again.count()).toMatchObject({ reports: 0, reporters: 0 });
    await again.addReporter(reporter(1));
    await page.reload();
    expect(await (await openIn(page, 'page', 'indexeddb', { waitSeconds: 30 })).count()).toMatchObject({
      reporters: 1,
    });
  });

  it('says where it cannot be and what is no option', async () => {
    await expect(openIn(page, 'page', 'opfs')).rejects.toMatchObject({
      ...unavailable,
      message: '"opfs" needs a dedicated worker; in a page, use "indexeddb"',
    });
    for (const wrong of [
      { name: '' },
      { name: 'a/b' },
      { name: '..' },
      { name: 'A' },
      { name: 5 },
      { name: 'a'.repeat(65) },
      { storage: 'cookies' },
    ]) {
      await expect(openIn(page, 'page', undefined, wrong)).rejects.toBeInstanceOf(TypeError);
    }
    for (const waitSeconds of [-1, Number.NaN, Infinity])
      await expect(openIn(page, 'page', undefined, { waitSeconds })).rejects.toBeInstanceOf(RangeError);
    // Not by its own name, which is always taken for secure.
    const insecure = await browser.context.newPage();
    await insecure.route('http://shop.example/**', async (route) =>
      route.fulfill({
        response: await route.fetch({ url: route.request().url().replace('http://shop.example', origin) }),
      }),
    );
    await insecure.goto('http://shop.example/');
    await expect(openIn(insecure, 'page', undefined)).rejects.toMatchObject({
      ...unavailable,
      message: 'a store in a browser needs a secure context: https, or http on localhost',
    });
    // What failed holds nothing.
    const store = await openIn(page, 'page', undefined);
    await store.close();
  });

  it('asks for persistence when it is told to and only then, and says what became of it', async () => {
    // The browser's own, and how often it was asked.
    await page.evaluate(() => {
      const { storage } = navigator;
      const persist = storage.persist.bind(storage);
      Object.assign(globalThis, { asked: 0 });
      storage.persist = () => {
        (globalThis as unknown as { asked: number }).asked++;
        return persist();
      };
    });
    const asked = () => page.evaluate(() => (globalThis as unknown as { asked: number }).asked);
    const persisted = async (place: Place, options: object = {}): Promise<boolean> => {
      const store = await openIn(page, place, undefined, options);
      await store.close();
      return store.persisted;
    };
    expect([await persisted('page'), await asked()]).toEqual([false, 0]);
    // A worker can only look.
    expect([await persisted('worker', { persist: true }), await asked()]).toEqual([false, 0]);
    expect([await persisted('page', { persist: true }), await asked()]).toEqual([true, 1]);
    expect([await persisted('page'), await persisted('worker'), await asked()]).toEqual([true, true, 1]);
  });

  describe('what is there is not what was written', () => {
    const write = (storage: Storage, at: number | string, bytes?: unknown) =>
      callIn(page, 'page', 'writeStored', storage, 'shop', at, bytes);

    it.each(STORAGE_PLACES)('refuses it and changes nothing (%s in a %s)', async (storage, place) => {
      const store = await openIn(page, place, storage);
      await store.addReporter(reporter(1));
      await store.close();
      const again = await openIn(page, place, storage);
      for (const n of [1, 2, 3]) await again.addReport(report(n), 0);
      await page.reload();
      const read = () => callIn<Record<string, Uint8Array>>(page, 'page', 'readStored', storage, 'shop');
      const before = await read();
      const damaged = { name: 'JournalDamagedError' };
      const tried = async (how: () => Promise<unknown>, problem: object): Promise<void> => {
        await how();
        const left = await read();
        await expect(openIn(page, place, storage, { waitSeconds: 30 })).rejects.toMatchObject(problem);
        expect(await read()).toEqual(left);
        for (const [at, bytes] of Object.entries(before))
          await write(storage, storage === 'indexeddb' ? Number(at) : at, bytes);
      };
      if (storage === 'indexeddb') {
        const keys = Object.keys(before).map(Number);
        const middle = keys[2]!;
        await tried(() => write(storage, middle), damaged);
        await tried(() => write(storage, middle, 'text'), damaged);
        await tried(() => write(storage, keys.at(-1)!, 5), damaged);
        await tried(
          () =>
            write(
              storage,
              middle,
              before[middle]!.map((byte, at) => (at === 40 ? byte ^ 1 : byte)),
            ),
          damaged,
        );
        await tried(
          () =>
            write(
              storage,
              0,
              before[0]!.map((byte, at) => (at === 8 ? 9 : byte)),
            ),
          damaged,
        );
      } else {
        const name = before['journal-a']!.length > 0 ? 'journal-a' : 'journal-b';
        for (const wrong of [0, 12, 30, 3000])
          await tried(
            () =>
              write(
                storage,
                name,
                before[name]!.map((byte, at) => (at === wrong ? byte ^ 1 : byte)),
              ),
            damaged,
          );
        await tried(() => write(storage, name, before[name]!.slice(0, 20)), damaged);
      }
      const whole = await openIn(page, place, storage, { waitSeconds: 30 });
      expect(await whole.count()).toMatchObject({ reports: 3 });
      await whole.close();
    });

    it('refuses a database of a newer kind, and one that is no journal’s', async () => {
      const create = (name: string, version: number) =>
        page.evaluate(
          ([of, to]) =>
            new Promise<void>((resolve) => {
              const request = indexedDB.open(of, to);
              request.onsuccess = () => resolve(request.result.close());
            }),
          [name, version] as const,
        );
      await create('redflag:newer', 2);
      await create('redflag:strange', 1);
      await expect(openIn(page, 'page', 'indexeddb', { name: 'newer' })).rejects.toMatchObject({
        name: 'JournalVersionError',
      });
      await expect(openIn(page, 'page', 'indexeddb', { name: 'strange' })).rejects.toMatchObject({
        name: 'JournalDamagedError',
      });
    });

    it('takes of two files the one that counts, wherever a replacement was interrupted', async () => {
      const folder = 'redflag-shop';
      const open = () => callIn<JournalMedium>(page, 'worker', 'openOpfsMedium', folder);
      const read = () => callIn<Record<string, Uint8Array>>(page, 'page', 'readStored', 'opfs', 'shop');
      const text = (value: string) => new TextEncoder().encode(value);
      const content = async (): Promise<string> => {
        const medium = await open();
        const found = Buffer.from(await medium.read(0, 100)).toString();
        await medium.close();
        return found;
      };
      const medium = await open();
      await medium.replace([text('what was there')]);
      await medium.close();
      const old = await read();
      const again = await open();
      await again.replace([text('what is '), text('new')]);
      await again.close();
      const done = await read();
      // The new file as it grows: first its bytes behind an empty header, then the header, byte by byte.
      const file = done['journal-a']!;
      const growing = [1, 10, 24, 30, file.length].map((length) =>
        file.map((byte, at) => (at < 24 ? 0 : byte)).slice(0, length),
      );
      const headed = [1, 12, 20, 23].map((length) => file.map((byte, at) => (at >= length && at < 24 ? 0 : byte)));
      for (const part of [...growing, ...headed]) {
        await write('opfs', 'journal-a', part);
        await write('opfs', 'journal-b', old['journal-b']);
        expect(await content()).toBe('what was there');
        expect((await read())['journal-a']).toHaveLength(0);
      }
      // Its header is whole, and the old file not yet emptied.
      for (const left of [old['journal-b']!, old['journal-b']!.slice(0, 30), old['journal-b']!.slice(0, 5)]) {
        await write('opfs', 'journal-a', file);
        await write('opfs', 'journal-b', left);
        expect(await content()).toBe('what is new');
        expect((await read())['journal-b']).toHaveLength(0);
      }
      // The very first start, interrupted; and what nothing of ours can leave.
      for (const part of [
        file.slice(0, 0),
        file.slice(0, 7),
        file.slice(0, 24).fill(0),
        file.slice(0, 24).fill(0, 8),
      ]) {
        await write('opfs', 'journal-a', part);
        expect(await content()).toBe('');
      }
      await write('opfs', 'journal-a', file.slice(0, 40).fill(0));
      await expect(open()).rejects.toMatchObject({ name: 'JournalDamagedError' });
    });
  });
});
