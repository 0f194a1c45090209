import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { eventually } from '../eventually.ts';
import { socketOf, startForwarder, type Forwarder } from '../forwarder.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';

const programs = findPostgres();

describe.skipIf(!programs)('a primary with a synchronous standby', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let address: Forwarder;
  const pools: pg.Pool[] = [];
  const made = { schemas: 0 };
  const newSchema = () => `schema_${made.schemas++}`;
  const newPool = (over: pg.PoolConfig = {}): pg.Pool => {
    const pool = new pg.Pool({ ...primary.connection, max: 4, ...over });
    pools.push(pool);
    return pool;
  };
  const poolOfAddress = () => newPool({ host: '127.0.0.1', port: address.port, connectionTimeoutMillis: 5_000 });
  const unavailable = async (answer: Promise<unknown>): Promise<void> =>
    expect(await answer.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailableError);
  const isSynchronous = () =>
    eventually(async () => expect(await primary.ask('SELECT sync_state FROM pg_stat_replication')).toEqual(['sync']));

  beforeAll(async () => {
    primary = await startPostgres(programs!);
    standby = await primary.startStandby();
    await primary.ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.ask('SELECT pg_reload_conf()');
    await isSynchronous();
    address = await startForwarder(socketOf(primary));
  });
  afterEach(async () => {
    if (!standby.isRunning()) await standby.start();
    await isSynchronous();
    address.moveTo(socketOf(primary), 'cut');
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await address?.close();
    await standby?.remove();
    await primary?.remove();
  });

  it('acknowledges a retry only when the standby has what the first try wrote', async () => {
    const schema = newSchema();
    const store = await createPostgresStore({ pool: newPool(), schema, timeoutMs: 4_000 });
    await store.addReporter(reporter(1));
    await store.addReporter(reporter(2));
    await store.addReport({ ...report(2), reporterId: id(2) }, 0);
    const bothUnavailable = () =>
      Promise.all([
        unavailable(store.addReport(report(1), 0)),
        unavailable(store.removeReport({ reportId: id(2), reporterId: id(2), removedAt: 5 })),
      ]);
    await standby.stop();
    await bothUnavailable();
    // Both are committed on this server, but nowhere else.
    await primary.kill();
    await primary.start();
    expect(await store.findReports([id(1), id(2)])).toMatchObject([{ reportId: id(1) }]);
    await bothUnavailable();
    await standby.start();
    await isSynchronous();
    expect(await store.addReport(report(1), 0)).toMatchObject({ outcome: 'same', reportId: id(1) });
    expect(await store.removeReport({ reportId: id(2), reporterId: id(2), removedAt: 5 })).toEqual({
      outcome: 'already-removed',
    });
    await store.close();
  });

  it('is the only one that is used: a connection to a standby is closed, and the address is asked again', async () => {
    const schema = newSchema();
    const pool = poolOfAddress();
    const store = await createPostgresStore({ pool, schema, timeoutMs: 5_000 });
    await store.addReporter(reporter(1));
    await store.addReport(report(1), 0);
    const [place] = await primary.ask('SELECT pg_current_wal_flush_lsn()::text');
    await expect.poll(() => standby.ask(`SELECT pg_last_wal_replay_lsn() >= '${String(place)}'`)).toEqual([true]);
    address.moveTo(socketOf(standby), 'cut');
    await unavailable(store.addReport(report(2), 0));
    // Not even a read: the standby may lack a deletion.
    await unavailable(store.findMatches([hash(1)]));
    await unavailable(createPostgresStore({ pool, schema }));
    address.moveTo(socketOf(primary), 'kept');
    expect(await store.addReport(report(2), 0)).toEqual({ outcome: 'added' });
    expect(await store.findMatches([hash(1)])).toHaveLength(1);
    await store.close();
  });

  it('takes no lease and blocks no holder for ever when connections fall silent', async () => {
    const schema = newSchema();
    const store = await createPostgresStore({ pool: poolOfAddress(), schema, timeoutMs: 4_000 });
    const lease = await store.shared!.lease('work');
    expect(lease).toBeDefined();
    address.moveTo(socketOf(primary), 'silent');
    // The connection that holds the lock never answers again.
    expect(await lease!.isHeld()).toBe(false);
    await lease!.release();
    await expect
      .poll(() => primary.ask('SELECT count(*)::int FROM pg_locks WHERE locktype = $$advisory$$'))
      .toEqual([1]);
    // A connection that fell silent while it was idle.
    await store.count();
    address.moveTo(socketOf(primary), 'silent');
    await unavailable(store.shared!.lease('other work'));
    const another = await store.shared!.lease('other work');
    expect(another).toBeDefined();
    await another!.release();
    await store.close();
  });
});
