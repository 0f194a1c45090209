import { expect, it } from 'vitest';
import type { AuditEntry } from '../../src/core/domain/audit.ts';
import { findUsage, listReportsOf, type ReportPageRequest } from '../../src/operator/own-report-reads.ts';
import type { Store } from '../../src/core/store/store.ts';
import { DAY, disputeRequestRow, hash, id, report, reporter } from './stored.ts';

/** What reporters see, and what the operator changes of them. The store has two reporters and nothing else. */
export function reporterContract(storeOf: () => Store): void {
  const note = { actor: 'Ada', atMs: 5 };
  const actions = async () =>
    ((await storeOf().listAudit({ after: 0, limit: 50 })) as AuditEntry[]).map(({ action, amount }) =>
      amount === null ? action : `${action} ${amount}`,
    );

  it('changes what is given of a reporter, and records each value that changes', async () => {
    const store = storeOf();
    const update = (change: object) => store.updateReporter({ reporterId: id(1), ...change }, note);
    const contact = 'mailto:fraud@shop.example';
    expect(await update({ verified: false, contact })).toBe('updated');
    expect(await store.findReporters([id(1)])).toEqual([reporter(1, { verified: false, contact })]);
    // The same values again, and values that are undefined, change and record nothing.
    await update({ verified: false, contact, suspended: undefined, identifiersPerDay: undefined });
    expect(await actions()).toEqual(['reporter-unverified', 'contact-set']);
    await update({ verified: true, suspended: true, identifiersPerDay: 7, contact: null });
    expect(await store.listReporters()).toEqual([reporter(1, { suspended: true, identifiersPerDay: 7 }), reporter(2)]);
    expect((await actions()).slice(2)).toEqual([
      'reporter-verified',
      'reporter-suspended',
      'budget-set 7',
      'contact-set',
    ]);
    expect(await store.updateReporter({ reporterId: id(9), contact }, note)).toBe('unknown');
    await store.addReporter(reporter(3, { contact }));
    expect(await store.findReporters([id(3)])).toEqual([reporter(3, { contact })]);
    expect(await store.check()).toEqual([]);
  });

  it('stores an answer to the open dispute of a reporter, and erases it with the report', async () => {
    const store = storeOf();
    const answer = (n: number, text: string, over: object = {}) =>
      store.answerDispute({ reportId: id(n), reporterId: id(1), answer: text, answeredAt: 200, ...over }, note);
    const open = (n: number, openedAt: number) =>
      store.openDispute({ reportId: id(n), openedAt, openedBy: 'Ada', reason: 'why' });
    const answers = async (n: number) =>
      (await store.findDisputes([id(n)]))
        .sort((a, b) => a.openedAt - b.openedAt)
        .map((one) => [one.answer, one.answeredAt]);
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    expect(await answer(1, 'no dispute')).toBe('none');
    await open(1, 100);
    await open(2, 100);
    expect(await answer(9, 'no report')).toBe('none');
    expect(await answer(1, 'of another', { reporterId: id(2) })).toBe('none');
    expect(await answers(1)).toEqual([[null, null]]);
    expect(await answer(1, 'line\n“one” 👩‍💻')).toBe('answered');
    expect(await answer(1, 'two', { answeredAt: 300 })).toBe('answered');
    // A retry.
    expect(await answer(1, 'two', { answeredAt: 400 })).toBe('answered');
    expect(await answers(1)).toEqual([['two', 300]]);
    await store.decideDispute({ reportId: id(1), upheld: false, decidedAt: 500, decidedBy: 'Bob' });
    expect(await answer(1, 'too late')).toBe('none');
    await open(1, 600);
    expect(await answer(1, 'again', { answeredAt: 700 })).toBe('answered');
    expect(await answers(1)).toEqual([
      ['two', 300],
      ['again', 700],
    ]);
    await answer(2, 'other');
    const entries = (await store.listAudit({ after: 0, limit: 50 })) as AuditEntry[];
    expect(entries.map(({ action, subject }) => `${action} ${Number.parseInt(subject!, 16)}`)).toEqual(
      [1, 1, 1, 2].map((n) => `dispute-answered ${n}`),
    );
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 800 });
    expect(await answers(1)).toEqual([
      [null, null],
      [null, null],
    ]);
    expect(await answer(1, 'of a deleted report')).toBe('none');
    expect(await answers(2)).toEqual([['other', 200]]);
    await store.erase({ hashes: [hash(2)], erasedAt: 900 });
    expect(await answers(2)).toEqual([[null, null]]);
    expect(await store.check()).toEqual([]);
  });

  it('lists the reports of one reporter, newest first, in pages of any size', async () => {
    const store = storeOf();
    const kinds = ['phone', 'email', 'email'].map((kind, at) => ({ kind, hash: hash(50 + at) }));
    await store.addReport(report(1, { identifiers: kinds }), 0);
    // Three of one millisecond: the highest id comes first.
    for (const n of [4, 2, 3]) await store.addReport(report(n, { createdAt: 2 * DAY }), 0);
    await store.addReport(report(5, { reporterId: id(2) }), 0);
    await store.addReport(report(6), 0);
    await store.removeReport({ reportId: id(6), reporterId: id(1), removedAt: 9 * DAY });
    await store.putRows('dispute_request', [disputeRequestRow(1), disputeRequestRow(1, { request_id: id(9) })]);
    const all = await listReportsOf(store, { reporterId: id(1), limit: 10 });
    expect(all).toEqual({
      reports: [4, 3, 2, 1].map((n) => ({
        reportId: id(n),
        reporterId: id(1),
        nonce: id(n + 1000),
        type: 'fraud',
        severity: 6,
        text: `text ${n}`,
        createdAt: n === 1 ? DAY : 2 * DAY,
        kinds: n === 1 ? ['phone', 'email'] : ['email'],
        requests: n === 1 ? 2 : 0,
      })),
    });
    for (const limit of [1, 2, 3, 4]) {
      const found: string[] = [];
      let before: ReportPageRequest['before'];
      do {
        const page = await listReportsOf(store, { reporterId: id(1), before, limit });
        expect(page.reports.length).toBeLessThanOrEqual(limit);
        found.push(...page.reports.map(({ reportId }) => reportId));
        before = page.next;
      } while (before);
      expect(found).toEqual([4, 3, 2, 1].map(id));
    }
    expect(await listReportsOf(store, { reporterId: id(9), limit: 5 })).toEqual({ reports: [] });
  });

  it('finds live reports of one reporter by their ids, and searches if there are none', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n, { createdAt: n * DAY }), 0);
    await store.addReport(report(4, { reporterId: id(2) }), 0);
    await store.removeReport({ reportId: id(3), reporterId: id(1), removedAt: 9 * DAY });
    const found = async (ids: readonly number[], more: Partial<ReportPageRequest> = {}) => {
      const asked = { reporterId: id(1), limit: 5, text: 'text 1', reportIds: ids.map(id), ...more };
      return (await listReportsOf(store, asked)).reports.map(({ reportId }) => reportId);
    };
    expect(await found([2])).toEqual([id(2)]);
    expect(await found([1, 2, 3, 4, 9])).toEqual([2, 1].map(id));
    expect(await found([1, 2], { limit: 1 })).toEqual([id(2)]);
    for (const ids of [[3], [4], [9], []]) expect(await found(ids), String(ids)).toEqual([id(1)]);
    expect(await found([2], { before: { createdAt: 5 * DAY, reportId: id(9) } })).toEqual([id(1)]);
    expect(await found([4], { reporterId: id(2) })).toEqual([id(4)]);
  });

  it('searches the texts of one reporter, in upper and lower case alike', async () => {
    const store = storeOf();
    const texts = ['Ärger mit RÜCKLASTSCHRIFT', '100 % off_the list', 'nothing', 'cafe\u0301'];
    for (const [n, text] of texts.entries()) await store.addReport(report(n + 1, { text }), 0);
    await store.addReport(report(9, { text: 'nothing of another', reporterId: id(2) }), 0);
    const found = async (text: string, limit = 10) =>
      (await listReportsOf(store, { reporterId: id(1), limit, text })).reports.map(({ reportId }) => reportId);
    expect(await found('rücklast')).toEqual([id(1)]);
    expect(await found('ÄRGER')).toEqual([id(1)]);
    // No character has a meaning of its own.
    expect(await found('%')).toEqual([id(2)]);
    expect(await found('f_t')).toEqual([id(2)]);
    expect(await found('o_f')).toEqual([]);
    expect(await found('CAFÉ')).toEqual([id(4)]);
    expect(await found('NOTHING')).toEqual([id(3)]);
    expect(await found('t', 2)).toEqual([id(3), id(2)]);
    const { next } = await listReportsOf(store, { reporterId: id(1), limit: 2, text: 't' });
    expect(await listReportsOf(store, { reporterId: id(1), limit: 2, text: 't', before: next })).toMatchObject({
      reports: [{ reportId: id(1) }],
    });
  });

  it('returns the days on which a reporter asked', async () => {
    const store = storeOf();
    const used = (n: number, day: number, identifiers: number) => ({
      reporterId: id(n),
      dayAt: day * DAY,
      identifiers,
    });
    await store.addUsage({ keys: [], days: [used(1, 3, 7), used(1, 1, 5), used(1, 2, 6), used(2, 3, 9)], since: 0 });
    expect(await findUsage(store, id(1), 2 * DAY)).toEqual([
      { dayAt: 2 * DAY, identifiers: 6 },
      { dayAt: 3 * DAY, identifiers: 7 },
    ]);
    expect(await findUsage(store, id(9), 0)).toEqual([]);
  });
}
