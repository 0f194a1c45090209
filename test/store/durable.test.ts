import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import initSqlJs from 'sql.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openDurableStore, type StoreNotice } from '../../src/stores/sqljs/durable.ts';
import { openFolderStore } from '../../src/stores/sqljs/folder-store.ts';
import type { StoredReport } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'redflag-store-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
let folders = 0;
const folder = (): string => join(root, String(folders++));

const SQL = await initSqlJs();
/** The names of the columns of each statement that the contract prepares. */
const namesOf = new Map<string, readonly string[]>();
class Recording extends SQL.Database {
  override prepare(text: string) {
    const statement = super.prepare(text);
    namesOf.set(text, statement.getColumnNames());
    return statement;
  }
}

const mediaOf = new WeakMap<Store, ReturnType<typeof createMemoryMedium>>();
const openOnMemory = async (bytes?: Uint8Array): Promise<Store> => {
  const medium = createMemoryMedium(bytes);
  const store = await openDurableStore({ medium, sqlJs: { Database: Recording } });
  mediaOf.set(store, medium);
  return store;
};
storeContract(
  'sql.js with a journal in memory',
  () => openOnMemory(),
  async (store) => {
    // Without a close: what a crash would leave.
    const bytes = mediaOf.get(store)!.bytes();
    await store.close();
    return openOnMemory(bytes);
  },
);

// Some builds of SQLite return rows as objects only. A name that comes twice would lose a value, and whole numbers come
// before other names.
it('every statement of the store gives its columns names of their own', () => {
  const several = [...namesOf].filter(([, names]) => names.length > 1);
  expect(several.length).toBeGreaterThan(10);
  for (const [text, names] of several) {
    expect(new Set(names).size, text).toBe(names.length);
    for (const name of names) expect(name, text).not.toMatch(/^\d+$/);
  }
});

const folderOf = new WeakMap<Store, string>();
const openInFolder = async (path: string): Promise<Store> => {
  const store = await openFolderStore(path);
  folderOf.set(store, path);
  return store;
};
storeContract(
  'sql.js with a journal in a folder',
  () => openInFolder(folder()),
  async (store) => {
    await store.close();
    return openInFolder(folderOf.get(store)!);
  },
  VARIANT_CASES,
);

const reporter = { reporterId: '0000000000000001', name: 'Shop', verified: true, suspended: false, createdAt: 0 };
const report = (n: number): StoredReport => ({
  reportId: n.toString(16).padStart(16, '0'),
  nonce: '00000000000000bb',
  fingerprint: n.toString(16).padStart(32, '0'),
  reporterId: reporter.reporterId,
  type: 'fraud',
  severity: 5,
  text: `the text of report ${n}`,
  createdAt: 1,
  identifiers: [{ kind: 'email', hash: n.toString(16).padStart(40, '0') }],
});

/** A medium whose appends fail while `full` is set, after part of the bytes is written: a disk that is full. */
function fragile(inner: JournalMedium) {
  const state = { full: false, unreadable: false, replaceFails: false };
  const medium: JournalMedium = {
    ...inner,
    size: () => inner.size(),
    async read(offset, length) {
      if (state.unreadable) throw new Error('EIO');
      return inner.read(offset, length);
    },
    async append(bytes) {
      if (!state.full) return inner.append(bytes);
      await inner.append(bytes.subarray(0, bytes.length >> 1));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    },
    async replace(chunks) {
      if (state.replaceFails) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return inner.replace(chunks);
    },
  };
  return { medium, state };
}

async function usable(store: Store): Promise<void> {
  for (;;) {
    try {
      await store.count();
      return;
    } catch (error) {
      expect(error).toMatchObject({ name: 'StoreUnavailableError' });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

it('reads an argument that was left out as it was written', async () => {
  const medium = createMemoryMedium();
  const store = await openDurableStore({ medium });
  await store.addReporter(reporter);
  const key = { keyId: '01'.repeat(8), reporterId: reporter.reporterId, createdAt: 1, endsAt: null };
  expect(await store.addKey({ ...key, digest: '02'.repeat(32) }, undefined, undefined, undefined)).toBe('added');
  const again = await openDurableStore({ medium: createMemoryMedium(medium.bytes()) });
  expect(await again.listKeys()).toMatchObject([key]);
});

describe('durable store: faults', () => {
  it('tells every waiting writer when the disk is full, keeps what was acknowledged and goes on when there is room', async () => {
    const notices: StoreNotice[] = [];
    const { medium, state } = fragile(createMemoryMedium());
    const store = await openDurableStore({ medium, onNotice: (notice) => notices.push(notice) });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);

    state.full = true;
    const writes = await Promise.allSettled([
      store.addReport(report(2), 0),
      store.addReport(report(3), 0),
      store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 }),
    ]);
    for (const write of writes)
      expect(write).toMatchObject({ status: 'rejected', reason: { name: 'StoreUnavailableError' } });
    expect(notices.map(({ event }) => event)).toContain('write-failed');
    await usable(store);
    expect(await store.count()).toMatchObject({ reports: 1, removed: 0 });

    state.full = false;
    expect(await store.addReport(report(2), 0)).toEqual({ outcome: 'added' });
    await store.close();
  });

  it('answers reads while the disk stays full, whatever writes are refused meanwhile, and loses nothing by trying', async () => {
    const notices: StoreNotice[] = [];
    const inner = createMemoryMedium();
    const { medium, state } = fragile(inner);
    const store = await openDurableStore({ medium, onNotice: (notice) => notices.push(notice) });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    state.full = true;
    await expect(store.addReport(report(2), 0)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await usable(store);
    const before = inner.bytes();
    for (let n = 3; n < 10; n++) {
      const refused = Promise.allSettled([store.addReport(report(n), 0), store.addReport(report(n + 100), 0)]);
      expect(await store.count()).toMatchObject({ reports: 1 });
      for (const write of await refused)
        expect(write).toMatchObject({
          status: 'rejected',
          reason: { name: 'StoreUnavailableError', cause: { code: 'ENOSPC' } },
        });
      expect(await store.count()).toMatchObject({ reports: 1 });
    }
    // One failure was one reading; all that was tried afterwards has left nothing.
    expect(notices.map(({ event }) => event)).toEqual(
      ['write-failed', 'journal-cut'].filter((event) => notices.some((notice) => notice.event === event)),
    );
    expect(inner.bytes()).toEqual(before);
    state.full = false;
    expect(await Promise.all([20, 21].map((n) => store.addReport(report(n), 0)))).toEqual([
      { outcome: 'added' },
      { outcome: 'added' },
    ]);
    await store.close();
    expect(await (await openDurableStore({ medium: createMemoryMedium(inner.bytes()) })).count()).toMatchObject({
      reports: 3,
    });
  });

  it('refuses everything while it cannot read, and comes back by itself', async () => {
    const notices: StoreNotice[] = [];
    const { medium, state } = fragile(createMemoryMedium());
    const store = await openDurableStore({ medium, onNotice: (notice) => notices.push(notice) });
    await store.addReporter(reporter);
    Object.assign(state, { full: true, unreadable: true });
    await expect(store.addReport(report(1), 0)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await expect.poll(() => notices.map(({ event }) => event)).toContain('recovery-failed');
    await expect(store.count()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    Object.assign(state, { full: false, unreadable: false });
    await usable(store);
    expect(await store.count()).toMatchObject({ reports: 0, reporters: 1 });
    await store.close();
  });

  it('works on with the journal it has when that cannot be rewritten', async () => {
    const notices: StoreNotice[] = [];
    const inner = createMemoryMedium();
    const { medium, state } = fragile(inner);
    const store = await openDurableStore({ medium, eraseWithinSeconds: 0, onNotice: (notice) => notices.push(notice) });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    state.replaceFails = true;
    await store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    await expect.poll(() => notices.map(({ event }) => event)).toContain('compaction-failed');
    expect(await store.addReport(report(2), 0)).toEqual({ outcome: 'added' });
    state.replaceFails = false;
    await store.close();
    const again = await openDurableStore({ medium: createMemoryMedium(inner.bytes()) }).catch(
      (error: unknown) => error,
    );
    // The memory medium is closed; what it held is all there.
    expect(await (again as Store).count()).toMatchObject({ reports: 1, removed: 1 });
  });

  it('refuses a journal with a record that it does not know, and changes nothing', async () => {
    const medium = createMemoryMedium();
    const { openJournal } = await import('../../src/stores/journal/open.ts');
    const journal = await openJournal({ medium, onSnapshot: () => undefined, onRecord: () => undefined });
    await journal.append(new TextEncoder().encode('["fromTheFuture",{}]'));
    const before = medium.bytes();
    await expect(openDurableStore({ medium })).rejects.toMatchObject({ name: 'StoreFormatError' });
    expect(medium.bytes()).toEqual(before);
  });
});

describe('durable store: erasure', () => {
  it('takes an erased text out of the file within the time it is given', async () => {
    const path = folder();
    const store = await openFolderStore(path, { eraseWithinSeconds: 0 });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    const file = () => readFile(join(path, 'redflag.journal'));
    expect((await file()).includes(report(1).text)).toBe(true);
    await store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    await expect.poll(async () => (await file()).includes(report(1).text)).toBe(false);
    expect(await store.count()).toMatchObject({ reports: 0, removed: 1 });
    await store.close();
  });

  it('takes the hashes under an earlier pepper out of the file, too', async () => {
    const path = folder();
    const store = await openFolderStore(path, { eraseWithinSeconds: 0 });
    await store.addReporter(reporter);
    await store.addReport(report(0xabc), 0);
    const from = report(0xabc).identifiers[0]!.hash;
    const to = 'c'.repeat(40);
    const held = async () => {
      const file = await readFile(join(path, 'redflag.journal'));
      return file.includes(from) || file.includes(Buffer.from(from, 'hex'));
    };
    expect(await held()).toBe(true);
    expect(await store.rehash([{ from, to }], 1)).toBe(1);
    await expect.poll(held).toBe(false);
    expect(await store.findMatches([to])).toHaveLength(1);
    await store.close();
  });

  it('has nothing erased in the file once it is closed', async () => {
    const path = folder();
    const store = await openFolderStore(path);
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    await store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    await store.close();
    expect((await readFile(join(path, 'redflag.journal'))).includes(report(1).text)).toBe(false);
  });
});

describe('durable store: what must not be half done', () => {
  it('keeps in memory nothing that cannot be a record', async () => {
    const inner = createMemoryMedium();
    const store = await openDurableStore({ medium: inner });
    await expect(store.addReporter({ ...reporter, createdAt: 5n as unknown as number })).rejects.toThrow();
    expect(await store.listReporters()).toEqual([]);
    await store.close();
  });

  it('answers with a link only when the link is durable', async () => {
    const inner = createMemoryMedium();
    const held: { append?: Promise<void> } = {};
    const medium: JournalMedium = {
      ...inner,
      async append(bytes) {
        await held.append;
        await inner.append(bytes);
      },
    };
    const store = await openDurableStore({ medium });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    const [identifier] = report(1).identifiers;
    const linkHash = 'ab'.repeat(20);
    const release = { now: () => undefined as void };
    held.append = new Promise((resolve) => (release.now = resolve));
    const told: string[] = [];
    const writing = store
      .putLink({ linkHash, identifiers: [identifier!], createdAt: 1 }, 10)
      .then(() => told.push('written'));
    const without = store.findFacts({ hashes: [identifier!.hash] }).then(() => told.push('asked without it'));
    const asking = store.findFacts({ hashes: [identifier!.hash], linkHash }).then(({ linkIdentifiers }) => {
      expect(linkIdentifiers).toEqual([identifier]);
      told.push('asked');
    });
    await without;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(told).toEqual(['asked without it']);
    release.now();
    await Promise.all([writing, asking]);
    expect(told.slice(1).sort()).toEqual(['asked', 'written']);
    await store.close();
  });

  it('takes what was erased off the medium at the next start after a crash', async () => {
    const inner = createMemoryMedium();
    const store = await openDurableStore({ medium: inner });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    await store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    const crashed = createMemoryMedium(inner.bytes());
    expect(Buffer.from(crashed.bytes()).includes(report(1).text)).toBe(true);
    const again = await openDurableStore({ medium: crashed });
    await expect.poll(() => Buffer.from(crashed.bytes()).includes(report(1).text)).toBe(false);
    await Promise.all([store.close(), again.close()]);
  });

  it('tries an erasure again that could not be done', async () => {
    const inner = createMemoryMedium();
    const { medium, state } = fragile(inner);
    const store = await openDurableStore({ medium, eraseWithinSeconds: 0 });
    await store.addReporter(reporter);
    await store.addReport(report(1), 0);
    state.replaceFails = true;
    await store.removeReport({ reportId: report(1).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(Buffer.from(inner.bytes()).includes(report(1).text)).toBe(true);
    state.replaceFails = false;
    await expect.poll(() => Buffer.from(inner.bytes()).includes(report(1).text)).toBe(false);
    await store.close();
  });

  it('does not let whoever is told of a fault make it worse', async () => {
    const { medium, state } = fragile(createMemoryMedium());
    let isAsync = false;
    const store = await openDurableStore({
      medium,
      onNotice: () => {
        isAsync = !isAsync;
        if (isAsync) return Promise.reject(new Error('told')) as never;
        throw new Error('told');
      },
    });
    await store.addReporter(reporter);
    for (let n = 1; n < 4; n++) {
      state.full = true;
      await expect(store.addReport(report(n), 0)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      state.full = false;
      await usable(store);
    }
    await store.close();
  });

  it.each([-1, 1.5, Number.NaN, Infinity, 2_592_000])(
    'refuses to erase within %d seconds',
    async (eraseWithinSeconds) => {
      await expect(openDurableStore({ medium: createMemoryMedium(), eraseWithinSeconds })).rejects.toThrow(
        '"eraseWithinSeconds"',
      );
    },
  );
});

describe('durable store: growth', () => {
  it('rewrites a journal that has outgrown its snapshot', async () => {
    const inner = createMemoryMedium();
    const store = await openDurableStore({ medium: inner });
    await store.addReporter(reporter);
    // Checksums cost by character, and the journal counts bytes.
    const text = '€'.repeat(200_000);
    // 32 records of 600 kB are 18.3 MiB: the rewriting starts at 16 MiB.
    for (let n = 0; n < 32; n++) {
      await store.addReport({ ...report(n), text }, 0);
      await store.removeReport({ reportId: report(n).reportId, reporterId: reporter.reporterId, removedAt: 2 });
    }
    expect(inner.bytes().length).toBeLessThan(18 * 1024 * 1024);
    await store.close();
  });
});
