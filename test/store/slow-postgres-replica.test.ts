import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import type { Seal } from '../../src/sealed.ts';
import type { PostgresClient, PostgresPool } from '../../src/stores/postgres/pool.ts';
import type { PostgresNotice } from '../../src/stores/postgres/replica.ts';
import { createPostgresStore, type PostgresStoreOptions } from '../../src/stores/postgres/store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { budget } from '../budget.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { createTestSeal, elementOf } from '../sealed/engine/test-seal.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';

const programs = findPostgres();
const SECRET = 'a secret of more than sixteen bytes';
const PEPPERS = ['the first pepper, long enough'];
/** Longer than any test takes, so that no slow machine makes a standby that was paused one that is too old. */
const AGES = 3_600_000;
const hashOf = (n: number): string => (n + 1).toString(16).padStart(4, '0').repeat(10);

describe.skipIf(!programs)('a streaming replica', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  const made = { databases: 0 };
  let database: string;
  const pools: pg.Pool[] = [];
  const poolTo = (server: PostgresServer, of = database): pg.Pool => {
    const pool = new pg.Pool({ ...server.connection, database: of, max: 8 });
    pools.push(pool);
    return pool;
  };
  const ask = async <T = unknown>(server: PostgresServer, text: string, of = 'postgres'): Promise<T[]> => {
    const client = new pg.Client({ ...server.connection, database: of });
    await client.connect();
    try {
      return (await client.query({ text, rowMode: 'array' })).rows.map((row: T[]) => row[0]!);
    } finally {
      await client.end();
    }
  };
  /** The standby has got all that is on the primary now. */
  const caughtUp = async (): Promise<void> => {
    const [place] = await ask(primary, 'SELECT pg_current_wal_flush_lsn()::text');
    await expect
      .poll(
        async () =>
          (await ask(standby, `SELECT pg_last_wal_replay_lsn() >= '${String(place)}'`).catch(() => [false]))[0],
      )
      .toBe(true);
  };
  const pause = () => ask(standby, 'SELECT pg_wal_replay_pause()');
  const resume = () => ask(standby, 'SELECT pg_wal_replay_resume()');
  /** The pool, and every statement that is sent by it from here on. */
  const recorded = (pool: pg.Pool): { readonly pool: PostgresPool; readonly texts: string[] } => {
    const texts: string[] = [];
    const lent = (client: PostgresClient): PostgresClient => ({
      query: (query) => (texts.push(query.text), client.query(query)),
      release: (error) => client.release(error),
    });
    return { texts, pool: { connect: async () => lent(await pool.connect()) } };
  };

  beforeAll(async () => {
    // What a killed server wrote is still there: only its processes are killed.
    primary = await startPostgres(programs!, { settings: ['fsync=off'] });
    standby = await primary.startStandby();
  });
  beforeEach(async () => {
    database = `replica_${made.databases++}`;
    await primary.createDatabase(database);
    await (await createPostgresStore({ pool: poolTo(primary) })).close();
    await caughtUp();
  });
  afterEach(async () => {
    await resume().catch(() => undefined);
    await Promise.all(pools.splice(0).map((pool) => pool.end()));
  });
  afterAll(async () => {
    await standby?.remove();
    await primary?.remove();
  });

  const notices: PostgresNotice[] = [];
  const open = (options: Partial<PostgresStoreOptions> = {}, maxAgeMs = AGES): Promise<Store> =>
    createPostgresStore({
      pool: poolTo(primary),
      replica: { pool: poolTo(standby), maxAgeMs },
      onNotice: (told) => void notices.push(told),
      ...options,
    });
  beforeEach(() => void notices.splice(0));

  const limits = Object.fromEntries(
    (['query', 'report', 'delete'] as const).map((name) => [name, { requests: 1_000_000, windowSeconds: 60 }]),
  );
  const engineOn = (store: Store, peppers = PEPPERS, seal?: Seal): Engine =>
    createEngine({
      store,
      secret: SECRET,
      peppers,
      publicUrl: 'https://reports.example',
      limits,
      budgets: { identifiers: { verified: 1e6, new: 1e6 } },
      ...(seal && { seal }),
    });
  const newKey = async (engine: Engine, name: string): Promise<string> =>
    unwrap(await engine.issueKey(unwrap(await engine.createReporter({ name, verified: true })))).apiKey;
  const identifiersOf = (person: number) => [{ kind: 'email', hash: hashOf(person) }];
  const report = async (engine: Engine, apiKey: string, person: number, text = 'text') =>
    unwrap(await engine.report({ apiKey, type: 'fraud', severity: 5, text, identifiers: identifiersOf(person) }));
  const reported = async (engine: Engine, apiKey: string, person: number): Promise<number> =>
    unwrap(await engine.query({ apiKey, identifiers: identifiersOf(person) })).reported;
  /** Two processes, the keys of two reporters, and a standby that gets nothing more from here on. */
  const paused = async () => {
    const engines = [engineOn(await open()), engineOn(await open())] as const;
    const keys = [await newKey(engines[0], 'A'), await newKey(engines[0], 'B')] as const;
    await report(engines[0], keys[0], 1, 'before');
    await report(engines[0], keys[1], 2, 'before');
    // So that each knows how old it is what the standby has.
    for (const engine of engines) for (const key of keys) expect(await reported(engine, key, 1)).toBe(1);
    await caughtUp();
    for (const engine of engines) expect(await reported(engine, keys[0], 1)).toBe(1);
    await pause();
    return { engines, keys };
  };

  it('answers queries, and nothing else is asked there', async () => {
    const [one, other] = [recorded(poolTo(primary)), recorded(poolTo(standby))];
    const engine = engineOn(await open({ pool: one.pool, replica: { pool: other.pool, maxAgeMs: AGES } }));
    const key = await newKey(engine, 'A');
    const { deletionCode } = await report(engine, key, 1);
    await caughtUp();
    await reported(engine, key, 1);
    await caughtUp();
    one.texts.splice(0);
    other.texts.splice(0);
    for (const count of [1, 16, 32]) {
      expect(
        unwrap(
          await engine.query({
            apiKey: key,
            identifiers: [
              ...identifiersOf(1),
              ...Array.from({ length: count - 1 }, (_, at) => ({ kind: 'ip', hash: hashOf(100 + at) })),
            ],
          }),
        ).reported,
      ).toBe(1);
      await caughtUp();
    }
    // The matches, and nothing else: 32 hashes are two statements. Each new connection is asked once what it leads to.
    const asked = other.texts.filter(
      (text) =>
        !/^SELECT set_config\('jit'|system_identifier|^SELECT pg_is_in_recovery\(\) AS follows$|redflag_version/.test(
          text,
        ),
    );
    expect(asked).toHaveLength(4);
    for (const text of asked)
      expect(text).toMatch(/pg_last_wal_replay_lsn[^]*FROM "redflag"\.identifier WHERE hash = /);
    expect(
      one.texts.filter((text) => /FROM "redflag"\.identifier WHERE hash = /.test(text) && /disputed/.test(text)),
    ).toEqual([]);
    other.texts.splice(0);
    const identifiers = identifiersOf(1);
    expect(unwrap(await engine.explainQuery({ apiKey: key, identifiers })).reported).toBe(1);
    expect(unwrap(await engine.query({ apiKey: key, identifiers, asOf: Date.now() })).reported).toBe(1);
    unwrap(await engine.explain({ identifiers }));
    unwrap(await engine.remove({ apiKey: key, deletionCode }));
    expect(other.texts).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('shows a report to its own reporter at once, by any process, and to others when it has it', async () => {
    const {
      engines: [first, second],
      keys: [a, b],
    } = await paused();
    await report(first, a, 1, 'new');
    // B’s own is there, A’s new one is not: the standby answers B, and nobody else could.
    expect(await reported(first, b, 1)).toBe(1);
    expect(await reported(second, b, 1)).toBe(1);
    await report(second, a, 3);
    expect([
      await reported(first, a, 3),
      await reported(second, a, 3),
      await reported(first, a, 1),
      await reported(second, a, 1),
    ]).toEqual([1, 1, 2, 2]);
    expect([await reported(first, b, 3), await reported(second, b, 3)]).toEqual([0, 0]);
    await resume();
    await caughtUp();
    for (const engine of [first, second]) for (const key of [a, b]) expect(await reported(engine, key, 3)).toBe(1);
    expect(notices).toEqual([]);
  });

  it('shows a deletion to its own reporter at once, and asks for nothing that is gone', async () => {
    const {
      engines: [first, second],
      keys: [a, b],
    } = await paused();
    await resume();
    const { deletionCode } = await report(first, a, 4);
    await caughtUp();
    expect(await reported(second, b, 4)).toBe(1);
    await pause();
    unwrap(await first.remove({ apiKey: a, deletionCode }));
    expect([await reported(first, a, 4), await reported(second, a, 4)]).toEqual([0, 0]);
    const late = unwrap(await second.query({ apiKey: b, identifiers: identifiersOf(4) }));
    expect(late.reported).toBe(1);
    // Its link is asked for on the primary, where there is nothing any more, and nothing came back by the query.
    expect(
      await second
        .view({ linkHash: late.link.split('/').at(-1)! })
        .then((seen) => (seen.ok ? seen.value.length : 0))
        .catch(() => 0),
    ).toBe(0);
    expect(
      (
        await ask(
          primary,
          'SELECT count(*) FROM redflag.link_identifier WHERE hash NOT IN (SELECT hash FROM redflag.identifier)',
          database,
        )
      )[0],
    ).toBe('0');
  });

  it('holds nobody back from a dispute, the allow-list or an erasure', async () => {
    const {
      engines: [first, second],
      keys: [a, b],
    } = await paused();
    await resume();
    const { reportId } = await report(first, a, 5);
    await report(first, a, 6);
    await report(first, a, 7);
    await caughtUp();
    expect([await reported(second, b, 5), await reported(second, b, 6), await reported(second, b, 7)]).toEqual([
      1, 1, 1,
    ]);
    await pause();
    await first.protect({ hash: hashOf(7), reason: 'a library', by: 'Ada' });
    expect([await reported(first, b, 7), await reported(second, b, 7)]).toEqual([0, 0]);
    await first.openDispute({ reportId, reason: 'wrong', by: 'Ada' });
    await first.decideDispute({ reportId, upheld: true, by: 'Ada' });
    expect([await reported(first, b, 5), await reported(second, b, 5)]).toEqual([0, 0]);
    await first.eraseIdentifiers({ hashes: [hashOf(6)], by: 'Ada' });
    expect([await reported(first, b, 6), await reported(second, b, 6)]).toEqual([0, 0]);
  });

  it('never looks for a hash under a pepper that it has not got', async () => {
    const next = 'the second pepper, long enough';
    const before = engineOn(await open());
    const [a, b] = [await newKey(before, 'A'), await newKey(before, 'B')];
    for (let person = 0; person < 30; person++) await report(before, a, person);
    const [rotating, other] = [engineOn(await open(), [...PEPPERS, next]), engineOn(await open(), [...PEPPERS, next])];
    for (let round = 0; round < 2; round++) {
      await caughtUp();
      for (const engine of [rotating, other]) expect(await reported(engine, b, 3)).toBe(1);
    }
    await pause();
    await report(before, a, 1, 'new');
    // The standby answers both.
    for (const engine of [rotating, other]) expect(await reported(engine, b, 1)).toBe(1);
    const state = { goesOn: true };
    const rotation = rotating.rotatePepper().finally(() => (state.goesOn = false));
    for (let person = 2; state.goesOn; person = person === 29 ? 2 : person + 1)
      expect(await reported(rotating, b, person)).toBe(1);
    // The queries have moved the others.
    expect(await rotation).toBeLessThanOrEqual(30);
    // The standby has none of the new hashes, the other process looks for nothing else.
    for (let person = 2; person < 30; person++) expect(await reported(other, b, person)).toBe(1);
    await resume();
    await caughtUp();
    for (let person = 2; person < 30; person++) expect(await reported(other, b, person)).toBe(1);
  });

  it('answers a query by element, and gives the publisher nothing: that reads from the primary', async () => {
    const other = recorded(poolTo(standby));
    const replica = { pool: other.pool, maxAgeMs: AGES };
    const engine = engineOn(await open({ replica }), PEPPERS, createTestSeal());
    const [a, b] = [await newKey(engine, 'A'), await newKey(engine, 'B')];
    const elementsOf = (person: number) =>
      identifiersOf(person).map(({ kind, hash }) => ({ kind, element: elementOf(hash) }));
    const byElement = async (apiKey: string, person: number): Promise<number> =>
      unwrap(await engine.query({ apiKey, identifiers: elementsOf(person) })).reported;
    const draft = { type: 'fraud', severity: 5, text: 'Text.' };
    unwrap(await engine.report({ apiKey: a, ...draft, identifiers: elementsOf(1) }));
    for (let round = 0; round < 2; round++) {
      await caughtUp();
      for (const key of [a, b]) expect(await byElement(key, 1)).toBe(1);
    }
    await pause();
    other.texts.splice(0);
    expect(await byElement(b, 1)).toBe(1);
    expect(other.texts.filter((text) => /FROM "redflag"\.identifier WHERE hash = /.test(text))).toHaveLength(1);
    // Only the primary has these: a query of another reporter does not find them yet, by element or by hash.
    unwrap(await engine.report({ apiKey: a, ...draft, identifiers: elementsOf(2) }));
    await report(engine, a, 3);
    for (const person of [2, 3]) {
      expect([await byElement(a, person), await byElement(b, person)]).toEqual([1, 0]);
      expect([await reported(engine, a, person), await reported(engine, b, person)]).toEqual([1, 0]);
    }
    other.texts.splice(0);
    const { rows, next } = await engine.readSealedRows({ limit: 50 });
    expect(next).toBeUndefined();
    expect(rows.map(({ element }) => element)).toEqual([1, 2, 3].map((person) => elementOf(hashOf(person))));
    expect(await engine.listStandings()).toHaveLength(2);
    expect(other.texts).toEqual([]);
    await resume();
    await caughtUp();
    for (const person of [1, 2, 3]) expect(await byElement(b, person)).toBe(1);
    expect(notices).toEqual([]);
  });

  it('that falls too far behind is left with one notice, and used again when it has come up', async () => {
    const engine = engineOn(await open({}, 1_000));
    const [a, b] = [await newKey(engine, 'A'), await newKey(engine, 'B')];
    await report(engine, a, 1);
    await caughtUp();
    await reported(engine, b, 1);
    await pause();
    await report(engine, a, 8);
    await expect.poll(() => reported(engine, b, 8)).toBe(1);
    await expect
      .poll(async () => (await reported(engine, b, 8), notices))
      .toMatchObject([
        {
          event: 'replica-left',
          error: {
            name: 'StoreUnavailableError',
            message: expect.stringMatching(/^the replica is \d+ s behind the primary$/) as string,
          },
        },
      ]);
    for (let n = 0; n < 40; n++) expect(await reported(engine, b, 8)).toBe(1);
    expect(notices).toHaveLength(1);
    await resume();
    await expect
      .poll(async () => (await reported(engine, b, 8), notices.map(({ event }) => event)), { interval: 100 })
      .toEqual(['replica-left', 'replica-used']);
  });

  it('that is killed under load costs nobody an answer, and is used again when it is back', async () => {
    const engines = [engineOn(await open()), engineOn(await open())];
    const codes = new Map<number, string>();
    const keys = await Promise.all(['A', 'B', 'C', 'D'].map((name) => newKey(engines[0]!, name)));
    const state = { goesOn: true, answered: 0 };
    const clients = Promise.all(
      keys.map(async (key, client) => {
        for (let n = 0; state.goesOn; n++) {
          const person = 100 * client + (n % 50);
          const expected = Math.floor(n / 50) % 2 === 0 ? 1 : 0;
          const [here, there] = n % 2 === 0 ? engines : [...engines].reverse();
          if (expected === 1) codes.set(person, (await report(here!, key, person, `report ${n}`)).deletionCode);
          else unwrap(await here!.remove({ apiKey: key, deletionCode: codes.get(person)! }));
          expect(await reported(there!, key, person), `client ${client}, request ${n}`).toBe(expected);
          state.answered++;
        }
      }),
    );
    const rounds = async (): Promise<void> => {
      const until = state.answered + budget(20);
      await expect.poll(() => state.answered).toBeGreaterThan(until);
    };
    for (const end of ['kill', 'stop'] as const) {
      await rounds();
      await standby[end]();
      await rounds();
      await standby.start();
      await rounds();
    }
    state.goesOn = false;
    await clients;
    await caughtUp();
    await expect
      .poll(
        async () => (
          await Promise.all(engines.map((engine) => reported(engine, keys[0]!, 1))),
          notices.filter(({ event }) => event === 'replica-used').length
        ),
        { interval: 100 },
      )
      .toBeGreaterThan(1);
    await expect
      .poll(
        async () => (await Promise.all(engines.map((engine) => reported(engine, keys[0]!, 1))), notices.at(-1)?.event),
        { interval: 100 },
      )
      .toBe('replica-used');
    // It answers again: of what somebody else does now it knows nothing, and says so.
    await caughtUp();
    await pause();
    await report(engines[0]!, keys[1]!, 999);
    for (const engine of engines) expect(await reported(engine, keys[0]!, 999)).toBe(0);
  });

  it('does not forget what a reporter wrote when the primary dies', async () => {
    const {
      engines: [first, second],
      keys: [a, b],
    } = await paused();
    await report(first, a, 9);
    await primary.kill();
    await primary.start();
    await expect.poll(() => reported(second, a, 9).catch(() => undefined)).toBe(1);
    expect(await reported(first, a, 9)).toBe(1);
    expect(await reported(second, b, 9)).toBe(0);
  });

  it('is refused when it is none of this primary’s, and left for now when it does not answer or has not the schema', async () => {
    const refused = (pool: pg.Pool, of = database) =>
      expect(createPostgresStore({ pool: poolTo(primary, of), replica: { pool } })).rejects;
    await refused(poolTo(primary)).toMatchObject({
      name: 'RangeError',
      message: expect.stringContaining('expected a standby, got a server that accepts writes') as string,
    });
    await refused(poolTo(standby, 'postgres')).toMatchObject({
      name: 'RangeError',
      message: expect.stringContaining('got another server or database') as string,
    });
    const foreign = await startPostgres(programs!);
    await foreign.createDatabase(database);
    await refused(poolTo(foreign)).toMatchObject({
      name: 'RangeError',
      message: expect.stringContaining('got another server or database') as string,
    });
    await foreign.remove();
    for (const maxAgeMs of [0, 1.5, -1])
      await expect(
        createPostgresStore({ pool: poolTo(primary), replica: { pool: poolTo(standby), maxAgeMs } }),
      ).rejects.toThrow(RangeError);

    const asked = { hashes: [hashOf(1)], reader: '00'.repeat(8) };
    const gone = await open({ replica: { pool: poolTo(standby, 'nowhere') } });
    expect(await gone.findFacts(asked)).toMatchObject({ matches: [] });
    expect(notices).toMatchObject([{ event: 'replica-left' }]);
    await pause();
    const behind = await open({ schema: 'new_schema' });
    expect(notices[1]).toMatchObject({
      event: 'replica-left',
      error: { message: 'the replica does not have the newest schema yet' },
    });
    expect(await behind.findFacts(asked)).toMatchObject({ matches: [] });
  });

  it('that was made a server of its own is left', async () => {
    const promoted = await primary.startStandby();
    const pool = poolTo(promoted);
    const engine = engineOn(await open({ replica: { pool, maxAgeMs: AGES } }));
    const [a, b] = [await newKey(engine, 'A'), await newKey(engine, 'B')];
    await report(engine, a, 1);
    await expect.poll(() => reported(engine, b, 1)).toBe(1);
    await ask(promoted, 'SELECT pg_promote()');
    await report(engine, a, 2);
    expect(await reported(engine, b, 2)).toBe(1);
    expect(notices).toMatchObject([
      { event: 'replica-left', error: { message: 'the replica was promoted and accepts writes' } },
    ]);
    pools.splice(pools.indexOf(pool), 1);
    await pool.end();
    await promoted.remove();
  });

  const schemas = { made: 0 };
  storeContract(
    'PostgreSQL with a replica',
    () => open({ schema: `contract_${++schemas.made}` }),
    async (store) => {
      await store.close();
      return open({ schema: `contract_${schemas.made}` });
    },
    VARIANT_CASES,
  );
});
