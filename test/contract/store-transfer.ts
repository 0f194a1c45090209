import { expect, it } from 'vitest';
import type { Store } from '../../src/core/store/store.ts';
import type { StoredRow, StoreSnapshot } from '../../src/core/store/upkeep.ts';
import { element } from './store-seals.ts';
import { caseMessageRow, DAY, disputeRequestRow, hash, id, key, personCaseRow, report, reporter } from './stored.ts';

/**
 * Copies, checks and erasure. The store has two reporters and nothing else. `openAnother` opens an empty store of the
 * same kind.
 */
export function transferContract(storeOf: () => Store, openAnother: () => Promise<Store>): void {
  /** Something in every table. */
  const fill = async (store: Store): Promise<void> => {
    await store.addPepper({ generation: 1, fingerprint: id(500), addedAt: 3 });
    await store.addPepper({ generation: 2, fingerprint: id(501), addedAt: 4 });
    await store.finishPepper({ generation: 1, finishedAt: 5 });
    await store.addElementKey({ fingerprint: id(502), addedAt: 6 });
    await store.addKey(key(5));
    await store.addKey(
      key(6, { endsAt: 99, scope: 'query', issuedUntil: 99, lastUsedAt: DAY, keyName: 'Kasse 1 – É' }),
    );
    await store.updateReporter({ reporterId: id(2), identifiersPerDay: 500 });
    const both = [
      { kind: 'email', hash: hash(10), element: element(10) },
      { kind: 'phone', hash: hash(11), element: element(11) },
    ];
    const text = 'line\n“two” \u2028 👩‍💻';
    await store.addReport(report(1, { identifiers: both, text, generation: 2, seal: 1 }), 0);
    await store.addReport(
      report(2, { identifiers: [both[0]!, { ...both[0]!, kind: 'ip' }], reporterId: id(2), generation: 1, seal: 1 }),
      0,
    );
    const one = { kind: 'email', hash: hash(12), element: element(12) };
    await store.addReport(report(3, { identifiers: [one], generation: 2, seal: 1 }), 0);
    const owned = both.map(({ kind, hash }) => ({ kind, hash, owner: id(7) }));
    await store.putLink({ linkHash: hash(900), identifiers: owned, createdAt: 7 }, 10);
    await store.putLink({ linkHash: hash(901), identifiers: both.slice(1), createdAt: 8 }, 10);
    await store.openDispute({ reportId: id(2), openedAt: 9 * DAY, openedBy: 'Ada', reason: 'a reason' });
    await store.openDispute({ reportId: id(1), openedAt: 9 * DAY, openedBy: 'Ada', reason: 'another' });
    await store.decideDispute({ reportId: id(1), upheld: false, decidedAt: 10 * DAY, decidedBy: 'Bob' });
    await store.putRows('dispute_request', [
      disputeRequestRow(1),
      disputeRequestRow(1, { request_id: id(702), reason: 'line\n“two”' }),
    ]);
    await store.putRows('person_case', [personCaseRow(1)]);
    await store.putRows('case_message', [caseMessageRow(1, { report_id: id(4) })]);
    await store.addProtection({
      hash: hash(20),
      reason: 'ours',
      addedBy: 'Ada',
      addedAt: 1,
      endsAt: 50,
      generation: 2,
      element: element(20),
      seal: 1,
    });
    await store.addProtection({
      hash: hash(20),
      reason: 'ours again',
      addedBy: 'Ada',
      addedAt: 60,
      endsAt: null,
      generation: 2,
      element: element(20),
      seal: 1,
    });
    await store.openDispute({ reportId: id(3), openedAt: 10 * DAY, openedBy: 'Ada', reason: 'not him' });
    await store.removeReport({ reportId: id(3), reporterId: id(1), removedAt: 11 * DAY, keepsClaim: true });
    for (const n of [1, 2])
      await store.updateReporter({ reporterId: id(n), suspended: true }, { actor: 'Ada', atMs: n });
  };

  /** All rows of a table, in pages of a size. */
  const readAll = async (snapshot: StoreSnapshot, table: string, pageSize: number): Promise<StoredRow[]> => {
    const rows: StoredRow[] = [];
    for (;;) {
      const page = await snapshot.readRows(table, rows.at(-1), pageSize);
      rows.push(...page);
      if (page.length < pageSize) return rows;
    }
  };

  const contentOf = async (store: Store, pageSize = 100): Promise<Record<string, StoredRow[]>> => {
    const snapshot = await store.snapshot();
    const content: Record<string, StoredRow[]> = {};
    for (const { name } of snapshot.tables) content[name] = await readAll(snapshot, name, pageSize);
    await snapshot.close();
    return content;
  };

  it('gives every row once, as plain values in the order of its table’s key, in pages of any size', async () => {
    const store = storeOf();
    await fill(store);
    const content = await contentOf(store);
    for (const pageSize of [1, 2, 3]) expect(await contentOf(store, pageSize)).toEqual(content);
    expect(Object.entries(content).map(([table, rows]) => [table, rows.length])).toEqual([
      ['pepper', 2],
      ['seal', 1],
      ['reporter', 2],
      ['api_key', 2],
      ['report', 3],
      ['identifier', 4],
      ['link_identifier', 3],
      ['dispute', 3],
      ['claim', 1],
      ['dispute_request', 2],
      ['person_case', 1],
      ['case_message', 1],
      ['protection', 2],
      ['audit', 2],
    ]);
    expect(content['report']!.map((row) => row['report_id'])).toEqual([id(1), id(2), id(3)]);
    expect(content['report']![0]).toEqual({
      report_id: id(1),
      reporter_id: id(1),
      nonce: id(1001),
      fingerprint: report(1).fingerprint,
      type: 'fraud',
      severity: 6,
      text: 'line\n“two” \u2028 👩‍💻',
      created_at: DAY,
      removed_at: null,
    });
    expect(content['report']![2]).toEqual({
      report_id: id(3),
      reporter_id: id(1),
      nonce: null,
      fingerprint: null,
      type: null,
      severity: null,
      text: null,
      created_at: null,
      removed_at: 11 * DAY,
    });
    expect(
      content['identifier']!.map((row) => [
        row['hash'],
        row['kind'],
        row['report_id'],
        row['position'],
        row['disputed'],
        row['generation'],
        row['element'],
        row['seal'],
      ]),
    ).toEqual([
      [hash(10), 'email', id(1), 0, 1, 2, element(10), 1],
      [hash(10), 'email', id(2), 0, 1, 1, element(10), 1],
      [hash(10), 'ip', id(2), 1, 1, 1, element(10), 1],
      [hash(11), 'phone', id(1), 1, 1, 2, element(11), 1],
    ]);
    expect(content['claim']).toEqual([
      {
        hash: hash(12),
        report_id: id(3),
        position: 0,
        kind: 'email',
        reporter_id: id(1),
        generation: 2,
        element: element(12),
        seal: 1,
      },
    ]);
  });

  it('has the tables in an order in which nothing refers to what comes later', async () => {
    const snapshot = await storeOf().snapshot();
    const names = snapshot.tables.map(({ name }) => name);
    expect(names.indexOf('reporter')).toBeLessThan(Math.min(names.indexOf('api_key'), names.indexOf('report')));
    for (const { columns, key: parts } of snapshot.tables)
      expect(columns.filter(({ name, nullable }) => parts.includes(name) && !nullable)).toHaveLength(parts.length);
    await expect(snapshot.readRows('trust_record', undefined, 1)).rejects.toThrow(RangeError);
    await expect(snapshot.readRows('report; DROP TABLE report', undefined, 1)).rejects.toThrow(RangeError);
    await snapshot.close();
    await snapshot.close();
  });

  it('shows in a snapshot nothing of what is written after it', async () => {
    const store = storeOf();
    await fill(store);
    const before = await contentOf(store);
    const snapshot = await store.snapshot();
    await store.addReport(report(50), 0);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 20 * DAY });
    const seen: Record<string, StoredRow[]> = {};
    for (const { name } of snapshot.tables) seen[name] = await readAll(snapshot, name, 2);
    await snapshot.close();
    expect(seen).toEqual(before);
    expect((await contentOf(store))['report']).toHaveLength(4);
  });

  it('takes rows in, and what is there already stays as it is', async () => {
    await fill(storeOf());
    const content = await contentOf(storeOf());
    const other = await openAnother();
    try {
      for (const [table, rows] of Object.entries(content)) {
        await other.putRows(table, rows.slice(0, 1));
        await other.putRows(table, rows);
        await other.putRows(table, []);
      }
      expect(await contentOf(other)).toEqual(content);
      await other.putRows('reporter', [{ ...content['reporter']![0]!, name: 'Another name' }]);
      expect(await contentOf(other)).toEqual(content);
      await expect(other.putRows('trust_record', [])).rejects.toThrow(RangeError);
      // In any order.
      const matches = async (store: Store) =>
        (await store.findMatches([hash(10)])).sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
      expect(await matches(other)).toEqual(await matches(storeOf()));
      expect(await other.findKey(key(5))).toEqual(await storeOf().findKey(key(5)));
    } finally {
      await other.close();
    }
  });

  it('deletes and disputes what was taken in only in part', async () => {
    const store = storeOf();
    const source = await openAnother();
    for (const n of [1, 2]) await source.addReporter(reporter(n));
    const identifiers = [1, 2, 3].map((n) => ({ kind: 'email', hash: hash(n) }));
    for (const n of [1, 2]) await source.addReport(report(n, { identifiers }), 0);
    const content = await contentOf(source);
    await source.close();
    // An interrupted copy has all reports, and some or none of their identifiers, in the order of their hashes.
    await store.putRows('report', content['report']!);
    await store.putRows(
      'identifier',
      content['identifier']!.filter((row) => row['report_id'] === id(1) && row['position'] !== 0),
    );
    for (const n of [1, 2])
      expect(await store.openDispute({ reportId: id(n), openedAt: 9, openedBy: 'Ada', reason: 'r' })).toBe('opened');
    expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 9 })).toEqual({
      outcome: 'removed',
      createdAt: DAY,
      identifiers: identifiers.slice(1),
    });
    expect(await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 9 })).toEqual({
      outcome: 'removed',
      createdAt: 2 * DAY,
      identifiers: [],
    });
    expect(await store.findMatches([1, 2, 3].map(hash))).toEqual([]);
  });

  it('finds nothing wrong with what its methods wrote', async () => {
    expect(await storeOf().check()).toEqual([]);
    const store = storeOf();
    await fill(store);
    expect(await store.check()).toEqual([]);
    // Whatever changes a row says so to its checksum.
    await store.updateReporter({ reporterId: id(1), suspended: true });
    await store.updateReporter({ reporterId: id(1), suspended: true });
    await store.endKey({ keyId: id(5), endsAt: 50 });
    await store.endKey({ keyId: id(6), endsAt: 50 });
    await store.decideDispute({ reportId: id(2), upheld: true, decidedAt: 12 * DAY, decidedBy: 'Bob' });
    await store.openDispute({ reportId: id(2), openedAt: 13 * DAY, openedBy: 'Ada', reason: 'again' });
    await store.endProtection({ hash: hash(20), endsAt: 70, endedBy: 'Bob' });
    await store.rehash(
      [10, 11, 12, 20].map((n) => ({ from: hash(n), to: hash(n + 60) })),
      2,
    );
    expect(await store.check()).toEqual([]);
    await store.addReport(
      report(4, {
        reporterId: id(2),
        identifiers: [{ kind: 'email', hash: hash(70), element: element(10) }],
        generation: 2,
        seal: 1,
      }),
      0,
    );
    await store.openDispute({ reportId: id(4), openedAt: 14 * DAY, openedBy: 'Ada', reason: 'wrong' });
    await store.decideDispute({ reportId: id(4), upheld: true, decidedAt: 15 * DAY, decidedBy: 'Bob' });
    await store.removeReport({ reportId: id(2), reporterId: id(2), removedAt: 16 * DAY });
    await store.finishPepper({ generation: 2, finishedAt: 8 });
    expect((await store.findDisputes([id(2)])).map(({ merged }) => merged)).toEqual([true, true]);
    expect(await store.check()).toEqual([]);
    await store.erase({ hashes: [hash(70), hash(80)], erasedAt: 17 * DAY });
    expect(await store.check()).toEqual([]);
  });

  it('finds reports that do not fit together', async () => {
    const store = storeOf();
    await fill(store);
    const [row] = (await contentOf(store))['identifier']!;
    await store.putRows('identifier', [
      { ...row!, position: 7, report_id: id(77) },
      { ...row!, position: 8, severity: 9 },
      { ...row!, position: 9, report_id: id(3) },
    ]);
    const [claim] = (await contentOf(store))['claim']!;
    await store.putRows('claim', [
      { ...claim!, position: 1, reporter_id: id(2) },
      { ...claim!, report_id: id(1) },
      { ...claim!, report_id: id(77) },
    ]);
    expect((await store.check()).map(({ problem, count }) => [problem, count])).toEqual([
      ['identifiers whose report is missing', 1],
      ['identifiers of deleted reports', 1],
      ['identifiers that differ from their report', 1],
      ['claims whose report is not a deleted one', 2],
      ['claims whose reporter differs from the reporter of the report', 1],
      ['claims without a dispute that is open or upheld, and without a request', 2],
      ['identifiers marked as disputed that have no dispute', 1],
    ]);
  });

  it('erases all about a hash, whoever reported it, and nothing about another', async () => {
    const store = storeOf();
    await fill(store);
    await store.addReport(
      report(4, {
        identifiers: [
          { kind: 'email', hash: hash(13), element: element(13) },
          { kind: 'phone', hash: hash(11), element: element(11) },
        ],
        generation: 2,
        seal: 1,
      }),
      0,
    );
    const erased = await store.erase({ hashes: [hash(10), hash(20), hash(99)], erasedAt: 30 * DAY });
    expect({ ...erased, reports: [...erased.reports].sort((a, b) => (a.reportId < b.reportId ? -1 : 1)) }).toEqual({
      reports: [
        {
          reportId: id(1),
          reporterId: id(1),
          createdAt: DAY,
          identifiers: [
            { kind: 'email', hash: hash(10) },
            { kind: 'phone', hash: hash(11) },
          ],
        },
        {
          reportId: id(2),
          reporterId: id(2),
          createdAt: 2 * DAY,
          identifiers: [
            { kind: 'email', hash: hash(10) },
            { kind: 'ip', hash: hash(10) },
          ],
        },
      ],
      links: 1,
      protections: 2,
    });
    expect(await store.findMatches([hash(10)])).toEqual([]);
    expect(await store.findProtections([hash(20)])).toEqual([]);
    expect(await store.findLink(hash(900))).toBeUndefined();
    expect(await store.findLink(hash(901))).toEqual([{ kind: 'phone', hash: hash(11) }]);
    expect((await store.findMatches([hash(11), hash(13)])).map(({ reportId }) => reportId)).toEqual([id(4), id(4)]);
    expect((await store.listDisputes()).map(({ reason }) => reason)).toEqual(['', '', '']);
    expect(await store.removeReport({ reportId: id(2), reporterId: id(2), removedAt: 31 * DAY })).toEqual({
      outcome: 'already-removed',
    });
    expect(JSON.stringify(await contentOf(store))).not.toContain(hash(10));
    expect(await store.check()).toEqual([]);
    await store.erased();
    expect(await store.erase({ hashes: [hash(10), hash(20)], erasedAt: 32 * DAY })).toEqual({
      reports: [],
      links: 0,
      protections: 0,
    });
    await store.erased();
  });

  it('erases a person in several writes if very many reports are about it', async () => {
    const store = storeOf();
    const both = [40, 41].map((n) => ({ kind: 'email', hash: hash(n) }));
    // One has the hash twice, and one has only the second hash.
    const twice = [{ kind: 'ip', hash: hash(40) }, ...both];
    for (const [n, identifiers] of [both, twice, both, both, both.slice(1)].entries())
      await store.addReport(report(60 + n, { identifiers }), 0);
    const link = [40, 41, 42].map((n) => ({ kind: 'email', hash: hash(n) }));
    await store.putLink({ linkHash: hash(904), identifiers: link, createdAt: 1 }, 10);
    // This one has a hash that is also reported alone, and a hash that is erased second.
    await store.addReport(report(70, { identifiers: [{ kind: 'email', hash: hash(43) }] }), 0);
    const second = [41, 43].map((n) => ({ kind: 'email', hash: hash(n) }));
    await store.putLink({ linkHash: hash(905), identifiers: second, createdAt: 1 }, 10);
    const erasure = { hashes: [hash(40), hash(41)], erasedAt: 90 * DAY, reportsAtOnce: 2 };
    const told = [];
    let erased = await store.erase(erasure);
    for (; erased.more; erased = await store.erase(erasure)) told.push(erased);
    told.push(erased);
    expect(told.map(({ links }) => links)).toEqual([2, ...told.slice(1).map(() => 0)]);
    for (const n of [904, 905]) expect(await store.findLink(hash(n))).toBeUndefined();
    expect(told.length).toBeGreaterThan(1);
    for (const { reports } of told) expect(reports.length).toBeLessThan(4);
    expect(told.flatMap(({ reports }) => reports)).toHaveLength(5);
    expect(new Set(told.flatMap(({ reports }) => reports.map(({ reportId }) => reportId))).size).toBe(5);
    expect(await store.findMatches([hash(40), hash(41)])).toEqual([]);
    expect(await store.check()).toEqual([]);
    expect(JSON.stringify(await contentOf(store))).not.toContain(hash(41));
  });

  it('answers none of it once it is closed', async () => {
    const store = await openAnother();
    await store.close();
    const calls = [
      () => store.snapshot(),
      () => store.check(),
      () => store.erased(),
      () => store.putRows('report', []),
      () => store.erase({ hashes: [], erasedAt: 1 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
  });
}
