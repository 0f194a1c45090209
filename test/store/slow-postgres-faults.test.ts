import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockNumber } from '../../src/stores/postgres/run.ts';
import type { PostgresClient, PostgresPool, PostgresQuery } from '../../src/stores/postgres/pool.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { StoreUnavailableError } from '../../src/core/store/errors.ts';
import { hash, id, report, reporter, trust } from '../contract/stored.ts';
import { findPostgres, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { killRounds } from './kill-rounds.ts';

const programs = findPostgres();

describe.skipIf(!programs)('when PostgreSQL fails', () => {
  let server: PostgresServer;
  const made = { schemas: 0 };
  const newSchema = () => `schema_${++made.schemas}`;
  beforeAll(async () => {
    server = await startPostgres(programs!);
  });
  afterAll(() => server?.remove());

  const newPool = (over: pg.PoolConfig = {}): pg.Pool => new pg.Pool({ ...server.connection, max: 4, ...over });
  const unavailable = async (answer: Promise<unknown>): Promise<void> =>
    expect(await answer.catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailableError);

  /** A pool whose connections do as they are told with each query. */
  const tampered = (
    pool: pg.Pool,
    tamper: (
      query: PostgresQuery,
      ask: () => ReturnType<PostgresClient['query']>,
    ) => ReturnType<PostgresClient['query']>,
  ): PostgresPool => ({
    async connect() {
      const client: PostgresClient = await pool.connect();
      return { query: (query) => tamper(query, () => client.query(query)), release: (error) => client.release(error) };
    },
  });
  const coded = (code: string): Error => Object.assign(new Error(`error ${code}`), { code });

  it('is refused when a connection breaks before it was used', async () => {
    const pool = newPool();
    const schema = newSchema();
    await (await createPostgresStore({ pool, schema })).close();
    const state = { broken: false };
    const fresh: PostgresPool = {
      async connect() {
        const client: PostgresClient = await pool.connect();
        return {
          query: (query) =>
            state.broken ? Promise.reject(new Error('Connection terminated unexpectedly')) : client.query(query),
          release: (error) => client.release(error),
        };
      },
    };
    const store = await createPostgresStore({ pool: fresh, schema });
    state.broken = true;
    await unavailable(store.findMatches([hash(1)]));
    await unavailable(store.addReporter(reporter(1)));
    state.broken = false;
    expect(await store.findMatches([hash(1)])).toEqual([]);
    await store.close();
    await pool.end();
  });

  it('is refused while the server is away, and works again with the same pool', async () => {
    const pool = newPool();
    const schema = newSchema();
    const store = await createPostgresStore({ pool, schema });
    await store.addReporter(reporter(1));
    await store.addReport(report(1), 0);
    // Idle connections and busy ones break alike.
    const busy = Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        store
          .addReport(report(10 + n), 0)
          .catch((error: unknown) => expect(error).toBeInstanceOf(StoreUnavailableError)),
      ),
    );
    await server.stop();
    await busy;
    await unavailable(store.findMatches([hash(1)]));
    await unavailable(store.addReport(report(2), 0));
    await unavailable(createPostgresStore({ pool, schema }));
    await server.start();
    expect(await store.findMatches([hash(1)])).toHaveLength(1);
    expect(await store.addReport(report(2), 0)).toEqual({ outcome: 'added' });
    await store.close();
    await pool.end();
  });

  it('is refused when its connection is ended in the middle, and nothing of it stays', async () => {
    const pool = newPool();
    const schema = newSchema();
    const store = await createPostgresStore({ pool, schema });
    await store.addReporter(reporter(1));
    const admin = new pg.Client(server.connection);
    await admin.connect();
    await admin.query(`SELECT pg_advisory_lock(${lockNumber(schema, 'hash/' + hash(1))})`);
    await store.addReport(report(1), 0);
    // It has erased nothing yet and waits for the lock.
    const removal = unavailable(store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }));
    const waiting = async () =>
      (await admin.query<{ pid: number }>("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")).rows;
    while ((await waiting()).length === 0);
    await admin.query('SELECT pg_terminate_backend($1)', [(await waiting())[0]!.pid]);
    await removal;
    expect(await store.findReports([id(1)])).toHaveLength(1);
    await admin.query('SELECT pg_advisory_unlock_all()');
    expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 })).toMatchObject({
      outcome: 'removed',
    });
    // Idle ones, too: the process lives on and the pool makes new ones.
    await admin.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = $1',
      ['client backend'],
    );
    while (pool.totalCount > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await store.count()).toMatchObject({ reports: 0, removed: 1 });
    await admin.end();
    await store.close();
    await pool.end();
  });

  it('does not wait for ever: not for a lock, not for a connection, not for a server that says nothing', async () => {
    const pool = newPool();
    const schema = newSchema();
    const store = await createPostgresStore({ pool, schema, timeoutMs: 2_000 });
    const admin = new pg.Client(server.connection);
    await admin.connect();
    await admin.query(`SELECT pg_advisory_lock(${lockNumber(schema, 'trust')})`);
    await unavailable(store.putTrust(trust));
    await admin.query('SELECT pg_advisory_unlock_all()');
    await store.putTrust(trust);
    expect(await store.findTrust()).toEqual(trust);

    const lent = await Promise.all([1, 2, 3, 4].map(() => pool.connect()));
    await unavailable(store.count());
    for (const client of lent) client.release();
    expect(await store.count()).toMatchObject({ reports: 0 });
    // The connection that came too late was given back.
    expect(pool.idleCount).toBe(pool.totalCount);

    const silent: PostgresPool = { connect: () => new Promise(() => undefined) };
    await unavailable(createPostgresStore({ pool: silent, schema, timeoutMs: 50 }));
    await admin.end();
    await store.close();
    await pool.end();
  });

  it('does work again that crossed another’s, and gives up when it always does', async () => {
    const pool = newPool();
    const schema = newSchema();
    const store = await createPostgresStore({ pool, schema });
    await store.addReporter(reporter(1));
    for (const [n, code] of (['40001', '40P01', '23505'] as const).entries()) {
      const failures = { left: 2 };
      const crossed = await createPostgresStore({
        pool: tampered(pool, ({ text }, ask) =>
          /INSERT INTO .*identifier/.test(text) && failures.left-- > 0 ? Promise.reject(coded(code)) : ask(),
        ),
        schema,
      });
      expect(await crossed.addReport(report(1 + n), 0)).toEqual({ outcome: 'added' });
      expect(failures.left).toBeLessThan(0);
    }
    const always = await createPostgresStore({
      pool: tampered(pool, ({ text }, ask) => (text.startsWith('INSERT') ? Promise.reject(coded('40P01')) : ask())),
      schema,
    });
    await unavailable(always.addReport(report(9), 0));
    expect((await store.count()).reports).toBe(3);
    await store.close();
    await pool.end();
  });

  it('says that it is unavailable when the answer to the commit is lost, and the report is found when it is sent again', async () => {
    const pool = newPool();
    const schema = newSchema();
    const store = await createPostgresStore({ pool, schema });
    await store.addReporter(reporter(1));
    const state = { isOpen: false };
    const losing = await createPostgresStore({
      pool: tampered(pool, async ({ text }, ask) => {
        const answered = await ask();
        if (state.isOpen && text.endsWith('COMMIT')) throw coded('ECONNRESET');
        return answered;
      }),
      schema,
    });
    state.isOpen = true;
    await unavailable(losing.addReport(report(1), 0));
    expect(await store.addReport(report(2, { fingerprint: report(1).fingerprint }), 0)).toMatchObject({
      outcome: 'same',
      reportId: id(1),
    });
    await store.close();
    await pool.end();
  });

  it('is refused where nothing may be written, and reads all the same', async () => {
    const schema = newSchema();
    const connection = await server.createDatabase('standby');
    const pool = newPool(connection);
    const store = await createPostgresStore({ pool, schema });
    await store.addReporter(reporter(1));
    await pool.query('ALTER DATABASE standby SET default_transaction_read_only = on');
    const readers = newPool(connection);
    const reading = await createPostgresStore({ pool: readers, schema });
    await unavailable(reading.addReport(report(1), 0));
    await unavailable(createPostgresStore({ pool: readers, schema: newSchema() }));
    expect(await reading.listReporters()).toEqual([reporter(1)]);
    await unavailable(createPostgresStore({ pool: newPool({ database: 'nowhere' }) }));
    await pool.end();
    await readers.end();
  });

  it('several processes that begin at once on an empty database make one store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redflag-processes-'));
    const script = join(folder, 'process.cjs');
    const stdin = {
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts' as const,
      contents: `import pg from 'pg';
        import { createPostgresStore } from '../../src/postgres.ts';
        import { report, reporter } from '../contract/stored.ts';
        const [connection, own] = JSON.parse(process.argv[2]);
        (async () => {
          const pool = new pg.Pool({ ...connection, max: 4 });
          const store = await createPostgresStore({ pool });
          await store.addReporter(reporter(1));
          const same = await Promise.all(Array.from({ length: 30 }, (_, n) => store.addReport(report(own + n, { fingerprint: report(1).fingerprint }), 0)));
          const mine = await Promise.all(Array.from({ length: 30 }, (_, n) => store.addReport(report(own + 100 + n), 0)));
          await store.close();
          await pool.end();
          console.log(JSON.stringify([same, mine].map((answers) => answers.filter(({ outcome }) => outcome === 'added').length)));
        })();`,
    };
    await build({
      stdin,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile: script,
      external: ['pg-native', 'pg-cloudflare'],
      logLevel: 'silent',
    });
    const connection = await server.createDatabase('empty');
    const outs = await Promise.all(
      [1000, 2000, 3000].map((own) =>
        promisify(execFile)(process.execPath, [script, JSON.stringify([connection, own])]),
      ),
    );
    const counts = outs.map(({ stdout }) => JSON.parse(stdout) as [number, number]);
    expect(counts.map(([same]) => same).sort()).toEqual([0, 0, 1]);
    expect(counts.map(([, mine]) => mine)).toEqual([30, 30, 30]);
    const pool = newPool(connection);
    expect(await (await createPostgresStore({ pool })).count()).toMatchObject({
      reports: 91,
      identifiers: 91,
      reporters: 1,
    });
    await pool.end();
    await rm(folder, { recursive: true });
  });

  it(
    'loses nothing that was acknowledged when it is killed under load',
    () => killRounds(server, newSchema(), 3),
    120_000,
  );
});
