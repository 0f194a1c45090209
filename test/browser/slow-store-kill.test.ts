import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserStore } from '../../src/sqljs.ts';
import type { IdentifierPosition } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { budget } from '../budget.ts';
import { DAY, id, report as storedReport, reporter } from '../contract/stored.ts';
import { openServer, reasonToSkip, startChromium, type KeptBrowser } from './chromium.ts';
import { callIn, createStoragePage, STORAGE_PLACES, type Place } from './remote.ts';

const skipped = reasonToSkip();
if (skipped !== undefined) console.warn(`test/browser/slow-store-kill.test.ts skipped: ${skipped}`);

const ROUNDS = budget(2);
const WRITERS = 6;

// Bytes that are nowhere by chance.
const hash = (n: number): string => n.toString(16).padStart(5, 'e').repeat(8);
const report = (n: number) =>
  storedReport(n, {
    identifiers: [0, 1].map((at) => ({ kind: 'email', hash: hash(2 * n + at) })),
    text: `the text of report number ${n}`,
  });

describe.skipIf(skipped !== undefined)('openBrowserStore, when the browser is killed', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openServer>>;
  let browser: KeptBrowser | undefined;

  beforeAll(async () => {
    server = await openServer(await createStoragePage());
  });
  afterAll(() => server?.close());
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redflag-browser-'));
  });
  afterEach(async () => {
    await browser?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  /** `kept` is true if a database that no store uses is still there from the browser before. */
  async function open(
    storage: 'indexeddb' | 'opfs',
    place: Place,
  ): Promise<{ readonly store: BrowserStore; readonly kept: boolean }> {
    browser = await startChromium(folder);
    const page = await browser.context.newPage();
    await page.goto(server.origin);
    const options = { name: 'shop', storage, eraseWithinSeconds: 0 };
    const store = await callIn<BrowserStore>(page, place, 'openBrowserStore', options);
    return { store, kept: await callIn<boolean>(page, place, 'openWitness') };
  }

  it.each(STORAGE_PLACES)(
    'has every write that was acknowledged, and none in part (%s in a %s)',
    async (storage, place) => {
      const state = {
        stored: new Set<number>(),
        removed: new Set<number>(),
        sent: new Set<number>(),
        removing: new Set<number>(),
        last: 0,
        dropped: 0,
      };
      for (let round = 0; round < ROUNDS; round++) {
        const { store, kept } = await open(storage, place);
        const found = await reportsIn(store);
        // A browser may drop all data of an origin, e.g. because its disk is full. The database that no store uses is
        // gone then too, and the store starts empty. A store that is lost alone is the fault that this test looks for.
        if (round > 0 && !kept && found.size === 0) {
          console.warn(`round ${round}: the browser dropped all data of the origin`);
          state.dropped++;
          for (const numbers of [state.stored, state.removed, state.sent, state.removing]) numbers.clear();
        }
        if (state.stored.size === 0) await store.addReporter(reporter(1));
        for (const n of state.stored)
          if (!state.removing.has(n)) expect(found, `report ${n} was acknowledged`).toContain(n);
        for (const n of state.removed) expect(found, `report ${n} was removed`).not.toContain(n);
        for (const n of found) expect(state.stored.has(n) || state.sent.has(n), `report ${n} was sent`).toBe(true);
        expect((await identifiersOf(store)).sort()).toEqual(
          [...found].flatMap((n) => report(n).identifiers.map((one) => `${id(n)} ${one.hash}`)).sort(),
        );
        expect(await store.check()).toEqual([]);
        for (const n of found) state.stored.add(n);
        for (const n of state.removing) if (!found.has(n)) state.stored.delete(n);
        state.sent.clear();
        state.removing.clear();

        const writeUntilGone = async (): Promise<void> => {
          for (;;) {
            const n = ++state.last;
            try {
              state.sent.add(n);
              await store.addReport(report(n), 0);
              state.sent.delete(n);
              state.stored.add(n);
              // Each removal has the journal rewritten at once, so some rounds end in the middle of that.
              if (n % 3 !== 0) continue;
              state.removing.add(n);
              await store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: DAY });
              state.removing.delete(n);
              state.stored.delete(n);
              state.removed.add(n);
            } catch {
              // The browser is gone.
              return;
            }
          }
        };
        const before = state.stored.size;
        const writing = Promise.all(Array.from({ length: WRITERS }, writeUntilGone));
        while (state.stored.size < before + 30 + 11 * round) await new Promise((resolve) => setTimeout(resolve, 1));
        await browser!.kill();
        await writing;
      }
      expect(state.dropped).toBeLessThan(2);
      expect(state.removed.size).toBeGreaterThan(ROUNDS);
    },
  );

  it('has nothing of what was erased in any file of the browser (opfs)', async () => {
    const { store } = await open('opfs', 'worker');
    await store.addReporter(reporter(1));
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    expect(await filesWith(folder, 'the text of report number 1')).toHaveLength(1);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: DAY });
    await store.erased();
    await browser!.kill();
    for (const trace of ['the text of report number 1', hash(2), hash(3), Buffer.from(hash(2), 'hex')])
      expect(await filesWith(folder, trace)).toEqual([]);
    expect(await filesWith(folder, 'the text of report number 2')).toHaveLength(1);
  });
});

async function reportsIn(store: Store): Promise<Set<number>> {
  return new Set((await identifiersOf(store)).map((line) => Number(`0x${line.split(' ')[0]}`)));
}

async function identifiersOf(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (let after: IdentifierPosition | undefined; ;) {
    const page = await store.readIdentifiers(after, 1000);
    found.push(...page.map((one) => `${one.reportId} ${one.hash}`));
    after = page.at(-1);
    if (page.length < 1000) return found;
  }
}

async function filesWith(folder: string, trace: string | Buffer): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // One that the browser has just removed holds nothing.
    if ((await readFile(path).catch(() => Buffer.alloc(0))).includes(trace)) found.push(path);
  }
  return found;
}
