import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { createSqljsStore } from '../../src/core/store/sqljs/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { hashOf, START } from './setup.ts';
import { createMemoryStore } from '../memory-store.ts';

const programs = findPostgres();
const DAY_SECONDS = 86_400;

/** Engines on one store, like processes, with small limits on one clock. */
function begin(stores: Store | readonly Store[], nowMs = START) {
  const clock = { nowMs };
  const read = { matches: 0 };
  const disk = { isFull: false };
  const engines = [stores].flat().map((store) =>
    createEngine({
      store: {
        ...store,
        async findFacts(asked) {
          const facts = await store.findFacts(asked);
          read.matches += facts.matches.length;
          return facts;
        },
        async addReport(...args) {
          if (disk.isFull) throw new StoreUnavailableError('the disk is full');
          return store.addReport(...args);
        },
      },
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      monotonic: () => clock.nowMs,
      limits: { query: { requests: 100_000, windowSeconds: 60 }, report: { requests: 2, windowSeconds: 60 } },
      budgets: { identifiers: { verified: 6_400, new: 64 } },
    }),
  );
  const [engine] = engines as [Engine];
  const newKey = async (name: string, verified = true) => {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified }));
    return unwrap(await engine.issueKey({ reporterId }));
  };
  const identifiersOf = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind: 'email', hash: hashOf(n) }));
  /** Asks about identifiers, one in each query, until a query is refused. Returns how many were answered. */
  const askOn = async (by: Engine, apiKey: string, most = 10_000): Promise<number> => {
    for (let count = 0; count < most; count++) {
      const outcome = await by.query({ apiKey, identifiers: identifiersOf(1) });
      if (outcome.ok) continue;
      expect(outcome.refusal).toMatchObject({ reason: 'limited', limit: { name: 'identifiers' } });
      return count;
    }
    return most;
  };
  return { engine, engines, clock, read, disk, newKey, identifiersOf, askOn };
}

/** What holds on each store. With several engines, each next request is on another one. */
const laws: Record<string, (open: () => Promise<Store[]>) => Promise<void>> = {
  async 'a budget holds at the next request, of every key of the reporter, and of no other'(open) {
    const { engine, engines, newKey, identifiersOf, askOn } = begin(await open());
    const there = engines.at(-1)!;
    const shop = await newKey('Own budget');
    const other = await newKey('Other shop');
    const { apiKey: second } = unwrap(await engine.issueKey({ reporterId: shop.reporterId }));
    // Both processes know the keys, and hold a part of the budget if they share a store.
    for (const by of engines) for (const { apiKey } of [shop, other]) expect(await askOn(by, apiKey, 30)).toBe(30);
    const used = 30 * engines.length;
    const setBudget = async (identifiersPerDay: number | null) =>
      unwrap(await engine.setBudget({ reporterId: shop.reporterId, identifiersPerDay }));
    await setBudget(used + 5);
    // What the other process has taken ahead, 1/60 of the budget at most, counts with its next request.
    const answered = (await askOn(there, shop.apiKey)) + (await askOn(engine, second));
    expect(answered).toBeGreaterThanOrEqual(5);
    expect(answered).toBeLessThanOrEqual(engines.length === 1 ? 5 : 5 + 6_400 / 60);
    for (const by of engines) {
      const refused = await by.query({ apiKey: shop.apiKey, identifiers: identifiersOf(1) });
      expect(refused).toMatchObject({
        refusal: { limit: { requests: used + 5, windowSeconds: DAY_SECONDS }, retryAfterSeconds: expect.any(Number) },
      });
    }
    expect(await askOn(there, other.apiKey, 100)).toBe(100);

    // More, again at once. What was used in the last 24 hours counts against every budget.
    const total = used + answered;
    await setBudget(total + 50);
    expect(await askOn(there, shop.apiKey)).toBe(50);
    await setBudget(total);
    expect(await askOn(there, shop.apiKey)).toBe(0);
    await setBudget(null);
    expect(await askOn(there, shop.apiKey, 100)).toBe(100);
  },

  async 'a budget is free again after 24 hours, and replaces that of a new reporter too'(open) {
    const { engine, engines, clock, newKey, identifiersOf, askOn } = begin(await open());
    const there = engines.at(-1)!;
    const { apiKey, reporterId } = await newKey('New shop', false);
    expect(await askOn(there, apiKey, 24)).toBe(24);
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 24 }));
    clock.nowMs += 6 * 3600_000;
    expect(await there.query({ apiKey, identifiers: identifiersOf(1) })).toMatchObject({
      refusal: { limit: { name: 'identifiers', requests: 24 }, retryAfterSeconds: 18 * 3600 },
    });
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: null }));
    expect(await askOn(engine, apiKey)).toBe(40);
    clock.nowMs += 18 * 3600_000;
    // The first 24 do not count any more.
    expect(await askOn(there, apiKey)).toBe(24);
    clock.nowMs += 6 * 3600_000;
    expect((await there.query({ apiKey, identifiers: identifiersOf(32) })).ok).toBe(true);
    // A report takes from what is left.
    const report = { type: 'fraud', severity: 6, identifiers: identifiersOf(1) };
    expect((await engine.report({ apiKey, ...report, text: 'a text' })).ok).toBe(true);
  },

  async 'reports spend the budget of queries, and only those that are stored'(open) {
    const { engine, engines, clock, disk, newKey, identifiersOf, askOn } = begin(await open());
    const there = engines.at(-1)!;
    const { apiKey, reporterId } = await newKey('New shop', false);
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 10 }));
    const tell = (by: Engine, count: number, text: string) => {
      // The limit of a minute counts each of them.
      clock.nowMs += 60_000;
      return by.report({ apiKey, type: 'fraud', severity: 6, text, identifiers: identifiersOf(count) });
    };
    const first = unwrap(await tell(there, 4, 'the first'));
    expect(unwrap(await tell(there, 4, 'the first'))).toEqual({ ...first, duplicate: true });
    expect(await tell(there, 2, '')).toMatchObject({ refusal: { reason: 'invalid-text' } });
    expect(await tell(there, 2, 'write to anna@shop.example')).toMatchObject({ refusal: { reason: 'personal-data' } });
    expect(await tell(there, 33, 'too many')).toMatchObject({ refusal: { reason: 'too-many-identifiers' } });
    disk.isFull = true;
    await expect(tell(there, 4, 'on a full disk')).rejects.toThrow(StoreUnavailableError);
    disk.isFull = false;
    // Each kind of a hash is stored, and counts. Another key of the reporter has the same budget.
    const twice = [...identifiersOf(1), { kind: 'phone', hash: hashOf(0) }];
    const { apiKey: second } = unwrap(await engine.issueKey({ reporterId }));
    const draft = { type: 'fraud', severity: 6, identifiers: twice };
    const { deletionCode } = unwrap(await there.report({ apiKey: second, ...draft, text: 'two kinds' }));
    expect(await askOn(there, apiKey, 1)).toBe(1);
    const refused = {
      ok: false,
      refusal: {
        reason: 'limited',
        limit: { name: 'identifiers', requests: 10, windowSeconds: DAY_SECONDS },
        retryAfterSeconds: expect.any(Number),
      },
    };
    for (const by of engines) expect(await tell(by, 4, 'one too many')).toEqual(refused);
    unwrap(await tell(there, 3, 'the last'));
    expect(await askOn(there, apiKey)).toBe(0);
    expect(await tell(engine, 1, 'nothing is left')).toEqual(refused);
    // A deletion costs nothing, and frees nothing.
    unwrap(await there.remove({ apiKey, deletionCode }));
    unwrap(await engine.remove({ apiKey, deletionCode: first.deletionCode }));
    expect(await askOn(there, apiKey)).toBe(0);
    expect(await there.checkKey({ apiKey, action: 'delete' })).toMatchObject({ ok: true });
    clock.nowMs += DAY_SECONDS * 1000;
    expect(await askOn(there, apiKey)).toBe(10);
  },

  async 'a request that the budget refuses costs its tokens of the minute'(open) {
    const { engine, engines, clock, newKey, identifiersOf } = begin(await open());
    const there = engines.at(-1)!;
    const { apiKey, reporterId } = await newKey('New shop', false);
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 1 }));
    unwrap(await there.query({ apiKey, identifiers: identifiersOf(1) }));
    clock.nowMs += 60_000;
    const tell = (text: string) =>
      there.report({ apiKey, type: 'fraud', severity: 6, text, identifiers: identifiersOf(2) });
    for (const text of ['one', 'two'])
      expect(await tell(text)).toMatchObject({ refusal: { limit: { name: 'identifiers' } } });
    expect(await tell('three')).toMatchObject({ refusal: { limit: { name: 'report' } } });
  },

  async 'a key for one kind of action is refused for others, which costs it nothing'(open) {
    const { engine, engines, read, newKey, identifiersOf, askOn } = begin(await open());
    const there = engines.at(-1)!;
    const shop = await newKey('Scoped shop');
    const { reporterId } = shop;
    const issue = async (scope: 'query' | 'report') => unwrap(await engine.issueKey({ reporterId, scope })).apiKey;
    const [asking, telling] = [await issue('query'), await issue('report')];
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 4 }));
    const report = { type: 'fraud', severity: 6, identifiers: identifiersOf(1) };
    const { deletionCode } = unwrap(await engine.report({ apiKey: telling, ...report, text: 'a text' }));
    const refused = { ok: false, refusal: { reason: 'key-scope' } };
    for (let n = 0; n < 5; n++) {
      expect(await there.query({ apiKey: telling, identifiers: identifiersOf(3) })).toEqual(refused);
      expect(await there.query({ apiKey: telling, identifiers: [] })).toEqual(refused);
      expect(await there.checkKey({ apiKey: telling, action: 'query' })).toEqual(refused);
      expect(await there.report({ apiKey: asking, ...report, text: `text ${n}` })).toEqual(refused);
      // Neither a right nor a wrong code shows.
      for (const code of [deletionCode, '0'.repeat(16), 'no code'])
        expect(await there.remove({ apiKey: asking, deletionCode: code })).toEqual(refused);
      for (const action of ['report', 'delete'] as const)
        expect(await there.checkKey({ apiKey: asking, action })).toEqual(refused);
    }
    if (engines.length > 1) expect(read.matches).toBe(0);
    // Beside the report, all tokens are left: three identifiers, and one of two reports.
    expect(await askOn(there, asking, 2)).toBe(2);
    expect((await there.report({ apiKey: telling, ...report, text: 'another' })).ok).toBe(true);
    expect(await askOn(there, asking)).toBe(0);
    expect(await there.report({ apiKey: telling, ...report, text: 'one more' })).toMatchObject({
      refusal: { reason: 'limited' },
    });
    expect((await there.remove({ apiKey: telling, deletionCode })).ok).toBe(true);
    // An ended or suspended key is told so first.
    unwrap(await engine.suspendReporter({ reporterId, suspended: true }));
    const ask = () => there.query({ apiKey: telling, identifiers: identifiersOf(1) });
    expect(await ask()).toMatchObject({ refusal: { reason: 'suspended-key' } });
    for (const { keyId } of await engine.listKeys()) unwrap(await engine.revokeKey({ keyId }));
    expect(await ask()).toMatchObject({ refusal: { reason: 'revoked-key' } });
  },
};

describe('budgets and scopes in one process', () => {
  it('a restart fills no budget, whatever the clock says meanwhile', async () => {
    let store = await createMemoryStore();
    const first = begin(store);
    let { engine, clock, askOn } = first;
    const { apiKey, reporterId } = await first.newKey('Shop');
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 200 }));
    let answered = 0;
    for (let restart = 0; restart < 12; restart++) {
      answered += await askOn(engine, apiKey, 40);
      const { nowMs } = clock;
      // As after `kill -9`: nothing is closed.
      store = await createSqljsStore({ bytes: store.export() });
      ({ engine, clock, askOn } = begin(store, nowMs - (restart % 3) * 3600_000));
    }
    expect(answered).toBeGreaterThanOrEqual(200);
    expect(answered).toBeLessThanOrEqual(210);
    // A clock that is set back before a start lengthens the wait by as much.
    clock.nowMs += DAY_SECONDS * 1000 + 2 * 3600_000;
    expect(await askOn(engine, apiKey)).toBe(200);
  });

  it('any 24 hours have the identifiers of the answered queries and of the stored reports, and of nothing else', async () => {
    const budget = 24;
    const step = fc.record({
      does: fc.constantFrom('query', 'report', 'report', 'report', 'wrong', 'delete'),
      count: fc.integer({ min: 1, max: 9 }),
      text: fc.nat(3),
      minutes: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 400 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50, size: 'max' }), async (steps) => {
        const { engine, clock, newKey, identifiersOf } = begin(await createMemoryStore());
        const { apiKey, reporterId } = await newKey('Shop');
        unwrap(await engine.setBudget({ reporterId, identifiersPerDay: budget }));
        const spent: { readonly at: number; readonly count: number }[] = [];
        const live = new Map<string, { readonly at: number; readonly deletionCode: string }>();
        for (const { does, count, text, minutes } of steps) {
          clock.nowMs += minutes * 60_000;
          const at = clock.nowMs;
          const used = spent.reduce((sum, one) => sum + (one.at > at - DAY_SECONDS * 1000 ? one.count : 0), 0);
          const isWithin = used + count <= budget;
          const identifiers = identifiersOf(count);
          const draft = {
            apiKey,
            type: 'fraud',
            severity: does === 'wrong' ? 70 : 7,
            text: `Text ${text}`,
            identifiers,
          };
          const name = `${count} ${text}`;
          const known = live.get(name);
          if (does === 'delete') {
            if (known) unwrap(await engine.remove({ apiKey, deletionCode: known.deletionCode }));
            live.delete(name);
          } else if (does === 'query') {
            expect((await engine.query({ apiKey, identifiers })).ok).toBe(isWithin);
            if (isWithin) spent.push({ at, count });
          } else {
            const outcome = await engine.report(draft);
            if (does === 'wrong' || !isWithin) {
              const reason = isWithin ? 'invalid-severity' : 'limited';
              expect(outcome).toMatchObject({ ok: false, refusal: { reason } });
            } else {
              const isRetry = known !== undefined && known.at > at - DAY_SECONDS * 1000;
              const { deletionCode, duplicate } = unwrap(outcome);
              expect(duplicate).toBe(isRetry);
              if (!isRetry) {
                spent.push({ at, count });
                live.set(name, { at, deletionCode });
              }
            }
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  it('a clock that is set while the process runs changes no budget', async () => {
    const time = { clockMs: START, nowMs: 0 };
    const engine = createEngine({
      store: await createMemoryStore(),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => time.clockMs,
      monotonic: () => time.nowMs,
      budgets: { identifiers: { verified: 20 } },
    });
    const { reporterId } = unwrap(await engine.createReporter({ name: 'Shop' }));
    const { apiKey } = unwrap(await engine.issueKey({ reporterId }));
    const ask = async () => (await engine.query({ apiKey, identifiers: [{ kind: 'email', hash: hashOf(1) }] })).ok;
    for (let n = 0; n < 20; n++) expect(await ask()).toBe(true);
    for (const days of [1, 400, -400]) {
      time.clockMs = START + days * DAY_SECONDS * 1000;
      expect(await ask()).toBe(false);
    }
    time.nowMs += DAY_SECONDS * 1000;
    expect(await ask()).toBe(true);
  });

  it.each(Object.keys(laws))('%s', (law) => laws[law]!(async () => [await createMemoryStore()]));

  it('a budget is from 1 to one billion, of a reporter that exists', async () => {
    const { engine, newKey } = begin(await createMemoryStore());
    const { reporterId } = await newKey('Shop');
    for (const identifiersPerDay of [0, 1.5, -1, 1_000_000_001, Number.NaN])
      await expect(engine.setBudget({ reporterId, identifiersPerDay })).rejects.toThrow(RangeError);
    for (const identifiersPerDay of ['5', undefined])
      await expect(engine.setBudget({ reporterId, identifiersPerDay: identifiersPerDay as never })).rejects.toThrow(
        TypeError,
      );
    for (const other of ['f'.repeat(16), `${reporterId}0`, 'Shop'])
      expect(await engine.setBudget({ reporterId: other, identifiersPerDay: 5 })).toEqual({
        ok: false,
        refusal: { reason: 'unknown-reporter' },
      });
    expect((await engine.listReporters()).map((one) => one.identifiersPerDay)).toEqual([null]);
    unwrap(await engine.setBudget({ reporterId, identifiersPerDay: 1_000_000_000 }));
    expect((await engine.listStandings())[0]).toMatchObject({ identifiersPerDay: 1_000_000_000 });
  });
});

describe.skipIf(!programs)('budgets, scopes and usage in two processes on PostgreSQL', () => {
  let server: PostgresServer;
  let pools: pg.Pool[];
  let schemas = 0;
  const open = (): Promise<Store[]> => {
    const schema = `budgets_${schemas++}`;
    return Promise.all(pools.map((pool) => createPostgresStore({ pool, schema })));
  };
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pools = [1, 2].map(() => new pg.Pool({ ...server.connection, max: 5 }));
  });
  afterAll(async () => {
    await Promise.all((pools ?? []).map((pool) => pool.end()));
    await server?.remove();
  });

  it.each(Object.keys(laws))('%s', (law) => laws[law]!(open));

  it('one of two processes tells of unusual usage, from the sum of both', async () => {
    const clock = { nowMs: START };
    const told: string[] = [];
    const [here, there] = (await open()).map((store, n) =>
      createEngine({
        store,
        secret: 'a secret of more than sixteen bytes',
        publicUrl: 'https://reports.example',
        clock: () => clock.nowMs,
        limits: { query: { requests: 1e6, windowSeconds: 60 } },
        bounds: { identifiers: 1_000 },
        onNotice: (notice) => told.push(`${n} ${JSON.stringify(notice)}`),
      }),
    ) as [Engine, Engine];
    const { reporterId } = unwrap(await here.createReporter({ name: 'Shop' }));
    const { apiKey } = unwrap(await here.issueKey({ reporterId }));
    const identifiers = Array.from({ length: 400 }, (_, n) => ({ kind: 'email', hash: hashOf(n) }));
    const ask = (by: Engine, count: number) => by.query({ apiKey, identifiers: identifiers.slice(0, count) });
    for (let day = 0; day < 7; day++) {
      for (const by of [here, there]) unwrap(await ask(by, 5));
      clock.nowMs += 24 * 3600_000;
    }
    for (const by of [here, there]) for (let n = 0; n < 2; n++) unwrap(await ask(by, 400));
    expect(told).toEqual([]);
    await Promise.all([here.listKeys(), there.listKeys()]);
    const notice = { event: 'unusual-usage', reporterId, identifiers: 1_600, usual: 10 };
    expect(told.map((one) => one.slice(2))).toEqual([JSON.stringify(notice)]);
    expect((await there.listKeys())[0]!.lastUsedAt).toBe(clock.nowMs);
  });
});
