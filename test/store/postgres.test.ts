import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../src/core/store/sql/schema.ts';
import { POSTGRES_MIGRATIONS } from '../../src/stores/postgres/schema.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { CHECKED_TABLES } from '../../src/core/store/sql/catalogue.ts';
import { StoreDamagedError } from '../../src/core/store/errors.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { storeContract } from '../contract/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { earlierOnPostgres, expectBroughtUpToDate, ROW_VERSIONS } from './earlier.ts';
import { damages, expectReported, fillForDamage } from './row-damage.ts';

const programs = findPostgres();

describe.skipIf(!programs)('on a PostgreSQL server', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  const made = { schemas: 0, emptied: 0 };
  const newSchema = () => `schema_${++made.schemas}`;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pool = new pg.Pool({ ...server.connection, max: 5 });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.remove();
  });

  const schemaOf = new WeakMap<Store, string>();
  const open = async (schema: string): Promise<Store> => {
    const store = await createPostgresStore({ pool, schema });
    schemaOf.set(store, schema);
    return store;
  };
  /** Opens a store without rows. A new schema takes five times as long as emptying one. A test opens two at most. */
  async function openEmptied(): Promise<Store> {
    const schema = `emptied_${made.emptied++ % 2}`;
    const { rows } = await pool.query<{ table: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS table FROM pg_tables
        WHERE schemaname = $1 AND tablename <> 'redflag_version'`,
      [schema],
    );
    if (rows.length > 0) await pool.query(`TRUNCATE ${rows.map(({ table }) => table).join(', ')} RESTART IDENTITY`);
    return open(schema);
  }

  storeContract('PostgreSQL', openEmptied, async (store) => {
    await store.close();
    return open(schemaOf.get(store)!);
  });

  it('gives a check all the time that it needs, and other calls no more than theirs', async () => {
    const schema = newSchema();
    await (await createPostgresStore({ pool, schema })).close();
    const store = await createPostgresStore({ pool, schema, timeoutMs: 1_000 });
    const holder = await pool.connect();
    await holder.query(`BEGIN; LOCK TABLE ${schema}.reporter IN ACCESS EXCLUSIVE MODE`);
    const checked = store.check();
    await expect(store.listReporters()).rejects.toMatchObject({
      name: 'StoreUnavailableError',
      message: 'the database did not answer within 1000 ms',
    });
    await holder.query('COMMIT');
    holder.release();
    expect(await checked).toEqual([]);
    await store.close();
  });

  describe('the schema', () => {
    it('has the same versions as SQLite’s', () => {
      expect(POSTGRES_MIGRATIONS).toHaveLength(MIGRATIONS.length);
    });

    it.each(ROW_VERSIONS)('of version %i is brought up to date', async (version) => {
      const schema = newSchema();
      const client = await pool.connect();
      await client.query(`${earlierOnPostgres(schema, version)} RESET search_path`);
      client.release();
      const store = await createPostgresStore({ pool, schema });
      await expectBroughtUpToDate(store, version);
      await store.close();
    });

    it('that a newer program brings up to date is written to no more by this one, which waits for nobody and reads on', async () => {
      const schema = newSchema();
      const store = await createPostgresStore({ pool, schema });
      await store.addReporter(reporter(1));
      await store.addReport(report(1), 0);
      // As `migrate` does it, in a transaction of its own that waits for those who write.
      const newer = await pool.connect();
      await newer.query(
        `BEGIN; LOCK TABLE ${schema}.redflag_version IN ACCESS EXCLUSIVE MODE; UPDATE ${schema}.redflag_version SET version = version + 1`,
      );
      const writes = Promise.allSettled([
        store.addReport(report(2), 0),
        store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 5 }),
      ]);
      await newer.query('COMMIT');
      newer.release();
      for (const write of [...(await writes), (await Promise.allSettled([store.addReport(report(3), 0)]))[0]!]) {
        expect(write).toMatchObject({
          status: 'rejected',
          reason: {
            name: 'StoreUnavailableError',
            cause: { name: 'StoreFormatError', message: expect.stringContaining('use a newer redflag') as string },
          },
        });
      }
      expect((await store.findReports([1, 2, 3].map(id))).map(({ reportId }) => reportId)).toEqual([id(1)]);
      await pool.query(`UPDATE ${schema}.redflag_version SET version = version - 1`);
      expect(await store.addReport(report(3), 0)).toEqual({ outcome: 'added' });
      await store.close();
    });

    it('is made once by many that begin at once', async () => {
      const schema = newSchema();
      const pools = [1, 2, 3].map(() => new pg.Pool({ ...server.connection, max: 2 }));
      const stores = await Promise.all([...pools, ...pools].map((one) => createPostgresStore({ pool: one, schema })));
      expect(await stores[0]!.addReporter(reporter(1))).toBe('added');
      expect(await stores[5]!.listReporters()).toEqual([reporter(1)]);
      await Promise.all(pools.map((one) => one.end()));
    });

    it('spreads identifiers over sixteen tables', async () => {
      const schema = newSchema();
      const store = await createPostgresStore({ pool, schema });
      await store.addReporter(reporter(1));
      for (let n = 1; n <= 4; n++)
        await store.addReport(
          report(n, {
            identifiers: Array.from({ length: 32 }, (_, at) => ({ kind: 'email', hash: hash(100 * n + at) })),
          }),
          0,
        );
      const { rows } = await pool.query<{ part: string; n: string }>(
        `SELECT tableoid::regclass::text AS part, count(*) AS n FROM ${schema}.identifier GROUP BY 1`,
      );
      expect(rows).toHaveLength(16);
      expect(
        (await store.findMatches(Array.from({ length: 32 }, (_, at) => hash(100 + at)))).map((match) => match.hash),
      ).toEqual(Array.from({ length: 32 }, (_, at) => hash(100 + at)));
      await store.close();
    });

    it('that is newer, or another program’s, is refused and left as it is', async () => {
      const schema = newSchema();
      await (await createPostgresStore({ pool, schema })).close();
      await pool.query(`UPDATE ${schema}.redflag_version SET version = 99`);
      await expect(createPostgresStore({ pool, schema })).rejects.toMatchObject({
        name: 'StoreFormatError',
        message: expect.stringContaining('schema version 99') as string,
      });
      const foreign = newSchema();
      await pool.query(`CREATE SCHEMA ${foreign}; CREATE TABLE ${foreign}.report (x INT)`);
      await expect(createPostgresStore({ pool, schema: foreign })).rejects.toMatchObject({
        name: 'StoreFormatError',
        message: expect.stringContaining('another program') as string,
      });
      expect((await pool.query(`SELECT * FROM pg_tables WHERE schemaname = '${foreign}'`)).rows).toHaveLength(1);
    });

    it('can be used by who may only read and write its tables', async () => {
      const schema = newSchema();
      await (await createPostgresStore({ pool, schema })).close();
      await pool.query(
        `CREATE ROLE worker LOGIN; GRANT USAGE ON SCHEMA ${schema} TO worker; GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO worker`,
      );
      const own = new pg.Pool({ ...server.connection, user: 'worker' });
      const store = await createPostgresStore({ pool: own, schema });
      await store.addReporter(reporter(1));
      expect(await store.addReport(report(1), 0)).toEqual({ outcome: 'added' });
      expect(await store.removeReport({ reportId: id(1), reporterId: id(1), removedAt: 3 })).toMatchObject({
        outcome: 'removed',
      });
      // What the operator can mend is no fault of the caller.
      await expect(createPostgresStore({ pool: own, schema: newSchema() })).rejects.toMatchObject({
        name: 'StoreUnavailableError',
      });
      await store.close();
      await own.end();
    });
  });

  describe('a row that is not as it was written', () => {
    const schema = 'damaged';
    let store: Store;
    beforeAll(async () => {
      store = await createPostgresStore({ pool, schema });
      await fillForDamage(store);
      for (const { name } of CHECKED_TABLES)
        await pool.query(`CREATE TABLE ${schema}.sound_${name} AS SELECT * FROM ${schema}.${name}`);
    });
    afterAll(() => store?.close());
    /** Who changes files asks no constraint. */
    const alter = (text: string) =>
      pool.query(
        `BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL search_path = ${schema}; ${text}; COMMIT`,
      );

    it.each(damages((hex) => `'\\x${hex}'`))(
      'is in no answer and no copy, and is reported: %s',
      async (_, change, ask) => {
        const [table] = /^\w+/.exec(change)!;
        await alter(`UPDATE ${change}`);
        const error = await ask(store).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(StoreDamagedError);
        expect((error as Error).message).toMatch(
          /^a row of [a-z_]+ is damaged: its checksum does not match; run redflag check and restore a backup$/,
        );
        await expectReported(store, change);
        await alter(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM sound_${table}`);
        expect(await store.check()).toEqual([]);
      },
    );

    it('has a checksum, which the server sees to', async () => {
      for (const { name } of CHECKED_TABLES)
        await expect(pool.query(`UPDATE ${schema}.${name} SET checksum = NULL`)).rejects.toMatchObject({
          code: '23502',
        });
    });
  });

  it.each([
    { schema: 'Upper' },
    { schema: 'a"b' },
    { schema: '' },
    { timeoutMs: 0 },
    { timeoutMs: 1.5 },
    { timeoutMs: Infinity },
  ])('refuses the options %j', async (options) => {
    await expect(createPostgresStore({ pool, ...options })).rejects.toThrow(RangeError);
  });

  it('undoes the whole method when a statement of it fails, and says what is wrong', async () => {
    const store = await createPostgresStore({ pool, schema: newSchema() });
    await expect(store.addReport(report(1), 0)).rejects.toMatchObject({ code: '23503' });
    await store.addReporter(reporter(1));
    await expect(
      store.addReport(
        report(1, { identifiers: [...report(1).identifiers, { kind: null as unknown as string, hash: hash(2) }] }),
        0,
      ),
    ).rejects.toMatchObject({ code: '23502' });
    await expect(
      store.addReport(report(1, { identifiers: [{ kind: 'email', hash: undefined as unknown as string }] }), 0),
    ).rejects.toThrow(TypeError);
    expect(await store.count()).toMatchObject({ reports: 0, identifiers: 0 });
    expect(await store.addReport(report(1), 0)).toEqual({ outcome: 'added' });
    expect(pool.waitingCount).toBe(0);
    await store.close();
  });
});
