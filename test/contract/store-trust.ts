import { expect, it } from 'vitest';
import type { IdentifierPosition, StoredIdentifier } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import type { Cases } from './store.ts';
import { DAY, hash, id, report, trust } from './stored.ts';

/** What every store keeps to about what standings are learnt from. There are two reporters and nothing else. */
export function trustContract(storeOf: () => Store, cases: Cases): void {
  it('keeps what was learnt of reporters to the last digit, and replaces it as a whole', async () => {
    const store = storeOf();
    expect(await store.findTrust()).toBeUndefined();
    expect(await store.findTrustEpoch()).toBeUndefined();
    await store.putTrust(trust);
    expect(await store.findTrust()).toEqual(trust);
    const later = {
      ...trust,
      rules: 'link-claim/10 00000000',
      epochAt: 4 * DAY,
      records: [
        {
          ...trust.records[1]!,
          claims: 3,
          corroborated: 2,
          confirmable: 3,
          led: 0.25,
          echoed: 1,
          matureClaims: 2,
          maturePreceded: 1,
        },
      ],
    };
    await store.putTrust(later);
    expect(await store.findTrust()).toEqual(later);
    expect(await store.findTrustEpoch()).toEqual({
      rules: later.rules,
      epochAt: later.epochAt,
      learntAt: later.learntAt,
    });
    await store.putTrust({ ...trust, records: [] });
    expect(await store.findTrust()).toEqual({ ...trust, records: [] });
  });

  if (cases === 'basic') return;

  it('walks over all identifiers in the order of hash, kind, reporter, time, report and position, in pages of any size', async () => {
    const store = storeOf();
    // A page may end within a hash, and within a report that names one hash twice.
    await store.addReport(
      report(1, {
        identifiers: [
          { kind: 'email', hash: hash(500) },
          { kind: 'ip', hash: hash(3) },
          { kind: 'other', hash: hash(500) },
        ],
      }),
      0,
    );
    await store.addReport(
      report(2, {
        reporterId: id(2),
        identifiers: [
          { kind: 'email', hash: hash(500) },
          { kind: 'email', hash: hash(0xff) },
        ],
      }),
      0,
    );
    await store.addReport(report(3, { identifiers: [{ kind: 'domain', hash: 'f'.repeat(40) }] }), 0);
    await store.addReport(report(4), 0);
    await store.openDispute({ reportId: id(2), openedAt: 9 * DAY, openedBy: 'Ada', reason: 'r' });
    await store.removeReport({ reportId: id(4), reporterId: id(1), removedAt: 5 * DAY });
    const at = (h: string, n: number, position: number, kind: string): StoredIdentifier => ({
      hash: h,
      reportId: id(n),
      position,
      kind,
      reporterId: n === 2 ? id(2) : id(1),
      createdAt: n * DAY,
      disputed: n === 2,
    });
    const all = [
      at(hash(3), 1, 1, 'ip'),
      at(hash(0xff), 2, 1, 'email'),
      at(hash(500), 1, 0, 'email'),
      at(hash(500), 2, 0, 'email'),
      at(hash(500), 1, 2, 'other'),
      at('f'.repeat(40), 3, 0, 'domain'),
    ];
    for (let size = 1; size <= all.length + 1; size++) {
      const walked: StoredIdentifier[] = [];
      for (let after: IdentifierPosition | undefined; ;) {
        const page = await store.readIdentifiers(after, size);
        expect(page.length).toBeLessThanOrEqual(size);
        walked.push(...page);
        after = page.at(-1);
        if (page.length < size) break;
      }
      expect(walked, `pages of ${size}`).toEqual(all);
    }
    expect(await store.readIdentifiers(undefined, 3, ['email'])).toEqual([all[0], all[4], all[5]]);
    expect(await store.readIdentifiers(all[0], 9, ['email', 'domain', 'none'])).toEqual([all[4]]);
    // From a position that is not there any more, too.
    const gone = { kind: 'email', reporterId: id(1), createdAt: 4 * DAY, position: 0 };
    expect(await store.readIdentifiers({ ...gone, hash: hash(4), reportId: id(4) }, 1)).toEqual([all[1]]);
    expect(await store.readIdentifiers({ ...gone, hash: 'f'.repeat(40), reportId: 'f'.repeat(16) }, 1)).toEqual([]);
  });

  it('finds the identifiers of live reports', async () => {
    const store = storeOf();
    const first = [
      { kind: 'email', hash: hash(7) },
      { kind: 'ip', hash: hash(3) },
    ];
    await store.addReport(report(1, { identifiers: first }), 0);
    await store.addReport(report(2, { identifiers: [first[0]!] }), 0);
    await store.addReport(report(3), 0);
    await store.removeReport({ reportId: id(3), reporterId: id(1), removedAt: 9 * DAY });
    const found = (await store.findIdentifiers([id(1), id(3), id(9)])).sort((a, b) => a.position - b.position);
    expect(found).toEqual(
      first.map((identifier, position) => ({
        ...identifier,
        reportId: id(1),
        position,
        reporterId: id(1),
        createdAt: DAY,
        disputed: false,
      })),
    );
    expect(await store.findIdentifiers([])).toEqual([]);
  });

  it('finds what reports named, also what is kept of deleted ones', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n, { identifiers: [{ kind: 'email', hash: hash(n) }] }), 0);
    const removal = { reporterId: id(1), removedAt: 9 * DAY, keepsClaim: true };
    await store.openDispute({ reportId: id(2), openedAt: 5 * DAY, openedBy: 'Ada', reason: 'why' });
    for (const n of [2, 3]) await store.removeReport({ ...removal, reportId: id(n) });
    const found = await store.findNamed([id(1), id(2), id(3), id(9)]);
    expect(found.map(({ reportId, kind, hash }) => ({ reportId, kind, hash }))).toEqual(
      [1, 2].map((n) => ({ reportId: id(n), kind: 'email', hash: hash(n) })),
    );
  });

  it('tells who shares hashes, under which kinds and since when', async () => {
    const store = storeOf();
    const shared = [{ kind: 'email', hash: hash(1) }];
    await store.addReport(report(1, { identifiers: shared, createdAt: 3 * DAY }), 0);
    await store.addReport(report(2, { identifiers: shared, createdAt: DAY }), 0);
    await store.addReport(
      report(3, {
        identifiers: [
          { kind: 'other', hash: hash(1) },
          { kind: 'ip', hash: hash(2) },
        ],
      }),
      0,
    );
    await store.addReport(report(4, { identifiers: shared, reporterId: id(2) }), 0);
    const sorted = async (hashes: string[], except?: string) =>
      (await store.findSharings(hashes, except, 9 * DAY))
        .map(({ hash: of, kind, reporterId, firstAt }) => [of, reporterId, kind, firstAt])
        .sort();
    expect(await sorted([hash(1), hash(9)])).toEqual([
      [hash(1), id(1), 'email', DAY],
      [hash(1), id(1), 'other', 3 * DAY],
      [hash(1), id(2), 'email', 4 * DAY],
    ]);
    expect(await sorted([hash(1), hash(2)], id(2))).toEqual([
      [hash(1), id(1), 'email', 3 * DAY],
      [hash(1), id(1), 'other', 3 * DAY],
      [hash(1), id(2), 'email', 4 * DAY],
      [hash(2), id(1), 'ip', 3 * DAY],
    ]);
    expect(await sorted([hash(1)], id(4))).toHaveLength(2);
    expect(await sorted([])).toEqual([]);
    await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 9 * DAY });
    expect(await sorted([hash(1)], id(3))).toEqual([
      [hash(1), id(1), 'email', 3 * DAY],
      [hash(1), id(2), 'email', 4 * DAY],
    ]);
  });

  it('returns with a new report what it knew about hashes, as the methods that ask for it', async () => {
    const store = storeOf();
    const hashes = [hash(1), hash(2), hash(3)];
    const entry = { hash: hash(3), addedAt: 1, addedBy: 'Ada', reason: 'r', endsAt: null, generation: 0 };
    expect(await store.addProtection(entry)).toBe('added');
    const identifiers = [
      { kind: 'email', hash: hash(1) },
      { kind: 'phone', hash: hash(2) },
      { kind: 'email', hash: hash(1) },
    ];
    await store.addReport(report(1, { identifiers }), 0);
    await store.addReport(report(2, { identifiers, reporterId: id(2) }), 0);
    const known = {
      protections: await store.findProtections(hashes),
      sharings: await store.findSharings(hashes, undefined, 9 * DAY),
    };
    expect(known).toMatchObject({ protections: [{ hash: hash(3) }], sharings: { length: 4 } });
    expect(await store.addReport(report(3, { identifiers }), 0, hashes)).toEqual({ outcome: 'added', history: known });
    // A retry and an id in use say nothing.
    const retry = await store.addReport(report(3, { identifiers, reportId: id(30) }), 0, hashes);
    expect(retry).not.toHaveProperty('history');
    expect(await store.addReport(report(1, { fingerprint: 'e'.repeat(32) }), 0, hashes)).toEqual({ outcome: 'taken' });
    expect(await store.addReport(report(4, { identifiers }), 0)).toEqual({ outcome: 'added' });
    // Disputes and many reports need more reading.
    await store.openDispute({ reportId: id(4), openedAt: 9 * DAY, openedBy: 'Ada', reason: 'r' });
    expect(await store.addReport(report(5, { identifiers }), 0, hashes)).toEqual({ outcome: 'added' });
    const many = [{ kind: 'email', hash: hash(8) }];
    for (let n = 100; n < 165; n++) await store.addReport(report(n, { identifiers: many }), 0);
    expect(await store.addReport(report(6, { identifiers: many }), 0, [hash(8)])).toEqual({ outcome: 'added' });
  });

  it('tells since when who shares a hash was not found wrong, by the disputes of a moment', async () => {
    const store = storeOf();
    const shared = [{ kind: 'email', hash: hash(1) }];
    await store.addReport(report(1, { identifiers: shared }), 0);
    await store.addReport(report(2, { identifiers: shared }), 0);
    await store.addReport(report(3, { identifiers: shared, reporterId: id(2) }), 0);
    const at = async (day: number) =>
      Object.fromEntries(
        (await store.findSharings([hash(1)], undefined, day * DAY)).map(({ reporterId, firstAt, rightAt }) => [
          reporterId,
          [firstAt / DAY, rightAt && rightAt / DAY],
        ]),
      );
    const dispute = async (n: number, openedAt: number, upheld: boolean) => {
      await store.openDispute({ reportId: id(n), openedAt: openedAt * DAY, openedBy: 'Ada', reason: 'r' });
      await store.decideDispute({ reportId: id(n), upheld, decidedAt: (openedAt + 1) * DAY, decidedBy: 'Ada' });
    };
    await dispute(1, 10, true);
    await dispute(3, 20, true);
    await dispute(1, 30, false);
    expect(await at(10)).toEqual({ [id(1)]: [1, 1], [id(2)]: [3, 3] });
    expect(await at(11)).toEqual({ [id(1)]: [1, 2], [id(2)]: [3, 3] });
    expect(await at(21)).toEqual({ [id(1)]: [1, 2], [id(2)]: [3, null] });
    // Open again, which changes nothing, and rejected then.
    expect(await at(30)).toEqual({ [id(1)]: [1, 2], [id(2)]: [3, null] });
    expect(await at(31)).toEqual({ [id(1)]: [1, 1], [id(2)]: [3, null] });
  });

  it('gives the live reports from a moment on, oldest first, in pages of any size', async () => {
    const store = storeOf();
    for (const [n, createdAt] of [
      [1, 300],
      [2, 100],
      [3, 300],
      [4, 200],
      [5, 400],
    ] as const)
      await store.addReport(report(n, { createdAt }), 0);
    await store.removeReport({ reportId: id(4), reporterId: id(1), removedAt: 900 });
    const at = (n: number, createdAt: number) => ({ reportId: id(n), reporterId: id(1), createdAt });
    const all = [at(2, 100), at(1, 300), at(3, 300), at(5, 400)];
    expect(await store.readReports({ from: 0, after: undefined, limit: 10 })).toEqual(all);
    expect(await store.readReports({ from: 300, after: undefined, limit: 10 })).toEqual(all.slice(1));
    expect(await store.readReports({ from: 300, after: undefined, limit: 1 })).toEqual([all[1]]);
    expect(await store.readReports({ from: 300, after: all[1], limit: 1 })).toEqual([all[2]]);
    expect(await store.readReports({ from: 300, after: all[3], limit: 1 })).toEqual([]);
    expect(await store.readReports({ from: 401, after: undefined, limit: 1 })).toEqual([]);
  });

  it('counts what was removed after a moment', async () => {
    const store = storeOf();
    for (const n of [1, 2, 3]) await store.addReport(report(n), 0);
    expect(await store.countRemovedAfter(0)).toBe(0);
    await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 100 });
    await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 200 });
    expect([
      await store.countRemovedAfter(99),
      await store.countRemovedAfter(100),
      await store.countRemovedAfter(200),
    ]).toEqual([2, 1, 0]);
    expect([
      await store.findRemovedAfter(99),
      await store.findRemovedAfter(100),
      await store.findRemovedAfter(200),
    ]).toEqual([[id(1), id(2)], [id(2)], []]);
  });
}
