import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { isSoundEntry, type AuditedAction, type AuditEntry, type AuditPage } from '../../src/core/domain/audit.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Cases } from './store.ts';
import { DAY, hash, id, key, report, reporter } from './stored.ts';

const NOTHING = '0'.repeat(64);
/** The digest as anybody can compute it, from the documented text. */
export const digestOf = (entry: AuditEntry): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        entry.previous,
        entry.seq,
        entry.atMs,
        entry.actor,
        entry.action,
        entry.reporterId,
        entry.subject,
        entry.amount,
      ]),
    )
    .digest('hex');

/** The audit log. The store has two reporters and nothing else. */
export function auditContract(
  storeOf: () => Store,
  reopen: ((store: Store) => Promise<Store>) | null,
  cases: Cases,
): void {
  const all = async (store: Store): Promise<AuditEntry[]> =>
    (await store.listAudit({ after: 0, limit: 1000 })).filter(isSoundEntry);
  const by = (atMs: number) => ({ actor: 'Ünïcode “Ada”', atMs });
  const use: AuditedAction = {
    actor: 'engine',
    atMs: 50,
    action: 'ended-key-used',
    reporterId: id(1),
    subject: id(5),
    amount: null,
  };

  it('records each action in a chain of digests', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await store.addReporter(reporter(3), by(1));
    await store.updateReporter({ reporterId: id(2), suspended: true }, by(2));
    await store.updateReporter({ reporterId: id(2), suspended: false }, by(3));
    await store.addKey(key(5), by(4));
    await store.endKey({ keyId: id(5), endsAt: 100, replaced: true }, by(5));
    await store.endKey({ keyId: id(5), endsAt: 0 }, by(6));
    await store.openDispute({ reportId: id(1), openedAt: 7, openedBy: 'Ada', reason: 'r' }, by(7));
    await store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 8, decidedBy: 'Ada' }, by(8));
    await store.openDispute({ reportId: id(1), openedAt: 9, openedBy: 'Ada', reason: 'r' }, by(9));
    await store.decideDispute({ reportId: id(1), upheld: false, decidedAt: 10, decidedBy: 'Ada' }, by(10));
    const protection = { hash: hash(7), reason: 'ours', addedBy: 'Ada', addedAt: 11, endsAt: null };
    await store.addProtection(protection, by(11));
    await store.endProtection({ hash: hash(7), endsAt: 12, endedBy: 'Ada' }, by(12));
    await store.addPepper({ generation: 1, fingerprint: id(500), addedAt: 13 }, by(13));
    await store.erase({ hashes: [hash(1)], erasedAt: 14 }, by(14));
    await store.addAuditEntry({ ...use, action: 'exported', reporterId: null, subject: null, amount: 7, atMs: 15 });
    const entries = await all(store);
    expect(
      entries.map(({ seq, action, reporterId, subject, amount }) => [seq, action, reporterId, subject, amount]),
    ).toEqual([
      [1, 'reporter-created', id(3), null, null],
      [2, 'reporter-suspended', id(2), null, null],
      [3, 'reporter-unsuspended', id(2), null, null],
      [4, 'key-issued', id(1), id(5), null],
      [5, 'key-rotated', id(1), id(5), null],
      [6, 'key-revoked', id(1), id(5), null],
      [7, 'dispute-opened', id(1), id(1), null],
      [8, 'dispute-upheld', id(1), id(1), null],
      [9, 'dispute-opened', id(1), id(1), null],
      [10, 'dispute-rejected', id(1), id(1), null],
      [11, 'allow-list-added', null, null, null],
      [12, 'allow-list-removed', null, null, null],
      [13, 'pepper-rotated', null, id(500), null],
      [14, 'erased', null, null, 1],
      [15, 'exported', null, null, 7],
    ]);
    let previous = NOTHING;
    for (const entry of entries) {
      expect(entry).toMatchObject({ atMs: entry.seq, actor: entry.seq === 15 ? 'engine' : 'Ünïcode “Ada”', previous });
      expect(entry.digest).toBe(digestOf(entry));
      previous = entry.digest;
    }
    const sound = { entries: 15, head: previous, firstBad: null };
    expect(await store.verifyAudit()).toEqual({ ...sound, hasHead: null });
    for (const { digest } of entries) expect(await store.verifyAudit(digest)).toEqual({ ...sound, hasHead: true });
    expect(await store.verifyAudit('1'.repeat(64))).toEqual({ ...sound, hasHead: false });
    expect(await store.listAudit({ after: 3, limit: 2 })).toEqual(entries.slice(3, 5));
    expect(await store.listAudit({ after: 15, limit: 2 })).toEqual([]);
    expect(await store.check()).toEqual([]);
  });

  if (cases === 'basic') return;

  it('has an empty audit log, whose head is 64 zeros', async () => {
    const store = storeOf();
    expect(await all(store)).toEqual([]);
    expect(await store.verifyAudit()).toEqual({ entries: 0, head: NOTHING, firstBad: null, hasHead: null });
    expect(await store.verifyAudit(NOTHING)).toMatchObject({ hasHead: true });
    expect(await store.verifyAudit('1'.repeat(64))).toMatchObject({ firstBad: null, hasHead: false });
  });

  it('records a key and the one that it replaces together, or neither', async () => {
    const store = storeOf();
    await store.addKey(key(5));
    for (const n of [6, 7]) await store.addKey(key(n), by(n), { keyId: id(5), endsAt: 0 });
    expect((await all(store)).map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['key-issued', id(6), by(6).actor],
      ['key-rotated', id(5), by(6).actor],
    ]);
  });

  it('records nothing for what changed nothing, or without a note', async () => {
    const store = storeOf();
    await store.addKey(key(5));
    await store.endKey({ keyId: id(5), endsAt: 0 });
    await store.endKey({ keyId: id(5), endsAt: 10 }, by(1));
    await store.addReporter(reporter(1), by(1));
    await store.addReporter(reporter(3, { name: 'Shop 1' }), by(1));
    await store.addKey(key(5), by(1));
    await store.addKey(key(6, { reporterId: id(9) }), by(1));
    await store.updateReporter({ reporterId: id(9), suspended: true }, by(1));
    await store.openDispute({ reportId: id(9), openedAt: 7, openedBy: 'Ada', reason: 'r' }, by(1));
    await store.decideDispute({ reportId: id(9), upheld: true, decidedAt: 8, decidedBy: 'Ada' }, by(1));
    await store.endProtection({ hash: hash(7), endsAt: 12, endedBy: 'Ada' }, by(1));
    await store.addPepper({ generation: 4, fingerprint: id(500), addedAt: 13 }, by(1));
    expect(await all(store)).toEqual([]);
  });

  it('records an action of one subject once a day, if asked', async () => {
    const store = storeOf();
    expect(await store.addAuditEntry(use, 50)).toBe('added');
    expect(await store.addAuditEntry({ ...use, atMs: 60 }, 50)).toBe('known');
    expect(await store.addAuditEntry({ ...use, subject: id(6) }, 50)).toBe('added');
    expect(await store.addAuditEntry({ ...use, action: 'key-revoked' }, 50)).toBe('added');
    expect(await store.addAuditEntry({ ...use, atMs: 70 }, 51)).toBe('added');
    expect(await store.addAuditEntry(use)).toBe('added');
    expect((await all(store)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    // An entry of a clock that was ahead silences no other day.
    expect(await store.addAuditEntry({ ...use, subject: id(7), atMs: 900 * DAY }, 900 * DAY)).toBe('added');
    expect(await store.addAuditEntry({ ...use, subject: id(7), atMs: 3 * DAY }, 3 * DAY)).toBe('added');
    expect(await store.addAuditEntry({ ...use, subject: id(7), atMs: 4 * DAY }, 4 * DAY)).toBe('added');
    expect(await store.addAuditEntry({ ...use, subject: id(7), atMs: 4 * DAY - 1 }, 3 * DAY)).toBe('known');
  });

  it('returns a page in both directions, of all actions or of one', async () => {
    const store = storeOf();
    const page = async (asked: Omit<AuditPage, 'limit'> & { readonly limit?: number }): Promise<number[]> =>
      (await store.listAudit({ limit: 100, ...asked })).map(({ seq }) => seq);
    for (const asked of [{ before: Infinity }, { before: 1 }, { after: 0, action: 'erased' }] as const)
      expect(await page(asked)).toEqual([]);
    // Every third entry is of another action.
    for (let n = 1; n <= 12; n++)
      await store.addAuditEntry({ ...use, atMs: n, subject: null, action: n % 3 === 0 ? 'exported' : 'backed-up' });
    expect(await page({ before: Infinity, limit: 5 })).toEqual([12, 11, 10, 9, 8]);
    expect(await page({ before: 8, limit: 5 })).toEqual([7, 6, 5, 4, 3]);
    expect(await page({ before: 3, limit: 5 })).toEqual([2, 1]);
    expect(await page({ before: 99, limit: 1 })).toEqual([12]);
    expect(await page({ after: 7, limit: 2 })).toEqual([8, 9]);
    expect(await page({ after: 12 })).toEqual([]);
    const exported = { action: 'exported' } as const;
    expect(await page({ ...exported })).toEqual([3, 6, 9, 12]);
    expect(await page({ ...exported, after: 3, limit: 2 })).toEqual([6, 9]);
    expect(await page({ ...exported, before: Infinity })).toEqual([12, 9, 6, 3]);
    expect(await page({ ...exported, before: 9, limit: 1 })).toEqual([6]);
    expect(await page({ ...exported, before: 3 })).toEqual([]);
    expect(await page({ action: 'erased', before: Infinity })).toEqual([]);
    expect(await store.listAudit({ ...exported, before: 4, limit: 9 })).toEqual(
      (await all(store)).filter(({ seq }) => seq === 3),
    );
  });

  it('keeps the log through an erasure, and after a restart goes on where it ended', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await store.openDispute({ reportId: id(1), openedAt: 7, openedBy: 'Ada', reason: 'r' }, by(1));
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 8 });
    await store.erase({ hashes: [hash(1)], erasedAt: 9 }, by(2));
    const before = await all(store);
    expect(before.map(({ action }) => action)).toEqual(['dispute-opened', 'erased']);
    if (!reopen) return;
    const again = await reopen(store);
    try {
      expect(await all(again)).toEqual(before);
      await again.addKey(key(5), by(3));
      expect(await again.verifyAudit(before.at(-1)!.digest)).toMatchObject({
        entries: 3,
        firstBad: null,
        hasHead: true,
      });
    } finally {
      await again.close();
    }
  });
}
