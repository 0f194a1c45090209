import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createProgramEngine as createEngine,
  type ProgramEngine as Engine,
} from '../../src/service/data-folder/program-engine.ts';
import { unwrap } from '../../src/index.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { openWire, type Wire } from '../store/wire.ts';
import { hashOf, START } from './setup.ts';

const programs = findPostgres();
const LINKS = 'SELECT * FROM redflag.link_identifier ORDER BY link_hash, hash, kind';

describe.skipIf(!programs)('an engine on PostgreSQL', () => {
  let server: PostgresServer;
  let wire: Wire;
  const clock = { nowMs: START };
  const pools: pg.Pool[] = [];
  /** A clock that stands: nothing else happens on the wire than what a request needs. */
  const engineOn = async (connection: PostgresServer['connection'], query = 1_000): Promise<Engine> => {
    const pool = new pg.Pool({ ...connection, max: 3 });
    pools.push(pool);
    return createEngine({
      store: await createPostgresStore({ pool }),
      secret: 'a secret of more than sixteen bytes',
      peppers: ['the first pepper, long enough'],
      publicUrl: 'https://reports.example',
      clock: () => clock.nowMs,
      monotonic: () => clock.nowMs,
      limits: { query: { requests: query, windowSeconds: 60 } },
    });
  };
  let engine: Engine;
  let elsewhere: Engine;
  const newKey = async (name: string) => {
    const { reporterId } = unwrap(await engine.createReporter({ name, verified: true }));
    return unwrap(await engine.issueKey({ reporterId }));
  };
  const identifiersOf = (...people: number[]) => people.map((n) => ({ kind: 'email', hash: hashOf(n) }));
  const report = async (apiKey: string, ...people: number[]) =>
    unwrap(
      await engine.report({ apiKey, type: 'fraud', severity: 6, text: 'text', identifiers: identifiersOf(...people) }),
    );
  let apiKey: string;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    wire = await openWire(server.connection);
    engine = await engineOn(wire.connection);
    elsewhere = await engineOn(server.connection);
    ({ apiKey } = await newKey('First Shop'));
    for (const person of [1, 2, 3]) await report(apiKey, person, 100 + person);
    // Learns the day's standings.
    unwrap(await engine.query({ apiKey, identifiers: identifiersOf(1) }));
    await engine.listStandings();
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await wire?.close();
    await server?.remove();
  });

  /** Sends a query and returns its answer and its round trips. */
  const ask = async (people: number[], over: object = {}) => {
    const asked: { outcome?: Awaited<ReturnType<Engine['query']>> } = {};
    const roundTrips = await wire.roundTripsOf(
      async () => void (asked.outcome = await engine.query({ apiKey, identifiers: identifiersOf(...people), ...over })),
    );
    return { outcome: asked.outcome!, roundTrips };
  };
  const reported = (reports: number) => ({ ok: true, value: { reported: reports } });

  it('answers a query in one round trip, and in two if it stores a link', async () => {
    expect(await ask([2])).toMatchObject({ outcome: reported(1), roundTrips: 2 });
    expect(await ask([2])).toMatchObject({ outcome: reported(1), roundTrips: 1 });
    expect(await ask([2, 3, 102, 103, 9])).toMatchObject({ outcome: reported(2), roundTrips: 2 });
    expect(await ask([2, 3, 102, 103, 9])).toMatchObject({ outcome: reported(2), roundTrips: 1 });
    expect(await ask([9])).toMatchObject({ outcome: reported(0), roundTrips: 1 });
    expect(await ask(Array.from({ length: 32 }, (_, n) => n))).toMatchObject({ outcome: reported(3), roundTrips: 2 });
  });

  it('stores a report in three: the key, what the report depends on, and the report itself', async () => {
    await report(apiKey, 40);
    for (const people of [[41], [40, 41], [40, 41, 42]]) {
      clock.nowMs += 1;
      expect(await wire.roundTripsOf(async () => void (await report(apiKey, ...people)))).toBe(3);
    }
  });

  it('learns the reporter of a key by its first query, which saves the link whether it is stored or not', async () => {
    const { apiKey: key, reporterId } = await newKey('Third Shop');
    const links = async () => (await pools[1]!.query(LINKS)).rows;
    const first = unwrap(await elsewhere.query({ apiKey: key, identifiers: identifiersOf(3) }));
    const stored = await links();
    // The first one also takes a part of the reporter's budget, in two more.
    for (const roundTrips of [4, 1, 1]) {
      const answer = await ask([3], { apiKey: key });
      expect(answer).toMatchObject({ outcome: { ok: true, value: { link: first.link } }, roundTrips });
    }
    expect(await links()).toEqual(stored);
    // Another key of the same reporter has the same links.
    const { apiKey: second } = unwrap(await engine.issueKey({ reporterId }));
    for (const roundTrips of [2, 1])
      expect(await ask([3], { apiKey: second })).toMatchObject({
        outcome: { ok: true, value: { link: first.link } },
        roundTrips,
      });
    expect(await links()).toEqual(stored);
  });

  it('shows a reporter nothing of what another one queries, in any process', async () => {
    const { apiKey: key } = await newKey('Fourth Shop');
    const identifiers = identifiersOf(30);
    const { link } = unwrap(await engine.query({ apiKey: key, identifiers }));
    const poll = (by: Engine) => by.view({ linkHash: link.slice(-40) });
    await report(key, 30);
    for (const one of [engine, elsewhere])
      expect(unwrap(await one.query({ apiKey, identifiers }))).toMatchObject({ reported: 1 });
    for (const one of [engine, elsewhere]) expect(await poll(one)).toMatchObject({ ok: false });
    expect(unwrap(await elsewhere.query({ apiKey: key, identifiers })).link).toBe(link);
    for (const one of [engine, elsewhere]) expect(unwrap(await poll(one))).toHaveLength(1);
  });

  it('answers a query about a disputed report and a protected identifier in as many', async () => {
    const { reportId } = await report(apiKey, 20, 21);
    unwrap(await engine.openDispute({ reportId, reason: 'a reason', by: 'Ada' }));
    unwrap(await engine.protect({ hash: hashOf(21), reason: 'an own address', by: 'Ada' }));
    expect(await ask([20, 21])).toMatchObject({ outcome: reported(1), roundTrips: 2 });
    expect(await ask([20, 21])).toMatchObject({ outcome: reported(1), roundTrips: 1 });
    clock.nowMs += 1;
    unwrap(await engine.decideDispute({ reportId, upheld: true, by: 'Ada' }));
    expect(await ask([20, 21])).toMatchObject({ outcome: reported(0), roundTrips: 1 });
  });

  it('refuses a query in one round trip, in the order of the specification', async () => {
    const refused = (reason: string) => ({ outcome: { ok: false, refusal: { reason } }, roundTrips: 1 });
    const none = { identifiers: [] };
    for (const over of [{}, none]) {
      expect(await ask([1], { apiKey: '0123456789abcdef', ...over })).toMatchObject(refused('unknown-key'));
      const { apiKey: revoked, keyId, reporterId } = await newKey(`Shop ${JSON.stringify(over)}`);
      expect(await ask([1], { apiKey: revoked })).toMatchObject({ outcome: reported(1) });
      // By another process: no process remembers keys of a shared store.
      unwrap(await elsewhere.revokeKey({ keyId }));
      expect(await ask([1], { apiKey: revoked, ...over })).toMatchObject(refused('revoked-key'));
      const { apiKey: suspended } = unwrap(await engine.issueKey({ reporterId }));
      unwrap(await elsewhere.suspendReporter({ reporterId, suspended: true }));
      expect(await ask([1], { apiKey: suspended, ...over })).toMatchObject(refused('suspended-key'));
      unwrap(await elsewhere.suspendReporter({ reporterId, suspended: false }));
      expect(await ask([1], { apiKey: suspended })).toMatchObject({ outcome: reported(1) });
      const { apiKey: telling } = unwrap(await engine.issueKey({ reporterId, scope: 'report' }));
      expect(await ask([1], { apiKey: telling, ...over })).toMatchObject(refused('key-scope'));
    }
    expect(await ask([1], none)).toMatchObject(refused('no-identifier'));
    expect((await ask([1], { apiKey: 'no key' })).roundTrips).toBe(0);
  });

  it('counts every query of a valid key against its limit, and no other', async () => {
    const limited = await engineOn(server.connection, 3);
    const { apiKey: key, reporterId } = await newKey('Limited Shop');
    const query = (over: object = {}) => limited.query({ apiKey: key, identifiers: identifiersOf(1), ...over });
    unwrap(await limited.suspendReporter({ reporterId, suspended: true }));
    for (let n = 0; n < 5; n++) expect((await query()).ok).toBe(false);
    unwrap(await limited.suspendReporter({ reporterId, suspended: false }));
    expect(await query()).toMatchObject(reported(1));
    expect(await query({ identifiers: [] })).toMatchObject({ ok: false, refusal: { reason: 'no-identifier' } });
    expect(await query()).toMatchObject(reported(1));
    for (const over of [{}, { identifiers: [] }])
      expect(await query(over)).toMatchObject({ ok: false, refusal: { reason: 'limited', retryAfterSeconds: 20 } });
    clock.nowMs += 20_000;
    expect(await query()).toMatchObject(reported(1));
  });
});
