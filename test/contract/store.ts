import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disputeStateAt } from '../../src/core/domain/dispute.ts';
import type { KeyFilter } from '../../src/core/domain/reporter.ts';
import type { StoredReport } from '../../src/core/store/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { isLong } from '../budget.ts';
import { DAY, hash, id, key, report, reporter, reportRow, trust } from './stored.ts';
import { auditContract } from './store-audit.ts';
import { disputeRequestContract } from './store-dispute-requests.ts';
import { moderationContract } from './store-moderation.ts';
import { pepperContract } from './store-pepper.ts';
import { personCaseContract } from './store-person-cases.ts';
import { sealContract } from './store-seals.ts';
import { signInContract } from './store-sign-ins.ts';
import { transferContract } from './store-transfer.ts';
import { trustContract } from './store-trust.ts';
import { reporterContract } from './store-reporters.ts';
import { usageContract } from './store-usage.ts';
import { webhookContract } from './store-webhooks.ts';

/** Which cases of a contract run. The basic ones come first in each file. */
export type Cases = 'all' | 'basic';

/** The cases of a variant of a kind of store, e.g. of another build of SQLite. */
export const VARIANT_CASES: Cases = isLong ? 'all' : 'basic';

/**
 * The promises of every store. `reopen` closes the store and opens its content again; null if nothing outlives the
 * store. With `basic`, the contract is one or two cases of each area: enough for a variant of a kind of store.
 */
export function storeContract(
  name: string,
  open: () => Promise<Store>,
  reopen: ((store: Store) => Promise<Store>) | null,
  cases: Cases = 'all',
): void {
  describe(`store contract: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
      await store.addReporter(reporter(1));
      await store.addReporter(reporter(2));
    });
    afterEach(() => store.close());

    const byHash = (found: { kind: string; hash: string }[] | undefined) =>
      found?.slice().sort((x, y) => (x.hash + x.kind < y.hash + y.kind ? -1 : 1));

    /** Somebody reports these hashes, so that they can be linked. */
    const reported = (n: number, hashes: readonly number[]) =>
      store.addReport(report(n, { identifiers: hashes.map((of) => ({ kind: 'email', hash: hash(of) })) }), 0);

    it('keeps a reporter as it was given and refuses a second of its name', async () => {
      expect(await store.listReporters()).toEqual([reporter(1), reporter(2)]);
      expect(await store.addReporter(reporter(3, { name: 'Shop 1' }))).toBe('name-taken');
      expect(await store.addReporter(reporter(1, { name: 'Shop 3' }))).toBe('taken');
      expect(await store.addReporter(reporter(4, { verified: false, name: 'Ünïcode “shop”' }))).toBe('added');
      expect(await store.findReporters([id(4), id(99), id(2)])).toEqual([
        reporter(4, { verified: false, name: 'Ünïcode “shop”' }),
        reporter(2),
      ]);
      expect(await store.findReporters([])).toEqual([]);
    });

    it('finds a key by its digest, with its reporter', async () => {
      expect(await store.addKey(key(5))).toBe('added');
      expect(await store.findKey(key(5))).toEqual({ key: key(5), reporter: reporter(1) });
      expect(await store.findKey(key(6))).toBeUndefined();
      expect(await store.addKey(key(7, { reporterId: id(9) }))).toBe('unknown-reporter');
      expect(await store.addKey(key(8, { keyId: id(5) }))).toBe('taken');
      expect(await store.addKey(key(9, { digest: key(5).digest }))).toBe('taken');
      const { digest: _digest, ...listed } = key(5);
      expect(await store.listKeys()).toEqual([listed]);
    });

    it('stores a report with its identifiers in their order and finds it by each', async () => {
      const identifiers = [
        { kind: 'email', hash: hash(10) },
        { kind: 'email', hash: hash(11) },
        { kind: 'ip', hash: hash(10) },
      ];
      expect(await store.addReport(report(1, { identifiers }), 0)).toEqual({ outcome: 'added' });
      const facts = { reportId: id(1), reporterId: id(1), type: 'fraud', severity: 6, createdAt: DAY, disputed: false };
      expect(await store.findMatches([hash(11)])).toEqual([{ kind: 'email', hash: hash(11), ...facts }]);
      expect(await store.findMatches([hash(10), hash(12)])).toEqual([
        { kind: 'email', hash: hash(10), ...facts },
        { kind: 'ip', hash: hash(10), ...facts },
      ]);
      expect(await store.findMatches([])).toEqual([]);
    });

    it('keeps at most 32 kinds of a hash beside the known ones, at most 4 of them from one report', async () => {
      const knownKinds = ['email', 'phone'];
      const named = (kinds: readonly string[]) => kinds.map((kind) => ({ kind, hash: hash(1) }));
      const add = (n: number, kinds: readonly string[], over: Partial<StoredReport> = {}) =>
        store.addReport(report(n, { identifiers: named(kinds), knownKinds, weakKinds: ['ip'], ...over }), 0);
      const kindsOf = async () => (await store.findIdentifiers([id(99)])).map(({ kind }) => kind);
      const mine = (n: number) => Array.from({ length: 6 }, (_, at) => `kind${n}_${'abcdef'[at]}`);
      for (let n = 1; n <= 8; n++) {
        const stored = named([...mine(n).slice(0, 4), 'other', 'email']);
        expect(await add(n, [...mine(n), 'email'])).toEqual({ outcome: 'added', identifiers: stored });
      }
      const fresh = ['phone', 'new1_x', 'kind3_b', 'ip', 'other', 'new2_x', 'kind8_e'];
      const [, ...stored] = named(['', 'phone', 'other', 'kind3_b', 'ip']);
      expect(await add(99, fresh)).toEqual({ outcome: 'added', identifiers: stored });
      expect((await kindsOf()).sort()).toEqual(['ip', 'kind3_b', 'other', 'phone']);
      const found = await store.findMatches([hash(1)]);
      expect(new Set(found.map(({ kind }) => kind)).size).toBe(4 + 32);
      // Another hash has kinds of its own. A report of an older journal is stored as it is.
      const apart = [{ kind: 'new1_x', hash: hash(2) }];
      expect(await add(100, [], { identifiers: apart })).toEqual({ outcome: 'added' });
      expect(await add(101, ['new3_x'], { knownKinds: undefined })).toEqual({ outcome: 'added' });
      if (!reopen) return;
      const before = byHash(await store.findMatches([hash(1), hash(2)]));
      store = await reopen(store);
      expect(byHash(await store.findMatches([hash(1), hash(2)]))).toHaveLength(before!.length);
      expect(await store.findMatches([hash(1)])).toEqual(expect.arrayContaining(found));
    });

    it('reads in one call all that the answer to a query follows from', async () => {
      const link = { linkHash: hash(500), identifiers: [{ kind: 'email', hash: hash(1) }], createdAt: DAY };
      const protection = { hash: hash(2), addedAt: DAY, addedBy: 'Ada', reason: 'an own address', endsAt: null };
      for (const n of [1, 2, 3]) await store.addReport(report(n), 0);
      await store.openDispute({ reportId: id(1), openedAt: 5 * DAY, openedBy: 'Ada', reason: 'a reason' });
      for (const n of [2, 4]) await store.addProtection({ ...protection, hash: hash(n) });
      await store.putLink(link, 10);
      const hashes = [1, 2, 4].map(hash);
      const facts = {
        matches: await store.findMatches(hashes),
        protections: await store.findProtections(hashes),
        disputes: await store.findDisputes([id(1)]),
        linkIdentifiers: link.identifiers,
      };
      expect(facts.matches.map(({ reportId, disputed }) => [reportId, disputed])).toEqual([
        [id(1), true],
        [id(2), false],
      ]);
      expect([facts.disputes.length, facts.protections.length]).toEqual([1, 2]);
      // Twice: a store may remember the first answer.
      for (const _ of [1, 2]) {
        expect(await store.findFacts({ hashes, linkHash: hash(500) })).toEqual(facts);
        expect(await store.findFacts({ hashes })).toEqual({ ...facts, linkIdentifiers: [] });
        expect(await store.findFacts({ hashes, linkHash: hash(501) })).toEqual({ ...facts, linkIdentifiers: [] });
      }
      const nothing = { matches: [], protections: [], disputes: [], linkIdentifiers: [] };
      // With the key of the query, too. Nothing matches for an unknown key.
      await store.addKey(key(5));
      const found = { key: key(5), reporter: reporter(1) };
      const asked = { linkHash: hash(500), key: { digest: key(5).digest } };
      for (const _ of [1, 2]) {
        expect(await store.findFacts({ ...asked, hashes })).toEqual({ ...facts, key: found });
        expect(await store.findFacts({ ...asked, hashes: [hash(4)] })).toEqual({ ...nothing, key: found });
        expect(await store.findFacts({ ...asked, hashes, key: { digest: key(6).digest } })).toEqual(nothing);
      }
      expect(await store.findFacts({ hashes: [hash(4)], linkHash: hash(500) })).toEqual(nothing);
      expect(await store.findFacts({ hashes: [] })).toEqual(nothing);
    });

    it('says first that very many match, and then returns all of them', async () => {
      // Many kinds of one hash are as many matches as many reports, and are stored sooner.
      const kinds = Array.from({ length: 32 }, (_, n) => `kind${n}`);
      for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        const identifiers = [...kinds.map((kind) => ({ kind, hash: hash(1) })), { kind: 'email', hash: hash(2) }];
        await store.addReport(report(n, { identifiers, reporterId: id(1 + (n % 2)) }), 0);
      }
      await store.openDispute({ reportId: id(1), openedAt: 5 * DAY, openedBy: 'Ada', reason: 'a reason' });
      await store.addProtection({ hash: hash(2), addedAt: DAY, addedBy: 'Ada', reason: 'an own one', endsAt: null });
      const hashes = [hash(2), hash(1)];
      const protections = await store.findProtections(hashes);
      // With a reader, a replica may answer.
      for (const reader of [undefined, id(1), id(2)]) {
        const short = await store.findFacts({ hashes, reader, short: true });
        expect(short).toEqual({ matches: [], disputes: [], protections, linkIdentifiers: [], isCut: true });
        const all = await store.findFacts({ hashes, reader });
        expect(all.isCut).toBeUndefined();
        expect(all.protections).toEqual(protections);
        expect(all.disputes.map(({ reportId }) => reportId)).toEqual([id(1)]);
        expect(all.matches).toHaveLength(330);
        expect(new Set(all.matches.map((one) => `${one.hash} ${one.kind} ${one.reportId}`)).size).toBe(330);
        expect(all.matches.filter(({ disputed }) => disputed)).toHaveLength(33);
        const few = await store.findFacts({ hashes: [hash(2)], reader, short: true });
        expect([few.matches.length, few.isCut ?? false]).toEqual([10, false]);
      }
    });

    it('removes a report once, for its owner only', async () => {
      await store.addReport(report(1), 0);
      expect(await store.removeReport({ reportId: id(1), reporterId: id(2), removedAt: 5 })).toEqual({
        outcome: 'unknown',
      });
      expect(await store.removeReport({ reportId: id(9), reporterId: id(1), removedAt: 5 })).toEqual({
        outcome: 'unknown',
      });
      expect((await store.count()).reports).toBe(1);
      expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 })).toEqual({
        outcome: 'removed',
        createdAt: DAY,
        identifiers: report(1).identifiers,
      });
      expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 6 })).toEqual({
        outcome: 'already-removed',
      });
      expect(await store.removeReport({ reportId: id(1), reporterId: id(2), removedAt: 6 })).toEqual({
        outcome: 'unknown',
      });
      expect(await store.findReports([id(1)])).toEqual([]);
      expect(await store.findMatches([hash(1)])).toEqual([]);
      expect(await store.count()).toEqual({ reports: 0, removed: 1, identifiers: 0, links: 0, reporters: 2 });
      expect(await store.addReport(report(2, { fingerprint: report(1).fingerprint }), 0)).toEqual({ outcome: 'added' });
    });

    it('keeps a link, adds to it, and nothing twice', async () => {
      await reported(1, [1, 2]);
      await store.putLink({ linkHash: hash(100), identifiers: [{ kind: 'phone', hash: hash(2) }], createdAt: 1 }, 10);
      await store.putLink(
        {
          linkHash: hash(100),
          identifiers: [
            { kind: 'email', hash: hash(1) },
            { kind: 'phone', hash: hash(2) },
          ],
          createdAt: 2,
        },
        10,
      );
      await store.putLink({ linkHash: hash(100), identifiers: [{ kind: 'email', hash: hash(2) }], createdAt: 3 }, 10);
      expect(byHash(await store.findLink(hash(100)))).toEqual([
        { kind: 'email', hash: hash(1) },
        { kind: 'email', hash: hash(2) },
        { kind: 'phone', hash: hash(2) },
      ]);
      expect(await store.findLink(hash(101))).toBeUndefined();
      expect((await store.count()).links).toBe(1);
    });

    it.skipIf(reopen === null)('gives everything back when it is opened again', async () => {
      await store.addKey(key(5, { scope: 'query' }));
      await store.updateReporter({ reporterId: id(2), suspended: true, identifiersPerDay: 5 });
      const used = { keys: [{ keyId: id(5), dayAt: DAY }], days: [{ reporterId: id(1), dayAt: DAY, identifiers: 3 }] };
      await store.addUsage({ ...used, since: 0 });
      const spend = (cost: number) =>
        store.spend({ reporterId: id(1), budget: 600, cost, nowMs: 9 * DAY, storeMs: 9 * DAY });
      for (let n = 0; n < 550; n++) expect(await spend(1)).toBe(0);
      await store.addReport(report(1), 0);
      await store.addReport(report(2), 0);
      const linked = [{ kind: 'email', hash: hash(2), owner: id(7) }];
      await store.putLink({ linkHash: hash(100), identifiers: linked, createdAt: 1 }, 10);
      await store.openDispute({ reportId: id(2), openedAt: 3 * DAY, openedBy: 'Ada', reason: 'a reason' });
      await store.openDispute({ reportId: id(1), openedAt: 3 * DAY, openedBy: 'Ada', reason: 'a reason' });
      await store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 4 * DAY, decidedBy: 'Bob' });
      await store.addProtection({ hash: hash(7), reason: 'ours', addedBy: 'Ada', addedAt: 5, endsAt: null });
      await store.addProtection({ hash: hash(8), reason: 'ours', addedBy: 'Ada', addedAt: 5, endsAt: 50 });
      await store.endProtection({ hash: hash(7), endsAt: 9, endedBy: 'Bob' });
      await store.putTrust(trust);
      await store.adoptSecretFingerprint({ fingerprint: id(7), adoptedAt: 5 });
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      const before = await contentOf(store);
      store = await reopen!(store);
      expect(await contentOf(store)).toEqual(before);
      expect(await store.addUsage({ ...used, since: 0 })).toMatchObject([{ before: 3, identifiers: 6 }]);
      // What was taken ahead and not used does not count.
      expect(await spend(61)).toBeGreaterThan(0);
      expect(await spend(50)).toBe(0);
      // The link still has its owner.
      await store.putLink({ linkHash: hash(101), identifiers: linked, createdAt: 2 }, 1);
      expect(await store.findLink(hash(100))).toBeUndefined();
    });

    moderationContract(() => store, cases);
    trustContract(() => store, cases);
    pepperContract(() => store, cases);
    auditContract(() => store, reopen, cases);
    if (cases === 'basic') return;

    it('suspends a reporter and lets it in again', async () => {
      expect(await store.updateReporter({ reporterId: id(1), suspended: true })).toBe('updated');
      expect((await store.findReporters([id(1)]))[0]!.suspended).toBe(true);
      await store.updateReporter({ reporterId: id(1), suspended: false });
      expect((await store.findReporters([id(1)]))[0]!.suspended).toBe(false);
      expect(await store.updateReporter({ reporterId: id(9), suspended: true })).toBe('unknown');
    });

    it('lists the keys of one reporter, oldest first, or one key', async () => {
      for (const n of [7, 5]) await store.addKey(key(n, { createdAt: n }));
      await store.addKey(key(6, { createdAt: 1, reporterId: id(2) }));
      const keyIds = async (filter?: KeyFilter) => (await store.listKeys(filter)).map(({ keyId }) => keyId);
      expect(await keyIds()).toEqual([6, 5, 7].map(id));
      expect(await keyIds({})).toEqual([6, 5, 7].map(id));
      expect(await keyIds({ reporterId: id(1) })).toEqual([5, 7].map(id));
      expect(await keyIds({ reporterId: id(9) })).toEqual([]);
      expect(await keyIds({ keyId: id(6) })).toEqual([id(6)]);
      expect(await keyIds({ keyId: id(6), reporterId: id(2) })).toEqual([id(6)]);
      expect(await keyIds({ keyId: id(6), reporterId: id(1) })).toEqual([]);
      const { digest: _digest, ...listed } = key(6, { createdAt: 1, reporterId: id(2) });
      expect(await store.listKeys({ keyId: id(6) })).toEqual([listed]);
    });

    it('finds a reporter by its name, exactly as it is stored', async () => {
      await store.addReporter(reporter(3, { name: 'Ünïcode “shop”' }));
      expect(await store.findReporterNamed('Ünïcode “shop”')).toEqual(reporter(3, { name: 'Ünïcode “shop”' }));
      expect(await store.findReporterNamed('Shop 1')).toEqual(reporter(1));
      for (const name of ['shop 1', 'Shop', '']) expect(await store.findReporterNamed(name)).toBeUndefined();
    });

    it('adds no key to a reporter that has as many working ones as it may have', async () => {
      const { createdAt } = key(9);
      await store.addKey(key(5));
      await store.addKey(key(6, { endsAt: createdAt + 1 }));
      await store.addKey(key(7, { endsAt: createdAt }));
      expect(await store.addKey(key(9), undefined, undefined, 2)).toBe('too-many');
      expect(await store.addKey(key(9), undefined, undefined, 3)).toBe('added');
      // Ended keys of the last 24 hours count for the bound of a day.
      const next = key(8, { createdAt: createdAt + 10, endsAt: createdAt + 11 });
      expect(await store.addKey(next, undefined, undefined, 3, 4)).toBe('too-many');
      expect(await store.addKey(next, undefined, undefined, 3, 5)).toBe('added');
      const later = key(4, { createdAt: createdAt + 86_400_020 });
      expect(await store.addKey(later, undefined, undefined, 3, 1)).toBe('added');
    });

    it('ends a key, and never later than it ended already', async () => {
      await store.addKey(key(5));
      const endsAt = async () => (await store.listKeys())[0]!.endsAt;
      expect(await store.endKey({ keyId: id(5), endsAt: 2_000_000_000_000 })).toBe('ended');
      expect(await endsAt()).toBe(2_000_000_000_000);
      await store.endKey({ keyId: id(5), endsAt: 1_000 });
      expect(await endsAt()).toBe(1_000);
      await store.endKey({ keyId: id(5), endsAt: 5_000 });
      expect(await endsAt()).toBe(1_000);
      expect(await store.endKey({ keyId: id(6), endsAt: 1 })).toBe('unknown');
    });

    it('adds a key in the place of another one, once', async () => {
      await store.addKey(key(5));
      const replacing = (n: number, endsAt: number, old = 5) =>
        store.addKey(key(n), undefined, { keyId: id(old), endsAt });
      const { createdAt } = key(5);
      const ends = async () =>
        Object.fromEntries((await store.listKeys()).map(({ keyId, endsAt }) => [Number.parseInt(keyId, 16), endsAt]));
      expect(await replacing(6, createdAt + 50, 9)).toBe('unknown-key');
      expect(await ends()).toEqual({ 5: null });
      expect(await replacing(6, createdAt + 50)).toBe('added');
      expect((await store.findKey(key(5)))!.key.endsAt).toBe(createdAt + 50);
      // It has been replaced, or has ended.
      expect(await replacing(7, createdAt + 50)).toBe('unknown-key');
      await store.endKey({ keyId: id(6), endsAt: 0 });
      expect(await replacing(7, createdAt + 50, 6)).toBe('unknown-key');
      expect(await ends()).toEqual({ 5: createdAt + 50, 6: 0 });
      // What is refused for another reason ends nothing.
      await store.addKey(key(10));
      expect(await store.addKey(key(10), undefined, { keyId: id(10), endsAt: 0 })).toBe('taken');
      expect(await ends()).toMatchObject({ 10: null });
      // A key that is replaced ends before the end with which it was issued, and so is known as replaced.
      await store.addKey(key(11, { endsAt: createdAt + 90, issuedUntil: createdAt + 90 }));
      expect(await replacing(12, createdAt + 1_000, 11)).toBe('added');
      expect(await ends()).toMatchObject({ 11: createdAt + 89 });
      expect(await replacing(13, createdAt + 1_000, 11)).toBe('unknown-key');
    });

    it('finds all reports of a hash that very many have, each once', async () => {
      // Two reporters and kinds, and many rows of one moment: reading by pages must continue after the right row.
      const rows = Array.from({ length: 5_001 }, (_, n) => ({
        hash: hash(10),
        kind: n % 3 === 0 ? 'ip' : 'email',
        reporter_id: id(1 + (n % 2)),
        created_at: DAY + Math.floor(n / 7),
        report_id: id(n),
        position: 0,
        type: 'fraud',
        severity: 6,
        disputed: Number(n === 4_000),
        generation: 0,
      }));
      for (let from = 0; from < rows.length; from += 1_000)
        await store.putRows('identifier', rows.slice(from, from + 1_000));
      await store.addReport(
        report(6_000, {
          identifiers: [
            { kind: 'email', hash: hash(11) },
            { kind: 'email', hash: hash(12) },
          ],
        }),
        0,
      );
      const found = await store.findMatches([hash(11), hash(10), hash(12)]);
      expect([found[0]!.reportId, found.at(-1)!.hash]).toEqual([id(6_000), hash(12)]);
      const many = found.slice(1, -1).sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
      expect(many).toEqual(
        rows.map((row) => ({
          hash: hash(10),
          kind: row.kind,
          reportId: row.report_id,
          reporterId: row.reporter_id,
          type: 'fraud',
          severity: 6,
          createdAt: row.created_at,
          disputed: row.disputed === 1,
        })),
      );
    });

    it('finds the newest reports of a set, by any number of reporters and under any dispute', async () => {
      const rows = Array.from({ length: 300 }, (_, n) => ({
        hash: hash(n % 10 === 0 ? 11 : 10),
        kind: n % 3 === 0 ? 'ip' : 'email',
        reporter_id: id(1 + (n % 7 === 0 ? 1 : 0)),
        // Another order than that of the ids.
        created_at: DAY + ((n * 101) % 300),
        report_id: id(n),
        position: 0,
        type: 'fraud',
        severity: 6,
        disputed: 0,
        generation: 0,
      }));
      // The same report once more, under another hash.
      await store.putRows('identifier', [...rows, { ...rows[1]!, hash: hash(11), position: 1 }]);
      for (let n = 0; n < 300; n += 4) {
        const { reporter_id, created_at } = rows[n]!;
        await store.putRows('report', [reportRow(n, { reporter_id, created_at })]);
        await store.openDispute({ reportId: id(n), openedAt: DAY + n, openedBy: 'Ada', reason: 'why' });
        if (n % 8 === 0)
          await store.decideDispute({
            reportId: id(n),
            upheld: n % 24 !== 0,
            decidedAt: DAY + n + 20,
            decidedBy: 'Ada',
          });
      }
      const matches = await store.findMatches([hash(10), hash(11)]);
      const disputes = await store.findDisputes(rows.map((row) => row.report_id));
      const identifiers = [
        { kind: 'email', hash: hash(10) },
        { kind: 'ip', hash: hash(11) },
      ];
      for (const exactKinds of [false, true])
        for (const limit of [1, 5, 40, 1_000]) {
          const wanted = matches.filter(
            ({ kind, hash: of, reportId }) =>
              (!exactKinds || identifiers.some((one) => one.kind === kind && one.hash === of)) &&
              disputeStateAt(
                disputes.filter((dispute) => dispute.reportId === reportId),
                Infinity,
              ) !== 'upheld',
          );
          const once = [...new Map(wanted.map((match) => [match.reportId, match])).values()];
          const sorted = once.sort((a, b) => b.createdAt - a.createdAt);
          const nth = (one: (typeof sorted)[number]): number =>
            sorted.filter(({ reporterId, createdAt }) => reporterId === one.reporterId && createdAt >= one.createdAt)
              .length;
          const reportIds = [...sorted].sort((a, b) => nth(a) - nth(b)).map(({ reportId }) => reportId);
          expect(await store.findNewest({ identifiers, exactKinds, limit })).toEqual(reportIds.slice(0, limit));
        }
      const nothing = { identifiers: [{ kind: 'email', hash: hash(12) }], exactKinds: false, limit: 5 };
      expect(await store.findNewest(nothing)).toEqual([]);
      expect(await store.findNewest({ ...nothing, identifiers: [] })).toEqual([]);
    });

    it('keeps text of any script and length', async () => {
      const text = '日本語 “quoted” \n\t 👩‍💻 ' + 'é'.repeat(1900);
      await store.addReport(report(1, { text }), 0);
      expect((await store.findReports([id(1)]))[0]!.text).toBe(text);
    });

    it('lists reports newest first, ties by id, unknown ones left out', async () => {
      await store.addReport(report(1), 0);
      await store.addReport(report(3, { createdAt: 2 * DAY, reporterId: id(2) }), 0);
      await store.addReport(report(2, { createdAt: 2 * DAY }), 0);
      const found = await store.findReports([id(1), id(9), id(3), id(2)]);
      expect(found.map((r) => r.reportId)).toEqual([id(2), id(3), id(1)]);
      expect(found[1]).toEqual({
        reportId: id(3),
        type: 'fraud',
        severity: 6,
        text: 'text 3',
        createdAt: 2 * DAY,
        reporter: 'Shop 2',
      });
    });

    it('answers the same request with the first report, until it is old', async () => {
      await store.addReport(report(1), 0);
      const again = report(2, { fingerprint: report(1).fingerprint, createdAt: 2 * DAY });
      expect(await store.addReport(again, DAY - 1)).toEqual({ outcome: 'same', reportId: id(1), nonce: id(1001) });
      expect((await store.count()).reports).toBe(1);
      expect(await store.addReport(again, DAY)).toEqual({ outcome: 'added' });
      expect(await store.addReport(report(3, { fingerprint: report(1).fingerprint }), 0)).toEqual({
        outcome: 'same',
        reportId: id(2),
        nonce: id(1002),
      });
    });

    it('never stores two reports under one id, not even after a removal', async () => {
      await store.addReport(report(1), 0);
      const rival = report(1, { fingerprint: report(2).fingerprint, identifiers: [{ kind: 'ip', hash: hash(77) }] });
      expect(await store.addReport(rival, 0)).toEqual({ outcome: 'taken' });
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      expect(await store.addReport(rival, 0)).toEqual({ outcome: 'taken' });
      expect(await store.findMatches([hash(77)])).toEqual([]);
    });

    it('finds a link by its first 16 digits, unless another one begins with the same', async () => {
      await reported(1, [1, 2]);
      const [first, code] = ['0123456789abcdef'.padEnd(40, '7'), '0123456789abcdef'];
      const link = (linkHash: string) => {
        const identifiers = [1, 2].map((n) => ({ kind: 'email', hash: hash(n) }));
        return store.putLink({ linkHash, identifiers, createdAt: 1 }, 10);
      };
      // The neighbours of the range.
      for (const other of [`0123456789abcdee${'f'.repeat(24)}`, `0123456789abcdf0${'0'.repeat(24)}`]) await link(other);
      expect(await store.findLinkHash(code)).toBeUndefined();
      await link(first);
      expect(await store.findLinkHash(code)).toBe(first);
      for (const end of ['0', 'f']) expect(await store.findLinkHash(end.repeat(16))).toBeUndefined();
      await link(code.padEnd(40, 'f'));
      expect(await store.findLinkHash(code)).toBeUndefined();
      expect(await store.findLink(first)).toHaveLength(2);
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      expect(await store.findLinkHash(code)).toBeUndefined();
    });

    it('lets the oldest link of a hash give way, whole, and no other', async () => {
      await reported(1, [1, 2, 10, 11, 12, 13, 14]);
      for (let n = 0; n < 5; n++)
        await store.putLink(
          {
            linkHash: hash(100 + n),
            identifiers: [
              { kind: 'ip', hash: hash(1), owner: id(7) },
              { kind: 'email', hash: hash(10 + n), owner: id(7) },
            ],
            createdAt: n,
          },
          3,
        );
      await store.putLink(
        { linkHash: hash(200), identifiers: [{ kind: 'email', hash: hash(2), owner: id(7) }], createdAt: 0 },
        3,
      );
      for (const n of [0, 1]) expect(await store.findLink(hash(100 + n))).toBeUndefined();
      for (const n of [2, 3, 4]) expect(await store.findLink(hash(100 + n))).toHaveLength(2);
      expect(await store.findLink(hash(200))).toHaveLength(1);
      // The oldest of all, asked again with another kind, is not what gives way to itself.
      await store.putLink(
        {
          linkHash: hash(102),
          identifiers: [
            { kind: 'ip', hash: hash(1), owner: id(7) },
            { kind: 'phone', hash: hash(1), owner: id(7) },
          ],
          createdAt: 9,
        },
        3,
      );
      expect(await store.findLink(hash(102))).toHaveLength(3);
      for (const n of [3, 4]) expect(await store.findLink(hash(100 + n))).toHaveLength(2);
    });

    it('lets one link give way for two hashes that it shares', async () => {
      await reported(1, [1, 2]);
      for (let n = 0; n < 5; n++)
        await store.putLink(
          {
            linkHash: hash(100 + n),
            identifiers: [
              { kind: 'ip', hash: hash(1), owner: id(7) },
              { kind: 'email', hash: hash(2), owner: id(7) },
            ],
            createdAt: n,
          },
          3,
        );
      for (const n of [0, 1]) expect(await store.findLink(hash(100 + n))).toBeUndefined();
      for (const n of [2, 3, 4]) expect(await store.findLink(hash(100 + n))).toHaveLength(2);
    });

    it('evicts only links of the same owner, each owner by its own bound', async () => {
      await reported(1, [1, 2]);
      const put = (n: number, owner: number, hashes: readonly number[], most: number) =>
        store.putLink(
          {
            linkHash: hash(100 * owner + n),
            identifiers: hashes.map((of) => ({ kind: 'email', hash: hash(of), owner: id(owner) })),
            createdAt: n,
          },
          most,
        );
      // The first owner has the oldest link of all.
      await put(0, 1, [1, 2], 2);
      for (let n = 1; n < 6; n++) await put(n, 2, [1, 2], 2);
      for (const n of [1, 2, 3]) expect(await store.findLink(hash(200 + n))).toBeUndefined();
      for (const n of [4, 5]) expect(await store.findLink(hash(200 + n))).toHaveLength(2);
      expect(await store.findLink(hash(100))).toHaveLength(2);
      // Under a smaller bound too, and for one of two hashes.
      await put(6, 2, [1], 1);
      for (const n of [4, 5]) expect(await store.findLink(hash(200 + n))).toBeUndefined();
      expect(await store.findLink(hash(206))).toHaveLength(1);
      expect(await store.findLink(hash(100))).toHaveLength(2);
      expect((await store.count()).links).toBe(2);
      expect(await store.check()).toEqual([]);
    });

    it('puts nothing into a link that nobody reports', async () => {
      await reported(1, [1]);
      await reported(2, [2]);
      await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 5 });
      const asked = [1, 2, 3].map((n) => ({ kind: 'email', hash: hash(n) }));
      await store.putLink({ linkHash: hash(100), identifiers: asked, createdAt: 6 }, 10);
      expect(await store.findLink(hash(100))).toEqual(asked.slice(0, 1));
      await store.putLink({ linkHash: hash(101), identifiers: asked.slice(1), createdAt: 6 }, 10);
      expect(await store.findLink(hash(101))).toBeUndefined();
    });

    it('takes out of every link what nobody reports any more', async () => {
      await store.addReport(report(1), 0);
      await store.addReport(report(2), 0);
      const both = [
        { kind: 'email', hash: hash(1) },
        { kind: 'email', hash: hash(2) },
      ];
      await store.putLink({ linkHash: hash(100), identifiers: both, createdAt: 1 }, 10);
      await store.putLink({ linkHash: hash(101), identifiers: both.slice(0, 1), createdAt: 1 }, 10);
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      expect(await store.findLink(hash(101))).toBeUndefined();
      expect(await store.findLink(hash(100))).toEqual(both.slice(1));
      await store.removeReport({ reportId: id(2), reporterId: id(1), removedAt: 5 });
      expect(await store.findLink(hash(100))).toBeUndefined();
      expect((await store.count()).links).toBe(0);
    });

    it('keeps in a link what somebody else still reports', async () => {
      await store.addReport(report(1), 0);
      await store.addReport(report(3, { reporterId: id(2), identifiers: report(1).identifiers }), 0);
      await store.putLink({ linkHash: hash(100), identifiers: report(1).identifiers, createdAt: 1 }, 10);
      await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      expect(await store.findLink(hash(100))).toEqual(report(1).identifiers);
    });

    it('does concurrent writes one after the other', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) => store.addReport(report(n + 1, { fingerprint: report(1).fingerprint }), 0)),
      );
      expect(outcomes.filter((o) => o.outcome === 'added')).toHaveLength(1);
      expect((await store.count()).reports).toBe(1);
    });

    reporterContract(() => store);
    disputeRequestContract(() => store, open);
    personCaseContract(() => store);
    sealContract(() => store);
    transferContract(() => store, open);
    usageContract(() => store);
    webhookContract(() => store);
    signInContract(() => store);

    it('can be closed twice and then answers nothing', async () => {
      await store.close();
      await store.close();
      await expect(store.listKeys()).rejects.toMatchObject({ name: 'StoreUnavailableError' });
      await expect(store.addReport(report(1), 0)).rejects.toMatchObject({ name: 'StoreUnavailableError' });
    });
  });
}

async function contentOf(store: Store): Promise<unknown> {
  return {
    reporters: await store.listReporters(),
    keys: await store.listKeys(),
    count: await store.count(),
    key: await store.findKey(key(5)),
    matches: await store.findMatches([hash(1), hash(2)]),
    reports: await store.findReports([id(1), id(2)]),
    link: await store.findLink(hash(100)),
    disputes: await store.listDisputes(),
    protections: await store.listProtections(),
    trust: await store.findTrust(),
    identifiers: await store.readIdentifiers(undefined, 100),
    removed: await store.countRemovedAfter(0),
    secret: await store.findSecretFingerprint(),
  };
}
