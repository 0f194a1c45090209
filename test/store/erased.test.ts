import { describe, expect, it } from 'vitest';
import type { JournalMedium } from '../../src/stores/journal/medium.ts';
import { createMemoryMedium } from '../../src/stores/journal/memory.ts';
import { openDurableStore, type StoreNotice } from '../../src/stores/sqljs/durable.ts';
import { id, report as storedReport, reporter } from '../contract/stored.ts';

// Bytes that are nowhere by chance.
const hash = (n: number): string => n.toString(16).padStart(4, 'd').repeat(10);
const report = (n: number) => storedReport(n, { identifiers: [{ kind: 'email', hash: hash(n) }] });
const HASH = Buffer.from(hash(1), 'hex');
const holds = (medium: { bytes(): Uint8Array }, text: string | Buffer): boolean =>
  Buffer.from(medium.bytes()).includes(text);
const removal = { reportId: id(1), reporterId: id(1), removedAt: 5 };

/** A durable store with two reports, whose medium can be told to fail, or to wait in the middle of a rewriting. */
async function createStore(options: { readonly eraseWithinSeconds?: number } = {}) {
  const inner = createMemoryMedium();
  const state: { replaceFails: boolean; appendFails: boolean; onReplace: (() => Promise<void>) | undefined } = {
    replaceFails: false,
    appendFails: false,
    onReplace: undefined,
  };
  const medium: JournalMedium = {
    size: () => inner.size(),
    read: (...args) => inner.read(...args),
    truncate: (...args) => inner.truncate(...args),
    close: () => inner.close(),
    async append(bytes) {
      if (state.appendFails) throw new Error('no space left on device');
      return inner.append(bytes);
    },
    async replace(chunks) {
      if (state.replaceFails) throw new Error('no space left on device');
      await state.onReplace?.();
      return inner.replace(chunks);
    },
  };
  const notices: StoreNotice[] = [];
  const store = await openDurableStore({ ...options, medium, onNotice: (notice) => notices.push(notice) });
  await store.addReporter(reporter(1));
  for (const n of [1, 2]) await store.addReport(report(n), 0);
  return { store, inner, state, notices };
}

describe('erased()', () => {
  it('resolves when what was removed has left the medium, and not only then', async () => {
    const { store, inner } = await createStore();
    await store.removeReport(removal);
    expect(holds(inner, 'text 1')).toBe(true);
    await store.erased();
    expect(holds(inner, 'text 1')).toBe(false);
    expect(holds(inner, hash(1))).toBe(false);
    expect(holds(inner, HASH)).toBe(false);
    expect(holds(inner, 'text 2')).toBe(true);
    const before = inner.bytes();
    await store.erased();
    expect(inner.bytes()).toEqual(before);
    await store.close();
  });

  it('leaves nothing of the hashes that were asked for, nor of links and the allow-list', async () => {
    const { store, inner } = await createStore();
    await store.putLink({ linkHash: hash(900), identifiers: report(1).identifiers, createdAt: 1 }, 10);
    await store.addProtection({ hash: hash(7), reason: 'the reason', addedBy: 'Ada', addedAt: 1, endsAt: null });
    const erased = await store.erase({ hashes: [hash(1), hash(7)], erasedAt: 5 });
    expect([erased.reports.length, erased.links, erased.protections]).toEqual([1, 1, 1]);
    // The record of the erasure names them.
    expect(holds(inner, hash(1))).toBe(true);
    await store.erased();
    for (const gone of [hash(1), HASH, hash(7), Buffer.from(hash(7), 'hex'), hash(900), 'text 1', 'the reason'])
      expect(holds(inner, gone)).toBe(false);
    await store.close();
  });

  it('leaves nothing of what was moved or gave way before', async () => {
    const { store, inner } = await createStore();
    await store.rehash([{ from: hash(1), to: hash(3) }], 1);
    for (const n of [1, 2])
      await store.putLink({ linkHash: hash(900 + n), identifiers: report(2).identifiers, createdAt: n }, 1);
    expect(await store.erase({ hashes: [hash(1)], erasedAt: 5 })).toEqual({ reports: [], links: 0, protections: 0 });
    for (const gone of [hash(1), hash(901)]) expect(holds(inner, gone)).toBe(true);
    await store.erased();
    for (const gone of [hash(1), HASH, hash(901), Buffer.from(hash(901), 'hex')])
      expect(holds(inner, gone)).toBe(false);
    await store.close();
  });

  it('is done after a crash in between, too', async () => {
    const { store, inner } = await createStore();
    await store.erase({ hashes: [hash(1)], erasedAt: 5 });
    const crashed = createMemoryMedium(inner.bytes());
    const again = await openDurableStore({ medium: crashed });
    await again.erased();
    expect(holds(crashed, hash(1))).toBe(false);
    expect(await again.count()).toMatchObject({ reports: 1, removed: 1 });
    await Promise.all([store.close(), again.close()]);
  });

  it('says so when it cannot be done, and can be asked again', async () => {
    const { store, inner, state, notices } = await createStore();
    await store.removeReport(removal);
    state.replaceFails = true;
    await expect(store.erased()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    expect(notices.map(({ event }) => event)).toEqual(['compaction-failed']);
    expect(await store.addReport(report(3), 0)).toEqual({ outcome: 'added' });
    state.replaceFails = false;
    await store.erased();
    expect(holds(inner, 'text 1')).toBe(false);
    await store.close();
  });

  it('does not take a rewriting that had begun before for the one that it needs', async () => {
    const { store, inner, state } = await createStore();
    await store.removeReport(removal);
    const during: { removed?: Promise<unknown>; erased?: Promise<void> } = {};
    state.onReplace = async () => {
      state.onReplace = undefined;
      // The snapshot is taken, with the text of report 2 in it.
      during.removed = store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 6 });
      during.erased = during.removed.then(() => store.erased());
    };
    await store.erased();
    await during.erased;
    expect(holds(inner, 'text 2')).toBe(false);
    expect(await store.count()).toMatchObject({ reports: 0, removed: 2 });
    await store.close();
  });
});

describe('what is written down elsewhere', () => {
  it('has nothing that was refused in the end', async () => {
    const { store, state } = await createStore();
    state.appendFails = true;
    const added = store.addReport(report(3), 0);
    const copied = store.snapshot();
    await expect(added).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await expect(copied).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    await store.close();
  });
});

describe('soon after it is deleted', () => {
  it.each<[string, (store: Awaited<ReturnType<typeof createStore>>['store']) => Promise<unknown>]>([
    ['is refused', (store) => store.removeDisputeRequests({ reportId: id(1), requestIds: [id(701)] })],
    [
      'led to a dispute',
      (store) => store.openDispute({ reportId: id(1), openedAt: 7, openedBy: 'Ada', reason: 'They asked' }),
    ],
  ])('a request for a dispute that %s has left the medium', async (_, end) => {
    const { store, inner } = await createStore({ eraseWithinSeconds: 0 });
    const request = { reportIds: [id(1)], requestId: id(701), requestedAt: 6, reason: 'It was not me' };
    expect(await store.addDisputeRequest({ ...request, most: 20, reports: 10 })).toBe(1);
    expect(holds(inner, 'It was not me')).toBe(true);
    await end(store);
    await expect.poll(() => holds(inner, 'It was not me')).toBe(false);
    await store.close();
  });
});
