import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap, type Store } from '../../src/index.ts';
import type { Lease } from '../../src/store.ts';
import { runWork } from '../../src/stores/postgres/run.ts';
import { createBuckets } from '../../src/stores/postgres/shared.ts';
import { createStatements } from '../../src/stores/postgres/statements.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { budget } from '../budget.ts';
import { hash, id, key, report, reporter } from '../contract/stored.ts';
import { createSharedBuckets } from '../engine/shared-buckets.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';

const programs = findPostgres();
const SECRET = 'a secret of more than sixteen bytes';
const PEPPERS = ['the first pepper, long enough'];
const hashOf = (n: number): string => (n + 1).toString(16).padStart(4, '0').repeat(10);

describe.skipIf(programs === undefined)('what processes over one PostgreSQL share', () => {
  let server: PostgresServer;
  let connection: PostgresServer['connection'];
  const made = { databases: 0 };
  const pools: pg.Pool[] = [];
  const open = async (max = 5): Promise<Store> => {
    const pool = new pg.Pool({ ...connection, max });
    pools.push(pool);
    return createPostgresStore({ pool });
  };

  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end().catch(() => undefined)));
    await server.remove();
  });
  beforeEach(async () => {
    connection = await server.createDatabase(`shared_${made.databases++}`);
  });

  it('a bucket: no more tokens than it has, whoever takes them; it fills evenly', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    const limit = { bucket: 'ab'.repeat(16), requests: 10, windowMs: 60_000, cost: 1, tokens: 1 };
    const now = 1_700_000_000_000;
    const takeAt = (store: number, nowMs: number, over: Partial<typeof limit> = {}) =>
      stores[store]!.shared!.takeTokens({ nowMs, ...limit, ...over });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => takeAt(n % 3, now)));
    const waits = answers.map(({ waitMs }) => waitMs);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(new Set(waits)).toEqual(new Set([0, 6_000]));
    expect(answers.map(({ left }) => left).sort((a, b) => b - a)).toEqual(
      Array.from({ length: 60 }, (_, n) => Math.max(0, 9 - n)),
    );
    const take = async (nowMs: number, over: object = {}) => (await takeAt(0, nowMs, over)).waitMs;
    expect(await take(now + 5_999)).toBe(1);
    expect(await take(now + 6_000)).toBe(0);
    expect(await take(now + 6_000)).toBe(6_000);
    // A clock that is behind takes nothing away, and fills nothing.
    expect(await take(now)).toBe(6_000);
    expect(await take(now, { bucket: 'cd'.repeat(16) })).toBe(0);
    // However long it was left alone it holds no more than its size.
    const later = await Promise.all(Array.from({ length: 12 }, () => take(now + 86_400_000)));
    expect(later.filter((wait) => wait === 0)).toHaveLength(10);
    // Several tokens at once; the cost if there are fewer.
    const several = (tokens: number, cost = 1) => takeAt(1, now + 2 * 86_400_000, { tokens, cost });
    expect(await several(7)).toEqual({ taken: 7, waitMs: 0, left: 3 });
    expect(await several(4)).toEqual({ taken: 1, waitMs: 0, left: 2 });
    expect(await several(3, 3)).toEqual({ taken: 0, waitMs: 6_000, left: 2 });
    expect(await several(3, 2)).toEqual({ taken: 2, waitMs: 0, left: 0 });
    expect(await several(2)).toEqual({ taken: 0, waitMs: 6_000, left: 0 });
    // The server's clock was a day ahead when the bucket was emptied, and is set back: it refills from now.
    const other = { bucket: 'ef'.repeat(16) };
    expect(await take(now + 86_400_000, { ...other, cost: 10, tokens: 10 })).toBe(0);
    expect(await take(now, other)).toBe(6_000);
    expect(await take(now + 6_000, other)).toBe(0);
    expect(await take(now + 6_000, other)).toBe(6_000);
    // More than it can ever hold needs a full bucket.
    expect(await takeAt(2, now + 3 * 86_400_000, { cost: 15, tokens: 15 })).toEqual({ taken: 15, waitMs: 0, left: -5 });
    expect(await takeAt(2, now + 3 * 86_400_000)).toEqual({ taken: 0, waitMs: 36_000, left: -5 });
  });

  it('buckets: the same tokens as in the model with which the laws of limits are tested', async () => {
    const store = await open();
    const model = createSharedBuckets();
    const used = { names: 0 };
    const asking = fc.record({
      gap: fc.oneof(fc.constant(0), fc.nat(90_000)),
      name: fc.nat(2),
      cost: fc.integer({ min: 1, max: 12 }),
      more: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 20 }), async (steps) => {
        const run = (used.names++).toString(16).padStart(14, '0');
        let nowMs = 1_700_000_000_000;
        for (const { gap, name, cost, more } of steps) {
          nowMs += gap;
          const asked = {
            nowMs,
            bucket: `0${name}${run}`,
            requests: [8, 20, 300][name]!,
            windowMs: [60_000, 60_000, 3_600_000][name]!,
            cost,
            tokens: cost + more,
          };
          const [{ taken, left, waitMs }, expected] = [await store.shared!.takeTokens(asked), await model(asked)];
          expect(taken).toBe(expected.taken);
          expect(left).toBeCloseTo(expected.left, 6);
          expect(Math.abs(waitMs - (taken > 0 ? 0 : expected.waitMs))).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: budget(8) },
    );
  });

  it('buckets follow the clock of the server, not that of a process', async () => {
    const limits = { query: { requests: 3, windowSeconds: 600 } };
    const engineOn = async (skewMs: number) =>
      createEngine({
        store: await open(),
        secret: SECRET,
        publicUrl: 'https://reports.example',
        clock: () => Date.now() + skewMs,
        limits,
      });
    const [ahead, behind] = [await engineOn(600_000), await engineOn(0)];
    const { reporterId } = unwrap(await behind.createReporter({ name: 'A' }));
    const { apiKey } = unwrap(await behind.issueKey({ reporterId }));
    const query = async (engine: Engine) =>
      (await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(1) }] })).ok;
    const answers = [];
    for (const engine of [ahead, behind, ahead, behind, ahead, behind, ahead]) answers.push(await query(engine));
    expect(answers).toEqual([true, true, true, false, false, false, false]);
    const client = new pg.Client(connection);
    await client.connect();
    const { rows } = await client.query(
      'SELECT max(abs(at - extract(epoch FROM clock_timestamp()) * 1000)) < 300000 AS close FROM redflag.rate_bucket',
    );
    await client.end();
    expect(rows).toEqual([{ close: true }]);
  });

  // Anyone who has many addresses makes as many buckets. All old ones were deleted at once: of six million, the server
  // could not delete any within the time limit, so it kept all of them.
  it('buckets that nobody uses are deleted in parts, after an hour or after their window if it is longer', async () => {
    await open();
    const pool = new pg.Pool({ ...connection, max: 1 }).on('error', () => undefined);
    pools.push(pool);
    const client = await pool.connect();
    const settings = { schema: 'redflag', statements: createStatements('redflag'), timeoutMs: 10_000 };
    const buckets = createBuckets((start) => runWork(client, settings, start), 1);
    const fill = (from: number, to: number, minutes: number) =>
      client.query(
        `INSERT INTO redflag.rate_bucket SELECT decode(md5(n::text), 'hex') || CASE WHEN n % 2 = 0 THEN '' ELSE
          '\\x0123456789abcdef'::bytea END, 1, extract(epoch FROM clock_timestamp())::bigint * 1000 - $3 * 60000, true
          FROM generate_series($1::int, $2::int) n`,
        [from, to, minutes],
      );
    const count = async () => Number((await client.query('SELECT count(*) FROM redflag.rate_bucket')).rows[0].count);
    const take = (windowMs = 60_000) =>
      buckets.takeTokens({ nowMs: undefined, bucket: 'ab'.repeat(16), requests: 1e6, windowMs, cost: 1, tokens: 1 });
    await fill(1, 10_000, 61);
    await fill(10_001, 10_100, 55);
    const left = [await count()];
    for (let n = 0; n < 256; n++) {
      await take();
      left.push(await count());
    }
    expect(left.at(-1)).toBe(101);
    expect(Math.max(...left.slice(1).map((now, at) => left[at]! - now))).toBeLessThan(100);
    await fill(20_001, 20_100, 120);
    for (let n = 0; n < 256; n++) await take(3 * 3_600_000);
    expect(await count()).toBe(201);
    client.release();
  });

  it('the connections: strangers leave some to keys that work', async () => {
    const used = { now: 0, most: 0 };
    const pool = new pg.Pool({ ...connection, max: 10 });
    pools.push(pool);
    const counting = {
      on: pool.on.bind(pool) as never,
      listeners: pool.listeners.bind(pool),
      async connect() {
        used.most = Math.max(used.most, ++used.now);
        const client = await pool.connect();
        const { release } = client;
        client.release = (error) => {
          used.now--;
          client.release = release;
          release.call(client, error);
        };
        return client;
      },
    };
    const store = await createPostgresStore({ pool: counting });
    await store.addReporter(reporter(1));
    await store.addKey(key(5));
    const tokens = (n: number) => {
      const bucket = n.toString(16).padStart(32, '0');
      return { nowMs: 1_700_000_000_000, bucket, requests: 10, windowMs: 60_000, cost: 1, tokens: 1 };
    };
    const find = (digest: string) => store.findKey({ digest, atMs: 5, tokens: tokens(0) });
    expect(await find(key(5).digest)).toMatchObject({ tokens: { taken: 1 } });
    used.most = 0;
    const ended: string[] = [];
    const guesses = Array.from({ length: 60 }, (_, n) => [
      store.shared!.takeTokens(tokens(n + 1)),
      find(hash(n + 1_000).padEnd(64, '0')),
      store.findSignIn(hash(n + 3_000).padEnd(64, '0')),
      store.findFacts({ hashes: [hash(1)], key: { digest: hash(n + 2_000).padEnd(64, '0'), atMs: 5 } }),
    ]).flat();
    const flood = Promise.all(guesses).then(() => ended.push('flood'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(used.most).toBe(3);
    await find(key(5).digest).then(() => ended.push('key'));
    await flood;
    expect(used.most).toBe(4);
    expect(await find(key(6).digest)).toBeUndefined();
    await store.endKey({ keyId: id(5), endsAt: 0 });
    expect(await find(key(5).digest)).toMatchObject({ key: { endsAt: 0 } });
    expect(ended).toEqual(['key', 'flood']);
  });

  it('a bucket of a key: a read takes its token too, and finds nothing without one', async () => {
    const store = await open();
    const startMs = 1_700_000_000_000;
    const bucket = { bucket: 'ab'.repeat(16), requests: 2, windowMs: 60_000, cost: 1, tokens: 1 };
    const tokensAt = (nowMs: number) => ({ nowMs, ...bucket });
    for (const n of [1, 2]) await store.addReporter(reporter(n));
    await store.addKey(key(5));
    await store.addReport(report(1), 0);
    await store.openDispute({ reportId: id(1), openedAt: 5, openedBy: 'Ada', reason: 'a reason' });
    const { digest } = key(5);
    const ask = (atMs = startMs) =>
      store.findFacts({ hashes: [hash(1)], key: { digest, atMs, tokens: tokensAt(atMs) } });
    const find = (n = 5) => store.findKey({ digest: key(n).digest, atMs: startMs, tokens: tokensAt(startMs) });
    const known = { key: key(5), reporter: reporter(1) };
    expect(await ask()).toMatchObject({
      matches: [{ reportId: id(1) }],
      disputes: [{ reportId: id(1) }],
      key: { ...known, tokens: { taken: 1, waitMs: 0, left: 1 } },
    });
    expect(await find()).toEqual({ ...known, tokens: { taken: 1, waitMs: 0, left: 0 } });
    const nothing = { matches: [], protections: [], disputes: [], linkIdentifiers: [] };
    const refused = { ...known, tokens: { taken: 0, waitMs: 30_000, left: 0 } };
    expect(await ask()).toEqual({ ...nothing, key: refused });
    expect(await find()).toEqual(refused);
    // Another key of the same reporter has the same bucket.
    await store.addKey(key(7));
    expect((await find(7))?.tokens).toEqual(refused.tokens);
    // A key that is unknown, ended or suspended takes no token, and reads nothing.
    const later = startMs + 30_000;
    const unknown = { digest: key(6).digest, atMs: later, tokens: tokensAt(later) };
    expect(await store.findFacts({ hashes: [hash(1)], key: unknown })).toEqual(nothing);
    await store.updateReporter({ reporterId: id(1), suspended: true });
    expect((await ask(later)).matches).toEqual([]);
    await store.updateReporter({ reporterId: id(1), suspended: false });
    await store.endKey({ keyId: id(5), endsAt: later + 1 });
    expect((await ask(later + 1)).matches).toEqual([]);
    expect((await ask(later)).matches).toHaveLength(1);
    expect((await ask(later)).matches).toEqual([]);
  });

  it('a lease: one has it at a time, also when its holder is cut off', async () => {
    const [first, second] = await Promise.all([open(), open()]);
    const held = (await first!.shared!.lease('trust'))!;
    expect(await second!.shared!.lease('trust')).toBeUndefined();
    expect(await first!.shared!.lease('trust')).toBeUndefined();
    expect(await held.isHeld()).toBe(true);
    const other = await second!.shared!.lease('other');
    expect(other).toBeDefined();
    await held.release();
    expect(await held.isHeld()).toBe(false);
    const again = (await second!.shared!.lease('trust'))!;
    expect(await again.isHeld()).toBe(true);
    expect(await held.isHeld()).toBe(false);
    // The process dies, as far as the server can tell.
    const client = new pg.Client(connection);
    await client.connect();
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    for (const lost of [again, other!]) expect(await lost.isHeld()).toBe(false);
    const regained: { lease?: Lease | undefined } = {};
    await expect
      .poll(async () => (regained.lease = await first!.shared!.lease('trust').catch(() => undefined)))
      .toBeDefined();
    expect(await regained.lease!.isHeld()).toBe(true);
    expect(await again.isHeld()).toBe(false);
    await regained.lease!.release();
    await again.release();
    await other!.release();
  });

  it('engines say the same, hold their limits together, collapse what is sent to several of them, and count exactly', async () => {
    const clock = { nowMs: Date.UTC(2026, 0, 1) };
    const engineOn = async (): Promise<Engine> =>
      createEngine({
        store: await open(),
        secret: SECRET,
        peppers: PEPPERS,
        publicUrl: 'https://reports.example',
        clock: () => clock.nowMs,
        monotonic: () => clock.nowMs,
        limits: { report: { requests: 40, windowSeconds: 60 } },
      });
    const engines = await Promise.all([engineOn(), engineOn(), engineOn()]);
    const keys = await Promise.all(
      ['A', 'B', 'C'].map(async (name, n) => {
        const { reporterId } = unwrap(await engines[n]!.createReporter({ name, verified: n < 2 }));
        return unwrap(await engines[n]!.issueKey({ reporterId })).apiKey;
      }),
    );
    const draft = (person: number, text: string) => ({
      type: 'fraud',
      severity: 5,
      text,
      identifiers: [
        { kind: 'email', hash: hashOf(person) },
        { kind: 'phone', hash: hashOf(person + 100) },
      ],
    });
    // Each report is sent to all three at once.
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        Promise.all(engines.map((engine) => engine.report({ apiKey: keys[n % 3]!, ...draft(n % 4, `report ${n}`) }))),
      ),
    );
    for (const answers of sent) {
      const receipts = answers.map((answer) => unwrap(answer));
      expect(new Set(receipts.map(({ deletionCode }) => deletionCode)).size).toBe(1);
      expect(receipts.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    }
    const limited = await Promise.all(
      Array.from({ length: 40 }, (_, n) => engines[n % 3]!.report({ apiKey: keys[0]!, ...draft(9, 'again') })),
    );
    // 12 of the 40 were taken by the four reports that each of the three had.
    expect(limited.filter(({ ok }) => ok)).toHaveLength(28);
    clock.nowMs += 60_000;
    const codes = sent.map(([first]) => unwrap(first!).deletionCode);
    const removed = await Promise.all(
      [0, 3, 4].flatMap((n) =>
        engines.map((engine) => engine.remove({ apiKey: keys[n % 3]!, deletionCode: codes[n]! })),
      ),
    );
    expect(removed.filter(({ ok }) => ok)).toHaveLength(3);
    clock.nowMs += 2_000;
    const told = await Promise.all(
      engines.map(async (engine) => ({
        standings: (await engine.listStandings()).map(({ name, claims, preceded, precision }) => [
          name,
          claims,
          preceded,
          precision,
        ]),
        answers: await Promise.all(
          [0, 1, 2, 3, 9].map(async (person) => {
            const { points, reported, reliability, link } = unwrap(
              await engine.query({ apiKey: keys[1]!, identifiers: draft(person, '').identifiers }),
            );
            return { points, reported, reliability, link };
          }),
        ),
      })),
    );
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    // Persons 0 to 3 had three reports each. Two of person 0 (0, 4) and one of person 3 (3) were removed; the report
    // that was refused so often exists once.
    expect(told[0]!.answers.map(({ reported }) => reported)).toEqual([1, 3, 3, 2, 1]);
    await Promise.all(engines.map((engine) => engine.close()));
  });
});
