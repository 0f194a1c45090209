import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isSoundEntry } from '../../src/core/domain/audit.ts';
import { CLAIM_RULES } from '../../src/core/store/sql/catalogue.ts';
import { lockNumber } from '../../src/stores/postgres/run.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, key, report, reporter, trust } from '../contract/stored.ts';
import { eventually } from '../eventually.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';

const programs = findPostgres();

// What several processes do to one database at once: here several stores, each with connections of its own.
describe.skipIf(!programs)('several stores on one PostgreSQL', () => {
  let server: PostgresServer;
  let pools: pg.Pool[];
  let stores: Store[];
  const made = { schemas: 0 };
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pools = [1, 2, 3].map(() => new pg.Pool({ ...server.connection, max: 8 }));
  });
  beforeEach(async () => {
    made.schemas++;
    stores = await Promise.all(pools.map((pool) => createPostgresStore({ pool, schema: `schema_${made.schemas}` })));
    await stores[0]!.addReporter(reporter(1));
    await stores[0]!.addReporter(reporter(2));
  });
  afterAll(async () => {
    await Promise.all((pools ?? []).map((pool) => pool.end()));
    await server?.remove();
  });

  /** Does something `count` times at once, by each store in turn. */
  const together = <T>(count: number, act: (store: Store, n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => act(stores[n % stores.length]!, n)));
  const times = (answers: readonly unknown[], answer: unknown): number =>
    answers.filter((one) => one === answer).length;

  it('store one of fifty equal reports, and answer all with that one', async () => {
    const added = await together(50, (store, n) =>
      store.addReport(report(n + 1, { fingerprint: report(1).fingerprint }), 0),
    );
    expect(added.filter(({ outcome }) => outcome === 'added')).toHaveLength(1);
    const winner = id(added.findIndex(({ outcome }) => outcome === 'added') + 1);
    expect(new Set(added.flatMap((answer) => (answer.outcome === 'same' ? [answer.reportId] : [])))).toEqual(
      new Set([winner]),
    );
    expect(await stores[0]!.count()).toMatchObject({ reports: 1, identifiers: 1 });
  });

  it('append to one audit log, in one order', async () => {
    const added = await together(60, (store, n) => store.addReporter(reporter(n + 3), { actor: `Ada ${n}`, atMs: n }));
    expect(times(added, 'added')).toBe(60);
    const entries = (await stores[1]!.listAudit({ after: 0, limit: 100 })).filter(isSoundEntry);
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    expect(new Set(entries.map(({ reporterId }) => reporterId)).size).toBe(60);
    expect(await stores[2]!.verifyAudit(entries.at(-1)!.digest)).toEqual({
      entries: 60,
      head: entries.at(-1)!.digest,
      firstBad: null,
      hasHead: true,
    });
  });

  it('record a use of an ended key once a day', async () => {
    const use = { actor: 'engine', action: 'ended-key-used', reporterId: id(1), subject: id(5), amount: null } as const;
    const added = await together(30, (store, n) => store.addAuditEntry({ ...use, atMs: 100 + n }, 100));
    expect(times(added, 'added')).toBe(1);
    expect(await stores[0]!.addAuditEntry({ ...use, atMs: 300 }, 200)).toBe('added');
  });

  it('start one session with a link', async () => {
    const digest = (n: number): string => n.toString(16).padStart(64, '0');
    const link = { kind: 'link', reporterId: null, name: 'Ada', createdAt: 1, endsAt: 100, digest: digest(0) } as const;
    await stores[0]!.addSignIn(link);
    const note = { actor: 'Ada', atMs: 2 };
    const started = await together(20, (store, n) =>
      store.startSession(
        { linkDigest: link.digest, session: { ...link, kind: 'session', digest: digest(n + 1) }, atMs: 2 },
        note,
      ),
    );
    expect(times(started, 'started')).toBe(1);
    expect(await stores[1]!.findSignIn(digest(started.indexOf('started') + 1))).toMatchObject({ kind: 'session' });
    expect((await stores[0]!.listAudit({ after: 0, limit: 100 })).length).toBe(1);
    const form = { ...link, kind: 'form', digest: digest(99) } as const;
    expect(times(await together(20, (store) => store.addSignIn(form)), 'added')).toBe(1);
  });

  it('give an id to one report only', async () => {
    const outcomes = (
      await together(20, (store, n) => store.addReport(report(1, { fingerprint: report(n + 1).fingerprint }), 0))
    ).map(({ outcome }) => outcome);
    expect([times(outcomes, 'added'), times(outcomes, 'taken')]).toEqual([1, 19]);
  });

  it('lose no count of identifiers, and no last use or end of a key', async () => {
    for (const n of [5, 6]) await stores[0]!.addKey(key(n));
    const answers = await together(60, async (store, n) => {
      if (n % 10 === 9) await store.endKey({ keyId: id(5), endsAt: 1000 - n });
      // In both orders, which would deadlock if locks were taken as they come.
      const owners = n % 2 ? [1, 2] : [2, 1];
      return store.addUsage({
        keys: owners.map((owner) => ({ keyId: id(4 + owner), dayAt: n })),
        days: owners.map((owner) => ({ reporterId: id(owner), dayAt: 7, identifiers: owner })),
        since: 0,
      });
    });
    for (const owner of [1, 2]) {
      const of = answers.flat().filter(({ reporterId }) => reporterId === id(owner));
      const counts = of.map(({ before, identifiers }) => [before / owner, identifiers / owner]);
      expect(counts.sort(([a = 0], [b = 0]) => a - b)).toEqual(Array.from({ length: 60 }, (_, n) => [n, n + 1]));
    }
    const ends = (await stores[1]!.listKeys()).map(({ endsAt, lastUsedAt }) => [endsAt, lastUsedAt]);
    expect(ends).toEqual([
      [941, 59],
      [null, 59],
    ]);
    expect(await stores[2]!.check()).toEqual([]);
  });

  it('remove a report once', async () => {
    await stores[0]!.addReport(report(1), 0);
    const outcomes = (
      await together(20, (store) => store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }))
    ).map(({ outcome }) => outcome);
    expect([times(outcomes, 'removed'), times(outcomes, 'already-removed')]).toEqual([1, 19]);
  });

  it('keep no request about a report that was deleted or is disputed, and as many as are allowed', async () => {
    for (const n of [1, 2, 3]) await stores[0]!.addReport(report(n), 0);
    const answers = await together(60, async (store, n) => {
      if (n === 29) await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 });
      if (n === 30) await store.openDispute({ reportId: id(2), openedAt: 5, openedBy: 'Ada', reason: 'r' });
      // In both orders, which would deadlock if locks were taken as they come.
      const reportIds = (n % 2 ? [1, 2, 3] : [3, 2, 1]).map(id);
      const request = { requestId: id(500 + n), requestedAt: n, reason: `reason ${n}`, most: 20, reportIds };
      return store.addDisputeRequest(request, { actor: 'engine', atMs: n });
    });
    const left = await stores[1]!.findDisputeRequests({ limit: 100 });
    expect(left.map(({ reportId }) => reportId)).toEqual(Array.from({ length: 20 }, () => id(3)));
    expect(answers.filter((answer) => answer !== 0).length).toBeGreaterThanOrEqual(20);
    const refusals = await together(20, (store) => store.removeDisputeRequests({ requestId: left[0]!.requestId }));
    expect([times(refusals, 1), times(refusals, 0)]).toEqual([1, 19]);
    expect(await stores[2]!.check()).toEqual([]);
  });

  it('erase, delete and answer the cases of the same reports', async () => {
    const numbers = Array.from({ length: 12 }, (_, n) => n + 1);
    // A deletion and an erasure lock the hash that two reports share.
    const identifiersOf = (n: number) => [n, 100 + (n % 6)].map((one) => ({ kind: 'email', hash: hash(one) }));
    for (const n of numbers) await stores[0]!.addReport(report(n, { createdAt: n, identifiers: identifiersOf(n) }), 0);
    const answer = { text: 'answer', atMs: 60, most: 9, endedBefore: 0 };
    await together(12, (store, n) =>
      store.addDisputeRequest({
        requestId: id(500 + n),
        requestedAt: n,
        reason: `reason ${n}`,
        most: 9,
        reportIds: [n + 1, ((n + 1) % 12) + 1].map(id),
        numbered: { caseId: id(900 + n), endedBefore: 0, follows: true },
      }),
    );
    const acts: ((store: Store, n: number) => Promise<unknown>)[] = [
      (store, n) => store.removeReport({ reportId: id(n + 1), reporterId: id(1), removedAt: 99, keepsClaim: true }),
      (store, n) => store.addCaseMessage({ ...answer, caseIds: [id(900 + n)], fromOperator: false }),
      (store, n) => store.removeDisputeRequests({ requestId: id(500 + n), answer, claimRules: 4 }),
      (store, n) => store.erase({ hashes: [hash(n + 1)], erasedAt: 99, claimRules: 4 }),
    ];
    await together(48, (store, n) => acts[n % 4]!(store, n >> 2));
    expect(await stores[0]!.check()).toEqual([]);
    const snapshot = await stores[0]!.snapshot();
    for (const table of ['identifier', 'claim', 'person_case', 'case_message'])
      expect(await snapshot.readRows(table, undefined, 9), table).toEqual([]);
    await snapshot.close();
  });

  it('leave no link to what nobody reports any more', async () => {
    // Two reports share each hash: whichever removal is the last one has to erase it.
    for (let n = 1; n <= 20; n++) {
      await stores[0]!.addReport(
        report(n, {
          identifiers: [
            { kind: 'email', hash: hash(n) },
            { kind: 'ip', hash: hash(99) },
          ],
        }),
        0,
      );
      await stores[0]!.addReport(
        report(100 + n, {
          identifiers: [
            { kind: 'ip', hash: hash(99) },
            { kind: 'email', hash: hash(n) },
          ],
        }),
        0,
      );
    }
    await together(100, async (store, at) => {
      const n = (at % 20) + 1;
      if (at < 20) return store.removeReport({ reportId: id(n), reporterId: id(1), removedAt: 5 });
      if (at < 40) return store.removeReport({ reportId: id(100 + n), reporterId: id(1), removedAt: 5 });
      return store.putLink(
        {
          linkHash: hash(1000 + at),
          identifiers: [
            { kind: 'email', hash: hash(n) },
            { kind: 'ip', hash: hash(99) },
          ],
          createdAt: 1,
        },
        1000,
      );
    });
    expect(await stores[0]!.count()).toMatchObject({ reports: 0, identifiers: 0, links: 0 });
  });

  it('leave none either when a rotation moves what a removal has read and not yet held', async () => {
    await stores[0]!.addReport(report(1), 0);
    await stores[0]!.putLink({ linkHash: hash(50), identifiers: [{ kind: 'email', hash: hash(1) }], createdAt: 1 }, 5);
    const admin = await pools[0]!.connect();
    const waiting = (count: number) =>
      eventually(async () =>
        expect((await admin.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rowCount).toBe(
          count,
        ),
      );
    // Both want the lock that is held here, and get it in the order in which they came.
    await admin.query(`SELECT pg_advisory_lock(${lockNumber(`schema_${made.schemas}`, `hash/${hash(1)}`)})`);
    const running: Promise<unknown>[] = [];
    try {
      running.push(stores[1]!.rehash([{ from: hash(1), to: hash(2) }], 1));
      await waiting(1);
      running.push(stores[2]!.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }));
      await waiting(2);
    } finally {
      await admin.query('SELECT pg_advisory_unlock_all()');
      admin.release();
    }
    const [moved, removed] = await Promise.all(running);
    expect(moved).toBe(1);
    expect(removed).toMatchObject({ outcome: 'removed', identifiers: [{ hash: hash(2) }] });
    expect(await stores[0]!.count()).toMatchObject({ reports: 0, identifiers: 0, links: 0 });
  });

  it('hold no more links of one hash than they may', async () => {
    await stores[0]!.addReport(
      report(1, {
        identifiers: [
          { kind: 'email', hash: hash(1) },
          { kind: 'ip', hash: hash(2) },
        ],
      }),
      0,
    );
    // In both orders, which would wait for each other if locks were taken as they come.
    const both = [
      { kind: 'email', hash: hash(1), owner: id(11) },
      { kind: 'ip', hash: hash(2), owner: id(12) },
    ];
    await together(60, (store, n) =>
      store.putLink({ linkHash: hash(100 + n), identifiers: n % 2 ? both : [...both].reverse(), createdAt: n }, 5),
    );
    expect((await stores[0]!.count()).links).toBe(5);
    await together(60, (store) => store.putLink({ linkHash: hash(500), identifiers: both, createdAt: 500 }, 5));
    expect((await stores[0]!.count()).links).toBe(5);
    expect(await stores[0]!.findLink(hash(500))).toHaveLength(2);
  });

  it('open one dispute, decide it once, and keep no reason of a removed report', async () => {
    for (let n = 1; n <= 10; n++) await stores[0]!.addReport(report(n), 0);
    const open = (store: Store, n: number) =>
      store.openDispute({ reportId: id(n), openedAt: 10, openedBy: 'Ada', reason: 'a reason' });
    expect(times(await together(12, (store) => open(store, 1)), 'opened')).toBe(1);
    expect(
      times(
        await together(12, (store) =>
          store.decideDispute({ reportId: id(1), upheld: true, decidedAt: 20, decidedBy: 'Bob' }),
        ),
        'decided',
      ),
    ).toBe(1);
    await together(18, (store, at): Promise<unknown> =>
      at % 2
        ? open(store, 2 + (at >> 1))
        : store.removeReport({ reportId: id(2 + (at >> 1)), reporterId: id(1), removedAt: 5 }),
    );
    expect(
      (await stores[0]!.listDisputes())
        .map(({ reportId, reason }) => [reportId === id(1), reason])
        .filter(([first, reason]) => !first && reason !== ''),
    ).toEqual([]);
  });

  it('add a reporter, a key and a protection once, and let the earliest end of a key hold', async () => {
    expect(
      times(await together(12, (store, n) => store.addReporter(reporter(10 + n, { name: 'One name' }))), 'added'),
    ).toBe(1);
    expect(
      times(await together(12, (store, n) => store.addReporter(reporter(50, { name: `Name ${n}` }))), 'added'),
    ).toBe(1);
    expect(times(await together(12, (store, n) => store.addKey(key(1, { digest: key(n + 1).digest }))), 'added')).toBe(
      1,
    );
    expect(
      times(await together(12, (store, n) => store.addKey(key(10 + n, { digest: key(50).digest }))), 'added'),
    ).toBe(1);
    await together(12, (store, n) => store.endKey({ keyId: id(1), endsAt: 100 + ((n * 5) % 12) }));
    expect((await stores[0]!.listKeys()).find(({ keyId }) => keyId === id(1))!.endsAt).toBe(100);
    const protection = { hash: hash(1), reason: 'ours', addedBy: 'Ada', addedAt: 5, endsAt: null };
    expect(times(await together(12, (store, n) => store.addProtection({ ...protection, addedAt: n })), 'added')).toBe(
      1,
    );
    expect(
      times(await together(12, (store) => store.endProtection({ hash: hash(1), endsAt: 50, endedBy: 'Bob' })), 'ended'),
    ).toBe(1);
  });

  it('replace a key once, and never after it was revoked', async () => {
    for (const n of [1, 2, 3, 4]) await stores[0]!.addKey(key(n));
    const replace = (store: Store, old: number, n: number) =>
      store.addKey(key(n), undefined, { keyId: id(old), endsAt: key(old).createdAt + 1_000 });
    const answers = await together(24, (store, n) => replace(store, 1, 10 + n));
    expect([times(answers, 'added'), times(answers, 'unknown-key')]).toEqual([1, 23]);
    for (const old of [2, 3, 4]) {
      const [revoked, ...replaced] = await together(12, (store, n): Promise<unknown> =>
        n === 0
          ? store.endKey({ keyId: id(old), endsAt: 0 }).then(async () => replace(stores[1]!, old, 90 + old))
          : replace(store, old, 100 * old + n),
      );
      // At most one replacement came before the end, and none after it.
      expect(revoked).toBe('unknown-key');
      expect(times(replaced, 'added')).toBeLessThanOrEqual(1);
      expect((await stores[2]!.listKeys()).find(({ keyId }) => keyId === id(old))!.endsAt).toBe(0);
    }
  });

  it('find a report wrong that is stored while its claim is decided', async () => {
    const of = (n: number) =>
      report(n, { identifiers: [{ kind: 'email', hash: hash(1) }], weakKinds: ['ip'], knownKinds: ['email'] });
    await stores[0]!.addReport(of(1), 0);
    const note = { actor: 'Ada', atMs: 200 };
    await stores[0]!.openDispute({ reportId: id(1), openedAt: 100, openedBy: 'Ada', reason: 'x' }, note);
    // The last statement of the decision waits for this client, after its search.
    const client = await pools[0]!.connect();
    await client.query(`BEGIN; SELECT 1 FROM schema_${made.schemas}.dispute FOR UPDATE`);
    const decided = stores[1]!.decideDispute(
      {
        reportId: id(1),
        upheld: true,
        decidedAt: 200,
        decidedBy: 'Ada',
        weakKinds: ['ip'],
        claimRules: CLAIM_RULES,
        alike: true,
      },
      note,
    );
    const waiting = async () =>
      (await server.ask(`SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock'`))[0];
    await expect.poll(waiting).toBe(1);
    const state = { isStored: false };
    const added = stores[2]!.addReport(of(2), 0).finally(() => (state.isStored = true));
    await expect.poll(async () => state.isStored || (await waiting()) === 2).toBe(true);
    await client.query('ROLLBACK');
    client.release();
    expect(await decided).toBe('decided');
    expect(await added).toMatchObject({ outcome: 'added', repeats: true });
    expect(await stores[0]!.findDisputes([id(2)])).toMatchObject([{ upheld: true }]);
  });

  it('find hashes that another process still stores under an older pepper', async () => {
    const pool = pools[0]!;
    const mover = await createPostgresStore({ pool, schema: `schema_${made.schemas}`, timeoutMs: 1_500 });
    await mover.addPepper({ generation: 1, fingerprint: id(1), addedAt: 0 });
    const client = await pool.connect();
    await client.query(`BEGIN; LOCK TABLE schema_${made.schemas}.report IN SHARE ROW EXCLUSIVE MODE`);
    const added = stores[1]!.addReport(report(1), 0);
    const old = mover.readOldHashes({ generation: 1, after: '', limit: 9 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await client.query('ROLLBACK');
    client.release();
    await added;
    expect(await old).toEqual([{ hash: hash(1), generation: 0 }]);
    // Once: the next look waits no more.
    await mover.rehash([{ from: hash(1), to: hash(2) }], 1);
    const startedMs = performance.now();
    expect(await mover.readOldHashes({ generation: 1, after: '', limit: 9 })).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(1_500);
  });

  it('never show the records of one epoch under the sums of another', async () => {
    const learnt = (n: number) => ({
      ...trust,
      epochAt: n,
      records: Array.from({ length: n }, (_, at) => ({ ...trust.records[0]!, reporterId: id(at + 1) })),
    });
    await stores[0]!.putTrust(learnt(1));
    await together(60, async (store, n) => {
      if (n % 3 === 0) return store.putTrust(learnt(1 + (n % 40)));
      const found = await store.findTrust();
      return expect(found!.records).toHaveLength(found!.epochAt);
    });
  });
});
