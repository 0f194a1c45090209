import { expect, it } from 'vitest';
import type { AuditEntry } from '../../src/core/domain/audit.ts';
import type { DisputeRequest } from '../../src/core/domain/dispute.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report } from './stored.ts';

/** What every store keeps to about requests for disputes. There are two reporters and nothing else. */
export function disputeRequestContract(storeOf: () => Store, openAnother: () => Promise<Store>): void {
  const by = (atMs: number) => ({ actor: 'engine', atMs });
  const add = (
    n: number,
    reports: readonly number[],
    over: { readonly reason?: string; readonly most?: number; readonly reports?: number; readonly inAll?: number } = {},
  ) =>
    storeOf().addDisputeRequest(
      { requestId: id(500 + n), requestedAt: n, reason: `reason ${n}`, most: 3, reportIds: reports.map(id), ...over },
      by(n),
    );
  const request = (n: number, reported: number, over: Partial<DisputeRequest> = {}): DisputeRequest => ({
    requestId: id(500 + n),
    reportId: id(reported),
    reporterId: id(1),
    requestedAt: n,
    reason: `reason ${n}`,
    ...over,
  });
  const open = (n: number, openedAt: number) =>
    storeOf().openDispute({ reportId: id(n), openedAt, openedBy: 'Ada', reason: 'r' }, by(openedAt));
  const all = () => storeOf().findDisputeRequests({ limit: 100 });
  const logged = async () =>
    (await storeOf().listAudit({ after: 0, limit: 100 })).map((entry) =>
      'damaged' in entry ? entry : [entry.action, entry.reporterId, entry.subject, entry.atMs],
    );

  it('files a request about each of its live reports, and lists the oldest first', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    await store.addReport(report(3, { reporterId: id(2) }), 0);
    await store.addReport(report(4), 0);
    await store.removeReport({ reportId: id(4), reporterId: id(1), removedAt: 1 });
    expect(await add(10, [3, 1, 1, 4, 9])).toBe(2);
    expect(await add(20, [2])).toBe(1);
    expect(await add(30, [])).toBe(0);
    expect(await add(30, [4, 9])).toBe(0);
    const other = request(10, 3, { reporterId: id(2) });
    expect(await all()).toEqual([request(10, 1), other, request(20, 2)]);
    expect(await store.findDisputeRequests({ limit: 1 })).toEqual([request(10, 1)]);
    expect(await store.findDisputeRequests({ after: request(10, 1), limit: 1 })).toEqual([other]);
    expect(await store.findDisputeRequests({ after: other, limit: 9 })).toEqual([request(20, 2)]);
    expect(await store.findDisputeRequests({ reporterId: id(1), after: request(10, 1), limit: 9 })).toEqual([
      request(20, 2),
    ]);
    expect(await store.findDisputeRequests({ after: request(20, 2), limit: 9 })).toEqual([]);
    expect(await store.findDisputeRequests({ reporterId: id(1), limit: 9 })).toEqual([request(10, 1), request(20, 2)]);
    expect(await store.findDisputeRequests({ reporterId: id(2), limit: 9 })).toEqual([other]);
    expect(await store.findDisputeRequests({ reporterId: id(9), limit: 9 })).toEqual([]);
    expect(await store.findDisputeRequests({ requestId: id(510), limit: 9 })).toEqual([request(10, 1), other]);
    // A reporter has nothing to do about a report that it deleted.
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 30 });
    expect(await store.findDisputeRequests({ reporterId: id(1), limit: 9 })).toEqual([request(20, 2)]);
    expect(await store.check()).toEqual([]);
  });

  it('keeps so many about a report, each reason once, and logs only the first that waits', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    expect(await add(1, [1])).toBe(1);
    expect(await add(1, [2])).toBe(1);
    expect(await add(1, [1, 2], { reason: 'another' })).toBe('taken');
    expect(await add(2, [1], { reason: 'reason 1' })).toBe(0);
    expect(await add(3, [1])).toBe(1);
    expect(await add(4, [1])).toBe(1);
    expect(await add(5, [1, 2])).toBe(1);
    expect((await all()).map(({ reportId, reason }) => [reportId, reason])).toEqual([
      [id(1), 'reason 1'],
      [id(2), 'reason 1'],
      [id(1), 'reason 3'],
      [id(1), 'reason 4'],
      [id(2), 'reason 5'],
    ]);
    expect(await logged()).toEqual([
      ['dispute-requested', id(1), id(1), 1],
      ['dispute-requested', id(1), id(2), 1],
    ]);
    await store.addDisputeRequest({ requestId: id(9), requestedAt: 9, reason: 'r', most: 1, reportIds: [id(1)] });
    expect(await all()).toHaveLength(5);
  });

  it('takes the reports with the fewest requests, then those given first', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n), 0);
    const reportsOf = async (n: number) =>
      (await all()).filter((one) => one.requestId === id(500 + n)).map(({ reportId }) => reportId);
    expect(await add(1, [3, 1, 2], { reports: 1 })).toBe(1);
    expect(await reportsOf(1)).toEqual([id(3)]);
    expect(await add(2, [3, 2, 1], { reports: 2 })).toBe(2);
    expect(await reportsOf(2)).toEqual([id(1), id(2)]);
    expect(await add(3, [2, 3, 1], { reports: 1 })).toBe(1);
    expect(await reportsOf(3)).toEqual([id(2)]);
  });

  it('takes only the first request about a report once many wait in all', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n), 0);
    expect(await add(1, [1], { inAll: 2 })).toBe(1);
    expect(await add(2, [1], { inAll: 2 })).toBe(1);
    expect(await add(3, [1], { inAll: 2 })).toBe(0);
    expect(await add(4, [1, 2], { inAll: 2 })).toBe(1);
    expect(await add(5, [3, 2], { inAll: 2 })).toBe(1);
    expect((await all()).map(({ reportId, requestedAt }) => [reportId, requestedAt])).toEqual([
      [id(1), 1],
      [id(1), 2],
      [id(2), 4],
      [id(3), 5],
    ]);
  });

  it('keeps several reasons of a case while there is room, and gives the newest up for another case', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    const caseId = (n: number, digit = 0) => `${'c'.repeat(14)}${n}${digit}`;
    const ask = (n: number, atMs: number, reportIds = [id(1)], reports = 9) =>
      store.addDisputeRequest(
        {
          requestId: caseId(n, 9),
          requestedAt: atMs,
          reason: `reason ${atMs}`,
          most: 4,
          reportIds,
          reports,
          group: 'c'.repeat(8),
          joins: true,
          perCase: 3,
        },
        by(atMs),
      );
    const waiting = async () =>
      (await all()).flatMap((one) => (one.reportId === id(1) ? [[one.requestId, one.requestedAt]] : []));
    for (const atMs of [1, 2, 3]) expect(await ask(1, atMs)).toBe(1);
    // It has three here. Other reports come first, also if they are given last.
    expect(await ask(1, 4)).toBe(0);
    expect(await ask(2, 5)).toBe(1);
    expect(await ask(2, 6, [id(1), id(2)], 1)).toBe(1);
    expect(await waiting()).toEqual([
      [caseId(1, 0), 1],
      [caseId(1, 1), 2],
      [caseId(1, 2), 3],
      [caseId(2, 0), 5],
    ]);
    expect(await ask(3, 7)).toBe(1);
    expect(await ask(2, 8)).toBe(0);
    expect(await ask(4, 9)).toBe(1);
    expect(await ask(5, 10)).toBe(0);
    expect(await waiting()).toEqual([
      [caseId(1, 0), 1],
      [caseId(2, 0), 5],
      [caseId(3, 0), 7],
      [caseId(4, 0), 9],
    ]);
    expect(await store.check()).toEqual([]);
  });

  it('deletes the requests about a report when a dispute about it opens, and takes none until it is decided', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    await add(1, [1, 2]);
    expect(await open(9, 5)).toBe('unknown');
    expect(await all()).toHaveLength(2);
    expect(await open(1, 10)).toBe('opened');
    expect(await all()).toEqual([request(1, 2)]);
    expect(await add(2, [1, 2])).toBe(1);
    await store.decideDispute({ reportId: id(1), upheld: false, decidedAt: 20, decidedBy: 'Ada' });
    expect(await add(3, [1])).toBe(1);
    expect(await all()).toEqual([request(1, 2), request(2, 2), request(3, 1)]);
    expect(await store.check()).toEqual([]);
  });

  it('refuses one request, about one report or all, and logs each report', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    await add(1, [1, 2]);
    await add(2, [1, 2]);
    const refuse = (n: number, reportId?: string) =>
      store.removeDisputeRequests({ requestId: id(500 + n), reportId }, { actor: 'Ada', atMs: 50 });
    expect(await refuse(9)).toBe(0);
    expect(await refuse(1, id(9))).toBe(0);
    expect(await refuse(1, id(2))).toBe(1);
    expect(await refuse(1, id(2))).toBe(0);
    expect(await all()).toEqual([request(1, 1), request(2, 1), request(2, 2)]);
    expect(await refuse(2)).toBe(2);
    expect(await all()).toEqual([request(1, 1)]);
    expect((await logged()).slice(2)).toEqual([
      ['dispute-request-refused', id(1), id(2), 50],
      ['dispute-request-refused', id(1), id(1), 50],
      ['dispute-request-refused', id(1), id(2), 50],
    ]);
    // The next request about a report without one is a first one again.
    expect(await add(3, [1, 2])).toBe(2);
    expect((await logged()).slice(5)).toEqual([['dispute-requested', id(1), id(2), 3]]);
  });

  it('refuses named requests about one report, in one write with one entry', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    await add(1, [1, 2]);
    await add(2, [1]);
    await add(3, [1]);
    const refuse = (reported: number, ...requested: number[]) =>
      store.removeDisputeRequests(
        { reportId: id(reported), requestIds: requested.map((n) => id(500 + n)) },
        { actor: 'Ada', atMs: 50 },
      );
    expect(await refuse(9, 1)).toBe(0);
    expect(await refuse(1)).toBe(0);
    expect(await refuse(2, 2, 3)).toBe(0);
    // Only the ids count, not the times.
    expect(await refuse(1, 3, 1, 1, 9)).toBe(2);
    expect(await all()).toEqual([request(1, 2), request(2, 1)]);
    expect(await refuse(1, 1, 2)).toBe(1);
    expect(await refuse(1, 1, 2, 3)).toBe(0);
    expect(await all()).toEqual([request(1, 2)]);
    const refusals = ((await store.listAudit({ after: 2, limit: 9 })) as AuditEntry[]).map((entry) => {
      const { action, actor, reporterId, subject, amount } = entry;
      return { action, actor, reporterId, subject, amount };
    });
    const refused = { action: 'dispute-request-refused', actor: 'Ada', reporterId: id(1), subject: id(1) };
    expect(refusals).toEqual([
      { ...refused, amount: 2 },
      { ...refused, amount: 1 },
    ]);
    // The places are free again.
    expect(await add(4, [1])).toBe(1);
    expect(await store.check()).toEqual([]);
  });

  it('deletes the requests about a report that is deleted or erased', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n), 0);
    await add(1, [1, 2, 3]);
    await store.removeReport({ reportId: id(1), reporterId: id(2), removedAt: 5 });
    expect(await all()).toHaveLength(3);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
    expect(await all()).toEqual([request(1, 2), request(1, 3)]);
    await store.erase({ hashes: [hash(2)], erasedAt: 6 });
    expect(await all()).toEqual([request(1, 3)]);
    expect(await store.check()).toEqual([]);
  });

  it('is copied with its report', async () => {
    const store = storeOf();
    for (const n of [1, 2]) await store.addReport(report(n), 0);
    await add(1, [1, 2]);
    const [other, snapshot] = [await openAnother(), await store.snapshot()];
    try {
      for (const { name } of snapshot.tables) await other.putRows(name, await snapshot.readRows(name, undefined, 100));
      expect(await other.findDisputeRequests({ limit: 9 })).toEqual([request(1, 1), request(1, 2)]);
      expect(await other.check()).toEqual([]);
    } finally {
      await snapshot.close();
      await other.close();
    }
  });

  it('finds requests that contradict their report', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await open(1, 5);
    const row = { request_id: id(7), reporter_id: id(1), requested_at: 5, reason: 'r' };
    await store.putRows('dispute_request', [
      { ...row, report_id: id(1), reporter_id: id(2) },
      { ...row, report_id: id(9) },
    ]);
    expect(await store.check()).toEqual([
      { problem: 'requests for disputes whose report is missing, or was deleted without a claim', count: 1 },
      { problem: 'requests for disputes whose reporter differs from the reporter of the report', count: 1 },
      { problem: 'requests for disputes about reports with an open dispute', count: 1 },
    ]);
  });
}
