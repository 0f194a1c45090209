import { expect, it } from 'vitest';
import type { Dispute } from '../../src/core/domain/dispute.ts';
import { CLAIM_RULES } from '../../src/core/store/sql/catalogue.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Cases } from './store.ts';
import { DAY, disputeRequestRow, hash, id, report, reporter } from './stored.ts';

/** What every store keeps to about disputes and the allow-list. There are two reporters and nothing else. */
export function moderationContract(storeOf: () => Store, cases: Cases): void {
  const open = (n: number, openedAt: number, over: object = {}) =>
    storeOf().openDispute({ reportId: id(n), openedAt, openedBy: 'Ada', reason: `reason ${n}`, ...over });
  const decide = (n: number, upheld: boolean, decidedAt: number) =>
    storeOf().decideDispute({ reportId: id(n), upheld, decidedAt, decidedBy: 'Bob' });
  const dispute = (n: number, openedAt: number, over: Partial<Dispute> = {}): Dispute => ({
    reportId: id(n),
    reporterId: id(1),
    openedAt,
    openedBy: 'Ada',
    reason: `reason ${n}`,
    decidedAt: null,
    decidedBy: null,
    upheld: null,
    merged: false,
    answer: null,
    answeredAt: null,
    ...over,
  });

  const add = (n: number, addedAt: number, endsAt: number | null = null) =>
    storeOf().addProtection({ hash: hash(n), reason: `reason “${n}”`, addedBy: 'Ada', addedAt, endsAt });
  const protection = (n: number, addedAt: number, endsAt: number | null = null, endedBy: string | null = null) => ({
    hash: hash(n),
    reason: `reason “${n}”`,
    addedBy: 'Ada',
    addedAt,
    endsAt,
    endedBy,
  });

  it('decides the open one, and only that', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    expect(await decide(1, true, 100)).toBe('none');
    await open(1, 100);
    expect(await decide(9, true, 150)).toBe('none');
    expect(await decide(1, true, 150)).toBe('decided');
    expect(await decide(1, false, 160)).toBe('none');
    // Later than the one before: the order of time says how the report stands.
    expect(await open(1, 100)).toBe('open');
    expect(await open(1, 99)).toBe('open');
    expect(await open(1, 200, { openedBy: 'Eve' })).toBe('opened');
    expect(await decide(1, false, 250)).toBe('decided');
    expect(await store.listDisputes()).toEqual([
      dispute(1, 200, { openedBy: 'Eve', decidedAt: 250, decidedBy: 'Bob', upheld: false }),
      dispute(1, 100, { decidedAt: 150, decidedBy: 'Bob', upheld: true }),
    ]);
    expect(await store.findDisputes([id(1)])).toHaveLength(2);
  });

  it('protects a hash once at a time, and finds what protects it', async () => {
    const store = storeOf();
    expect(await add(1, 100)).toBe('added');
    expect(await add(1, 200)).toBe('protected');
    expect(await add(2, 100, 150)).toBe('added');
    expect(await add(2, 149)).toBe('protected');
    expect(await add(2, 150, 3 * DAY)).toBe('added');
    expect(await store.findProtections([hash(1), hash(9)])).toEqual([protection(1, 100)]);
    expect((await store.findProtections([hash(2)])).sort((a, b) => a.addedAt - b.addedAt)).toEqual([
      protection(2, 100, 150),
      protection(2, 150, 3 * DAY),
    ]);
    expect(await store.findProtections([])).toEqual([]);
    expect(await store.listProtections()).toEqual([
      protection(1, 100),
      protection(2, 100, 150),
      protection(2, 150, 3 * DAY),
    ]);
  });

  if (cases === 'basic') return;

  it('opens a dispute about a live report, one at a time, and marks what it says', async () => {
    const store = storeOf();
    const identifiers = [
      { kind: 'email', hash: hash(10) },
      { kind: 'phone', hash: hash(11) },
    ];
    await store.addReport(report(1, { identifiers }), 0);
    await store.addReport(report(2, { identifiers, reporterId: id(2) }), 0);
    expect(await open(9, 100)).toBe('unknown');
    expect(await open(1, 100)).toBe('opened');
    expect(await open(1, 200)).toBe('open');
    expect(await store.findDisputes([id(1), id(2), id(9)])).toEqual([dispute(1, 100)]);
    expect(await store.findDisputes([])).toEqual([]);
    const marked = (await store.findMatches([hash(10), hash(11)])).map(({ reportId, disputed }) => [
      reportId,
      disputed,
    ]);
    expect(marked.filter(([reportId]) => reportId === id(1))).toEqual([
      [id(1), true],
      [id(1), true],
    ]);
    expect(marked.filter(([reportId]) => reportId === id(2))).toEqual([
      [id(2), false],
      [id(2), false],
    ]);
    expect(
      (await store.readIdentifiers(undefined, 10)).filter(({ disputed }) => disputed).map(({ reportId }) => reportId),
    ).toEqual([id(1), id(1)]);
  });

  it('lists all disputes, the newest first, ties by report', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n, n === 3 ? { reporterId: id(2) } : {}), 0);
    await open(2, 100);
    await open(3, 300);
    await open(1, 100);
    expect(await store.listDisputes()).toEqual([
      dispute(3, 300, { reporterId: id(2) }),
      dispute(1, 100),
      dispute(2, 100),
    ]);
    expect(await store.listDisputes({ reporterId: id(1) })).toEqual([dispute(1, 100), dispute(2, 100)]);
    expect(await store.listDisputes({ reportId: id(2) })).toEqual([dispute(2, 100)]);
    expect(await store.listDisputes({ reportId: id(2), reporterId: id(2) })).toEqual([]);
    expect(await store.listDisputes({ reporterId: id(9) })).toEqual([]);
  });

  /** Hashes and reports of what is kept of deleted reports. */
  const kept = async () => {
    const snapshot = await storeOf().snapshot();
    const rows = await snapshot.readRows('claim', undefined, 100);
    await snapshot.close();
    return rows.map((row) => [row['hash'], row['report_id']]);
  };
  const both = (n: number) => [
    { kind: 'email', hash: hash(10 * n) },
    { kind: 'phone', hash: hash(10 * n + 1) },
  ];
  const remove = (n: number, reporterId = id(1), more: object = { keepsClaim: true }) =>
    storeOf().removeReport({ reportId: id(n), reporterId, removedAt: 9 * DAY, ...more });
  const weakKinds = ['ip', 'domain'];
  const repeats = async (n: number, hash: string, reporterId = id(1)) =>
    (
      await storeOf().addReport(
        report(n, { reporterId, identifiers: [{ kind: 'email', hash }], weakKinds, knownKinds: [] }),
        0,
      )
    ).outcome === 'added' && (await storeOf().findDisputes([id(n)])).length > 0;

  it('keeps the identifiers of a deleted report only if a person found it wrong or may do so', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3, 4, 5]) await store.addReport(report(n, { identifiers: both(n) }), 0);
    for (const n of [2, 3, 4, 5]) await open(n, 100);
    await decide(2, true, 150);
    await decide(3, false, 150);
    // The newest decision of a person counts.
    await decide(4, true, 150);
    await open(4, 200);
    await decide(4, false, 250);
    for (const n of [1, 2, 3, 4]) await remove(n);
    // As a journal of an older program says it.
    await remove(5, id(1), {});
    expect(await kept()).toEqual(both(2).map((one) => [one.hash, id(2)]));
    expect(await store.findMatches(both(2).map((one) => one.hash))).toEqual([]);
    expect(await store.check()).toEqual([]);
    expect(await repeats(20, hash(20))).toBe(true);
    expect(await repeats(21, hash(20), id(2))).toBe(false);
    // What only the engine found wrong is kept by the first report.
    await remove(20);
    expect(await kept()).toHaveLength(2);
    expect(await repeats(22, hash(40))).toBe(false);
    // A rejection ends it.
    await open(2, 300);
    expect(await kept()).toHaveLength(2);
    await decide(2, false, 350);
    expect(await kept()).toEqual([]);
    expect(await repeats(23, hash(21))).toBe(false);
    expect(await store.check()).toEqual([]);
  });

  it('finds later reports wrong by what it kept, and earlier ones if asked', async () => {
    const store = storeOf();
    await store.addReport(report(2, { identifiers: both(1), createdAt: 50 }), 0);
    for (const n of [1, 3]) await store.addReport(report(n, { identifiers: both(1), createdAt: 50 * n }), 0);
    await open(1, 100);
    await remove(1);
    const decision = { reportId: id(1), upheld: true, decidedBy: 'Bob', weakKinds };
    await store.decideDispute({ ...decision, decidedAt: 200 });
    const wrong = async () =>
      (await store.findMatches([hash(10)])).filter(({ disputed }) => disputed).map(({ reportId }) => reportId);
    expect(await wrong()).toEqual([id(3)]);
    await open(1, 300);
    await store.decideDispute({ ...decision, decidedAt: 400, alike: true });
    expect((await wrong()).sort()).toEqual([id(2), id(3)]);
    expect((await store.findDisputes([id(2)])).map(({ openedBy }) => openedBy)).toEqual(['engine']);
    expect(await store.check()).toEqual([]);
  });

  it('opens the newest dispute again, and only that', async () => {
    const store = storeOf();
    const reopen = (n: number, decidedAt: number) =>
      store.reopenDispute({ reportId: id(n), decidedAt }, { actor: 'Eve', atMs: decidedAt });
    await store.addReport(report(1), 0);
    await open(1, 100);
    expect(await reopen(1, 150)).toBe('none');
    await decide(1, true, 150);
    expect([await reopen(1, 149), await reopen(9, 150)]).toEqual(['none', 'none']);
    expect([await reopen(1, 150), await reopen(1, 150)]).toEqual(['reopened', 'none']);
    expect(await store.listDisputes()).toEqual([dispute(1, 100)]);
    await decide(1, true, 160);
    await open(1, 200);
    expect(await reopen(1, 160)).toBe('none');
    expect((await store.listAudit({ after: 0, limit: 10 })).map((entry) => 'action' in entry && entry.action)).toEqual([
      'dispute-reopened',
    ]);
    // A rejection has deleted what was kept of a deleted report.
    await remove(1);
    await decide(1, false, 250);
    expect(await reopen(1, 250)).toBe('none');
    expect(await store.check()).toEqual([]);
  });

  it('finds alike reports wrong in several writes, and decides with the last one', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3, 4, 5]) await store.addReport(report(n, { identifiers: both(1), createdAt: n * DAY }), 0);
    await open(1, 6 * DAY);
    const decision = { reportId: id(1), upheld: true, decidedAt: 7 * DAY, decidedBy: 'Bob', weakKinds, alike: true };
    const part = { ...decision, claimRules: 2, found: { reportIds: [id(2), id(3), id(9)] } };
    expect(await store.decideDispute(part)).toBe('continued');
    // Again, as after a crash: nothing changes.
    expect(await store.decideDispute(part)).toBe('continued');
    expect((await store.listDisputes()).map((one) => [one.reportId, one.upheld])).toEqual([
      [id(2), true],
      [id(3), true],
      [id(1), null],
    ]);
    // The last write also finds what was made since the search.
    const last = { ...part, found: { reportIds: [id(2)], searchedAt: 5 * DAY } };
    expect(await store.decideDispute(last)).toBe('decided');
    expect(await store.decideDispute(last)).toBe('none');
    const wrong = (await store.listDisputes()).filter(({ upheld }) => upheld).map(({ reportId }) => reportId);
    expect(wrong.sort()).toEqual([1, 2, 3, 5].map(id));
    expect(await store.check()).toEqual([]);
  });

  it('moves what it keeps to the next pepper', async () => {
    const store = storeOf();
    await store.addReport(report(1, { identifiers: both(1) }), 0);
    await open(1, 100);
    await decide(1, true, 150);
    await remove(1);
    expect(await store.readOldHashes({ generation: 1, after: '', limit: 10 })).toEqual(
      both(1).map((one) => ({ hash: one.hash, generation: 0 })),
    );
    await store.addPepper({ generation: 1, fingerprint: id(500), addedAt: 3 });
    const moves = [10, 11].map((n) => ({ from: hash(n), to: hash(n + 50) }));
    expect(await store.rehash(moves, 1)).toBe(2);
    await store.finishPepper({ generation: 1, finishedAt: 8 });
    expect(await kept()).toEqual([60, 61].map((n) => [hash(n), id(1)]));
    expect(await store.readOldHashes({ generation: 1, after: '', limit: 10 })).toEqual([]);
    expect(await store.check()).toEqual([]);
    expect(await repeats(2, hash(61))).toBe(true);
  });

  it('erases what it keeps: of a person, with what it was reported with, and of a reporter', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3, 4])
      await store.addReport(report(n, { identifiers: both(n), reporterId: id(n === 3 ? 2 : 1) }), 0);
    for (const n of [1, 2, 3, 4]) await open(n, 100);
    for (const n of [1, 2, 4]) await remove(n);
    await remove(3, id(2));
    expect(await kept()).toHaveLength(8);
    await store.erase({ hashes: [hash(11)], erasedAt: 10 * DAY });
    expect(await kept()).toEqual([2, 3, 4].flatMap((n) => both(n).map((one) => [one.hash, id(n)])));
    await store.erase({ hashes: [], erasedAt: 10 * DAY, ofReporter: { reporterId: id(1), reports: 10 } });
    expect(await kept()).toEqual(both(3).map((one) => [one.hash, id(3)]));
    // An erased report is not kept, whatever was decided about it.
    await store.addReport(report(5, { identifiers: both(5) }), 0);
    await open(5, 100);
    await store.erase({ hashes: [hash(50)], erasedAt: 10 * DAY });
    expect(await kept()).toHaveLength(2);
    expect(await decide(1, true, 400)).toBe('decided');
    expect(await store.check()).toEqual([]);
  });

  it('repeats a claim by what no other reporter names, whatever kind it has', async () => {
    const store = storeOf();
    let n = 0;
    const add = async (reporter: number, ...identifiers: { kind: string; hash: string }[]) => {
      await store.addReport(report(++n, { reporterId: id(reporter), identifiers, weakKinds, knownKinds: [] }), 0);
      return (await store.findDisputes([id(n)])).length > 0;
    };
    const named = (kind: string, n: number) => ({ kind, hash: hash(n) });
    await add(1, named('domain', 70), named('ip', 71), named('email', 72));
    await open(1, 100);
    await decide(1, true, 150);
    await remove(1);
    // The second reporter names the first one only, under whatever kind. Its own claim is not a repetition.
    expect(await add(2, named('a', 70), named('email', 73))).toBe(false);
    expect(await add(1, named('domain', 70), named('email', 74))).toBe(false);
    expect(await add(1, named('ip', 71), named('email', 75))).toBe(true);
    expect(await add(1, named('domain', 71), named('ip', 70))).toBe(true);
    // A report that was found wrong makes nothing weak.
    await open(2, 100);
    expect(await add(1, named('domain', 70), named('email', 82))).toBe(false);
    await decide(2, true, 150);
    expect(await add(1, named('domain', 70), named('email', 76))).toBe(true);
    // Among reports of one reporter under several kinds, and of reporters with lower and higher ids.
    await store.addReporter(reporter(0, { reporterId: id(0) }));
    for (const kind of ['a', 'z']) expect(await add(1, named(kind, 70), named('email', 78))).toBe(true);
    expect(await add(0, named('z', 71), named('email', 79))).toBe(false);
    expect(await add(1, named('ip', 71), named('email', 80))).toBe(false);
    expect(await store.check()).toEqual([]);
  });

  it('keeps the other identifiers of a wrong report when one is erased, and takes them for no whole claim', async () => {
    const store = storeOf();
    const of = (n: number) => [...both(n), { kind: 'domain', hash: hash(90) }];
    for (const n of [1, 2, 3, 4, 5]) await store.addReport(report(n, { identifiers: of(n) }), 0);
    await store.addReport(
      report(6, { reporterId: id(2), identifiers: [{ kind: 'domain', hash: hash(90) }, ...both(6)] }),
      0,
    );
    for (const n of [1, 2, 3]) await open(n, 100);
    await decide(2, true, 150);
    await decide(3, false, 150);
    await remove(2);
    await store.putRows(
      'dispute_request',
      [5].map((n) => disputeRequestRow(n)),
    );
    await remove(5);
    let nonce = 0;
    const erase = (...hashes: number[]) =>
      store.erase({ hashes: hashes.map(hash), erasedAt: 10 * DAY, claimRules: CLAIM_RULES, nonce: `${nonce++}` });
    expect(await kept()).toHaveLength(6);
    const { reports } = await erase(10, 20, 31, 41, 51);
    expect(reports.map(({ reportId }) => reportId)).toEqual([id(1), id(3), id(4)]);
    const rest = [1, 2]
      .flatMap((n) => [
        [hash(10 * n + 1), id(n)],
        [hash(90), id(n)],
      ])
      .sort();
    // In the place of each erased hash is one that means nothing: the claims go on to cost what they did.
    const known = new Set(Array.from({ length: 100 }, (_, n) => hash(n)));
    const named = async () => (await kept()).filter(([one]) => known.has(String(one)));
    expect(await named()).toEqual(rest);
    expect(await kept()).toHaveLength(6);
    expect(await store.check()).toEqual([]);
    for (const n of [10, 20, 31, 41, 51]) expect(await store.findMatches([hash(n)])).toEqual([]);
    await decide(1, true, 200);
    const repeats = async (n: number, ...identifiers: { kind: string; hash: string }[]) => {
      await store.addReport(report(n, { identifiers, weakKinds, knownKinds: [] }), 0);
      return (await store.findDisputes([id(n)])).length > 0;
    };
    expect(await repeats(21, { kind: 'phone', hash: hash(11) }, { kind: 'email', hash: hash(95) })).toBe(true);
    expect(await repeats(22, { kind: 'phone', hash: hash(21) })).toBe(true);
    expect(await repeats(23, { kind: 'email', hash: hash(10) }, { kind: 'email', hash: hash(96) })).toBe(false);
    // Only the domain, the last identifier, is left of both: a report with it does not have the whole claim.
    await erase(11);
    await erase(21);
    expect(await named()).toEqual([1, 2].map((n) => [hash(90), id(n)]));
    expect(await kept()).toHaveLength(6);
    expect(await repeats(24, { kind: 'domain', hash: hash(90) }, { kind: 'email', hash: hash(97) })).toBe(false);
    await open(2, 300);
    const decision = { reportId: id(2), upheld: true, decidedAt: 400, decidedBy: 'Bob', weakKinds, alike: true };
    await store.decideDispute({ ...decision, claimRules: CLAIM_RULES });
    expect(await store.findDisputes([id(24)])).toEqual([]);
    await erase(90);
    expect(await named()).toEqual([]);
    expect(await kept()).toHaveLength(6);
    expect(await store.check()).toEqual([]);
  });

  it('erases the reasons of a report that is removed, keeps how they ended, and lets an open one be decided', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await store.addReport(report(2), 0);
    await open(1, 100);
    await decide(1, true, 150);
    await open(1, 200);
    await open(2, 200);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 300 });
    const erased = [
      dispute(1, 200, { reason: '' }),
      dispute(1, 100, { reason: '', decidedAt: 150, decidedBy: 'Bob', upheld: true }),
    ];
    expect((await store.findDisputes([id(1)])).sort((a, b) => b.openedAt - a.openedAt)).toEqual(erased);
    expect(await store.listDisputes()).toEqual([erased[0], dispute(2, 200), erased[1]]);
    expect(await decide(1, true, 400)).toBe('decided');
    expect((await store.listDisputes())[0]).toEqual(
      dispute(1, 200, { reason: '', decidedAt: 400, decidedBy: 'Bob', upheld: true }),
    );
    // What it cost its reporter may be looked into again, without a word about the person.
    expect(await open(1, 500)).toBe('opened');
    expect(await open(1, 600)).toBe('open');
    expect((await store.listDisputes())[0]).toEqual(dispute(1, 500, { reason: '' }));
    expect(await decide(1, false, 700)).toBe('decided');
    await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 800 });
    await store.addReport(report(3), 0);
    await store.removeReport({ reportId: id(3), reporterId: id(1), removedAt: 800 });
    expect(await open(3, 900)).toBe('unknown');
  });

  it('notes of a removed report that another wrong one stands for what was lost', async () => {
    const store = storeOf();
    const person = [{ kind: 'email', hash: hash(10) }];
    for (const n of [1, 2, 3]) await store.addReport(report(n, { identifiers: person }), 0);
    await store.addReport(report(4, { identifiers: person, reporterId: id(2) }), 0);
    await store.addReport(report(5), 0);
    const merged = async () =>
      Object.fromEntries((await store.listDisputes()).map((dispute) => [dispute.reportId, dispute.merged]));
    for (const n of [1, 2, 4, 5]) {
      await open(n, 100);
      await decide(n, true, 150);
    }
    await open(3, 100);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 300 });
    expect(await merged()).toEqual({ [id(1)]: true, [id(2)]: false, [id(3)]: false, [id(4)]: false, [id(5)]: false });
    // The last one stands for itself, and one of another person or of another reporter always did.
    await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 300 });
    await store.removeReport({ reportId: id(5), reporterId: id(1), removedAt: 300 });
    await store.removeReport({ reportId: id(4), reporterId: id(2), removedAt: 300 });
    expect(await merged()).toEqual({ [id(1)]: true, [id(2)]: false, [id(3)]: false, [id(4)]: false, [id(5)]: false });
  });

  it('ends what protects a hash, and nothing that has ended', async () => {
    const store = storeOf();
    const end = (n: number, endsAt: number) => store.endProtection({ hash: hash(n), endsAt, endedBy: 'Bob' });
    await add(1, 100);
    await add(2, 100, 150);
    await add(3, 100, 900);
    expect(await end(9, 200)).toBe('none');
    expect(await end(2, 150)).toBe('none');
    expect(await end(1, 200)).toBe('ended');
    expect(await end(1, 300)).toBe('none');
    expect(await end(3, 200)).toBe('ended');
    await add(1, 400);
    expect(await end(1, 500)).toBe('ended');
    expect(await store.listProtections()).toEqual([
      protection(1, 100, 200, 'Bob'),
      protection(1, 400, 500, 'Bob'),
      protection(2, 100, 150),
      protection(3, 100, 200, 'Bob'),
    ]);
  });

  it('protects a hash that nobody reports, and leaves reports as they are', async () => {
    const store = storeOf();
    await store.addReport(report(1), 0);
    await add(1, 100);
    expect(await store.findMatches([hash(1)])).toHaveLength(1);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 200 });
    expect(await store.findProtections([hash(1)])).toEqual([protection(1, 100)]);
  });
}
