import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { createSeededRandom, unwrap, type Identifier } from '../../src/index.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { DAY, HOUR } from './history.ts';
import { createTestEngine, hashOf, START } from './setup.ts';
import { createSharing, draft as shared, standings } from './sharing.ts';
import { createMemoryStore } from '../memory-store.ts';

const programs = findPostgres();
const MINUTE = 60_000;
const about = (n: number): Identifier[] => [{ kind: 'email', hash: hashOf(n) }];
const draft = (n: number, text = `about ${n}`) => ({ type: 'fraud', severity: 6, text, identifiers: about(n) });
const records = async (engine: Engine) =>
  (await engine.listStandings()).map(({ name, claims, preceded, lost }) => [name, claims, preceded, lost]);

describe.skipIf(!programs).each([
  ['ahead', 10 * MINUTE],
  ['behind', -10 * MINUTE],
])('a process on PostgreSQL whose clock is ten minutes %s', (name, aheadMs) => {
  let server: PostgresServer;
  const pools: pg.Pool[] = [];
  const clock = { nowMs: START + 12 * HOUR };
  let here: Engine;
  let skewed: Engine;
  let keys: { apiKey: string; keyId: string; reporterId: string }[];
  const engineOn = async (offsetMs: number): Promise<Engine> => {
    const pool = new pg.Pool({ ...server.connection, max: 4 });
    pools.push(pool);
    return createEngine({
      store: await createPostgresStore({ pool }),
      secret: 'a secret of more than sixteen bytes',
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs + offsetMs,
      random: createSeededRandom(`${name} ${offsetMs}`),
    });
  };
  const reported = async (engine: Engine, n: number): Promise<number> =>
    unwrap(await engine.query({ apiKey: keys[0]!.apiKey, identifiers: about(n) })).reported;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    [here, skewed] = [await engineOn(0), await engineOn(aheadMs)];
    keys = [];
    for (const shop of ['First Shop', 'Second Shop']) {
      const { reporterId } = unwrap(await here.createReporter({ name: shop }));
      keys.push(unwrap(await here.issueKey({ reporterId })));
    }
    await here.listStandings();
    await skewed.listStandings();
  });
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    await server?.remove();
  });

  it('finds what the others acknowledged, and they find what it acknowledged, in the next query and view', async () => {
    unwrap(await here.report({ apiKey: keys[0]!.apiKey, ...draft(1) }));
    unwrap(await skewed.report({ apiKey: keys[0]!.apiKey, ...draft(2) }));
    for (const engine of [here, skewed]) {
      expect(await reported(engine, 1)).toBe(1);
      expect(await reported(engine, 2)).toBe(1);
      const { link } = unwrap(await engine.query({ apiKey: keys[0]!.apiKey, identifiers: about(2) }));
      expect(unwrap(await here.view({ linkHash: link.slice(-40) }))).toHaveLength(1);
      expect(unwrap(await skewed.view({ linkHash: link.slice(-40) }))).toHaveLength(1);
    }
  });

  it('answers a retry of a report with the first receipt', async () => {
    const request = { apiKey: keys[0]!.apiKey, ...draft(3) };
    const first = unwrap(await here.report(request));
    expect(unwrap(await skewed.report(request))).toEqual({ ...first, duplicate: true });
    expect(await reported(skewed, 3)).toBe(1);
  });

  it('has the same standings within eleven seconds', async () => {
    for (const [at, engine] of [here, skewed, here, skewed].entries()) {
      clock.nowMs += 1_000;
      unwrap(await engine.report({ apiKey: keys[at % 2]!.apiKey, ...draft(10 + (at >> 1), `number ${at}`) }));
    }
    clock.nowMs += 11_000;
    const known = await records(here);
    expect(known.map(([, claims]) => claims)).toEqual([5, 2]);
    expect(await records(skewed)).toEqual(known);
    expect(await records(await engineOn(aheadMs / 2))).toEqual(known);
  });

  it('counts a dispute and its decision at once, and so do the others', async () => {
    const { reportId } = unwrap(await here.report({ apiKey: keys[0]!.apiKey, ...draft(4) }));
    const answers = async () =>
      Promise.all(
        [here, skewed].map(async (engine) => {
          const asked = { apiKey: keys[1]!.apiKey, identifiers: about(4) };
          const { reported: count, explanation } = unwrap(await engine.explainQuery(asked));
          return [
            count,
            explanation!.voices.some(({ reports }) => reports.some(({ disputed }) => disputed)),
            explanation!.upheldDisputes,
          ];
        }),
      );
    unwrap(await skewed.openDispute({ reportId, reason: 'no', by: 'Ada' }));
    expect(await answers()).toEqual([
      [1, true, 0],
      [1, true, 0],
    ]);
    unwrap(await here.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    expect(await answers()).toEqual([
      [0, false, 1],
      [0, false, 1],
    ]);
    clock.nowMs += 11_000;
    const lost = async (engine: Engine) => (await records(engine))[0]![3];
    expect(await lost(here)).toBe(1);
    expect(await lost(skewed)).toBe(1);
  });

  it('protects an identifier at once, no longer after its removal, and again after it was added again', async () => {
    unwrap(await here.report({ apiKey: keys[0]!.apiKey, ...draft(5) }));
    const both = () => Promise.all([reported(here, 5), reported(skewed, 5)]);
    const entry = { hash: hashOf(5), reason: 'a provider', by: 'Ada' };
    for (const [one, other] of [
      [here, skewed],
      [skewed, here],
    ] as const) {
      unwrap(await one.protect(entry));
      expect(await both()).toEqual([0, 0]);
      unwrap(await other.unprotect({ hash: hashOf(5), by: 'Ada' }));
      expect(await both()).toEqual([1, 1]);
    }
  });

  it('refuses a key at once that another process revoked, and the others one that it revoked', async () => {
    for (const [one, other] of [
      [here, skewed],
      [skewed, here],
    ] as const) {
      const { apiKey, keyId } = unwrap(await one.issueKey({ reporterId: keys[0]!.reporterId }));
      unwrap(await other.query({ apiKey, identifiers: about(1) }));
      unwrap(await one.revokeKey({ keyId }));
      for (const engine of [here, skewed])
        expect(await engine.query({ apiKey, identifiers: about(1) })).toMatchObject({
          ok: false,
          refusal: { reason: 'revoked-key' },
        });
      const rotated = unwrap(await one.issueKey({ reporterId: keys[0]!.reporterId }));
      unwrap(await one.rotateKey({ keyId: rotated.keyId, graceSeconds: 0 }));
      expect(await other.query({ apiKey: rotated.apiKey, identifiers: about(1) })).toMatchObject({
        ok: false,
        refusal: { reason: 'revoked-key' },
      });
    }
  });

  it('explains an answer without deletions of the future', async () => {
    const { deletionCode } = unwrap(await skewed.report({ apiKey: keys[0]!.apiKey, ...draft(6) }));
    unwrap(await skewed.remove({ apiKey: keys[0]!.apiKey, deletionCode }));
    expect(unwrap(await here.explain({ identifiers: about(6) })).deletedSince).toBe(0);
  });
});

describe('a process whose clock is a day ahead', () => {
  it('stores a table of tomorrow, which another process replaces by that of today', async () => {
    const { engines, keys, clock, kept, alone } = await createSharing(2, {}, () => [], [0, DAY]);
    await engines[0]!.listStandings();
    clock.nowMs += DAY + 2 * HOUR;
    await engines[0]!.listStandings();
    expect((await kept.findTrustEpoch())!.epochAt).toBe(START + DAY);
    await engines[1]!.listStandings();
    expect((await kept.findTrustEpoch())!.epochAt).toBe(START + 2 * DAY);
    clock.nowMs += 11_000;
    for (const n of [1, 2]) unwrap(await engines[0]!.report({ apiKey: keys[0]!, ...shared(n) }));
    await engines[0]!.listStandings();
    clock.nowMs += 11_000;
    const known = await standings(engines[0]!);
    expect((await kept.findTrustEpoch())!.epochAt).toBe(START + DAY);
    const one = alone();
    await one.recomputeTrust();
    expect(known).toEqual(await standings(one));
  });
});

describe('a clock that jumps a day ahead and back', () => {
  const jumped = async () => {
    const test = await createTestEngine({ store: await createMemoryStore() });
    test.clock.nowMs += 12 * HOUR;
    unwrap(await test.engine.report({ apiKey: test.apiKey, ...draft(1) }));
    test.clock.nowMs += DAY;
    const ahead = unwrap(await test.engine.report({ apiKey: test.apiKey, ...draft(2) }));
    await test.engine.listStandings();
    test.clock.nowMs -= DAY - MINUTE;
    return { ...test, ahead };
  };

  it('hides no report, neither that of the wrong time nor later ones', async () => {
    const { engine, apiKey, otherKey } = await jumped();
    unwrap(await engine.report({ apiKey, ...draft(3) }));
    for (const n of [1, 2, 3])
      expect(unwrap(await engine.query({ apiKey: otherKey, identifiers: about(n) })).reported).toBe(1);
  });

  it('returns the first receipt for a retry', async () => {
    const { engine, apiKey, ahead } = await jumped();
    expect(unwrap(await engine.report({ apiKey, ...draft(2) }))).toEqual({ ...ahead, duplicate: true });
  });

  it('leaves standings that count every report, before and after they are computed', async () => {
    const { engine, apiKey, otherKey, clock } = await jumped();
    unwrap(await engine.report({ apiKey: otherKey, ...draft(1) }));
    unwrap(await engine.report({ apiKey, ...draft(3) }));
    const now = await records(engine);
    expect(now).toEqual([
      ['First Shop', 3, 0, 0],
      ['Second Shop', 1, 1, 0],
    ]);
    await engine.recomputeTrust();
    expect(await records(engine)).toEqual(now);
    for (let day = 0; day < 3; day++) {
      clock.nowMs += DAY;
      expect(await records(engine)).toEqual(now);
    }
  });

  it('computes the table of the day to which the clock was set back', async () => {
    const store = await createMemoryStore();
    const { engine, clock } = await createTestEngine({ store });
    clock.nowMs += 12 * HOUR + DAY;
    await engine.listStandings();
    expect((await store.findTrustEpoch())!.epochAt).toBe(START + DAY);
    clock.nowMs -= DAY;
    await engine.listStandings();
    expect((await store.findTrustEpoch())!.epochAt).toBe(START);
    // A small step back over midnight computes nothing.
    clock.nowMs = START + DAY;
    await engine.listStandings();
    clock.nowMs -= MINUTE;
    await engine.listStandings();
    expect((await store.findTrustEpoch())!.epochAt).toBe(START + DAY);
  });
});

describe.each([
  ['ahead', 10 * MINUTE],
  ['behind', -10 * MINUTE],
])('a rotation of peppers beside a process whose clock is ten minutes %s', (_name, aheadMs) => {
  it.each([0, 1])('hides no report from any process, whichever process rotates: %s', async (rotating) => {
    const [first, second] = ['a first pepper, long enough', 'a second pepper, long enough'] as const;
    // An empty store adopts all peppers of the engine that uses it first.
    const peppersOf = (engine: number) => (engine === 0 ? [first] : [first, second]);
    const {
      engines: [before, ...engines],
      keys,
      clock,
    } = await createSharing(3, {}, peppersOf, [0, 0, aheadMs]);
    for (const n of [0, 1]) unwrap(await before!.report({ apiKey: keys[n]!, ...shared(n) }));
    const state = { done: false };
    const rotation = engines[rotating]!.rotatePepper().finally(() => (state.done = true));
    while (!state.done) {
      clock.nowMs += 100;
      for (const engine of [...engines, ...engines])
        for (const n of [0, 1]) {
          const { identifiers } = shared(n);
          expect(unwrap(await engine.query({ apiKey: keys[2]!, identifiers })).reported).toBe(1);
        }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await rotation;
    // Each process looks again after two seconds.
    clock.nowMs += 2_000;
    for (const engine of engines) expect(await engine.pepperStatus()).toMatchObject({ generation: 2, moving: false });
  });
});
