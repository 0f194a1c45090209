import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PostgresClient } from '../../src/stores/postgres/pool.ts';
import { canPipeline, queryAll } from '../../src/stores/postgres/round-trip.ts';
import { runWork, type RunSettings } from '../../src/stores/postgres/run.ts';
import { createStatements } from '../../src/stores/postgres/statements.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { WHOLE } from '../../src/core/store/sql/columns.ts';
import { askEach, onlyIf, together } from '../../src/core/store/sql/rows.ts';
import { sql } from '../../src/core/store/sql/statement.ts';
import { shape } from '../../src/core/store/sql/table.ts';
import type { Store } from '../../src/core/store/store.ts';
import { hash, id, report, reporter } from '../contract/stored.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { openWire, type Wire } from './wire.ts';

const programs = findPostgres();

describe.skipIf(!programs)('round trips to a PostgreSQL server', () => {
  let server: PostgresServer;
  let wire: Wire;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    wire = await openWire(server.connection);
    pool = new pg.Pool({ ...wire.connection, max: 1 });
  });
  afterAll(async () => {
    await pool?.end();
    await wire?.close();
    await server?.remove();
  });

  const bound = (text: string, ...values: (string | number | null)[]) => ({ name: text.slice(0, 60), text, values });
  const withClient = async <T>(task: (client: PostgresClient) => Promise<T>, of = pool): Promise<T> => {
    const client = await of.connect();
    try {
      return await task(client);
    } finally {
      client.release();
    }
  };

  describe('statements that are sent together', () => {
    const statements = [
      bound('SELECT $1::bigint, $2::text, $3::float8, $4::bytea, NULL', 2 ** 53, "Ünïcode '", 0.1, '\\xff00'),
      bound('SELECT n::int, NULL::bytea FROM generate_series(1, $1::int) AS n', 3),
      bound('SELECT 1 WHERE false'),
      bound('SELECT n::int, NULL::bytea FROM generate_series(1, $1::int) AS n', 1),
    ];
    const answers = [
      [[2 ** 53, "Ünïcode '", 0.1, Buffer.from([255, 0]), null]],
      [
        [1, null],
        [2, null],
        [3, null],
      ],
      [],
      [[1, null]],
    ];

    it('are one round trip, the first time and later', async () => {
      for (const _ of [1, 2]) {
        expect(
          await withClient((client) =>
            wire.roundTripsOf(async () => expect(await queryAll(client, statements)).toEqual(answers)),
          ),
        ).toBe(1);
      }
    });

    it('have the same answers from a client that cannot send them together', async () => {
      const plain = (client: PostgresClient): PostgresClient => ({
        query: (query) => client.query(query),
        release: () => undefined,
      });
      await withClient(async (client) => {
        // On one connection, both may prepare the same statement.
        expect(await queryAll(plain(client), [...statements, bound('SELECT 5')])).toEqual([...answers, [[5]]]);
        expect(await queryAll(client, [bound('SELECT 6'), bound('SELECT 5')])).toEqual([[[6]], [[5]]]);
        expect(await queryAll(plain(client), [bound('SELECT 6')])).toEqual([[[6]]]);
      });
      const pipelining = new pg.Pool({ ...server.connection, max: 1, pipeline: true } as pg.PoolConfig);
      await withClient(async (client) => expect(await queryAll(client, statements)).toEqual(answers), pipelining);
      await pipelining.end();
    });

    it('are sent together by this pg, and one after the other if it lacks a part of what that needs', async () => {
      await withClient(async (client) => {
        expect(canPipeline(client), 'the installed pg has another shape than round-trip.ts expects').toBe(true);
        const { connection, getTypeParser } = client as unknown as Record<string, object>;
        const query: PostgresClient['query'] = (asked) => client.query(asked);
        for (const part of ['stream', 'close', 'parse', 'bind', 'describe', 'execute', 'sync', 'getTypeParser']) {
          const other = {
            query,
            release: () => undefined,
            connection: Object.create(connection!, { [part]: { value: undefined } }) as object,
            ...(part !== 'getTypeParser' && { getTypeParser }),
          };
          expect(canPipeline(other), part).toBe(false);
          expect(await queryAll(other, statements)).toEqual(answers);
        }
      });
    });

    it('stop at an error, and the connection works on', async () => {
      await pool.query('CREATE TABLE stops (n INT NOT NULL)');
      const failing = [
        bound('INSERT INTO stops VALUES ($1)', 1),
        bound('SELECT 1 / $1::int', 0),
        bound('INSERT INTO stops VALUES ($1)', 2),
      ];
      await withClient(async (client) => {
        // Twice: the failed statement is prepared all the same.
        for (const _ of [1, 2]) await expect(queryAll(client, failing)).rejects.toMatchObject({ code: '22012' });
        await expect(queryAll(client, [bound('SELECT nonsense')])).rejects.toMatchObject({ code: '42703' });
        expect(await queryAll(client, [bound('SELECT count(*) FROM stops'), bound('SELECT 1 / $1::int', 1)])).toEqual([
          [[0]],
          [[1]],
        ]);
      });
    });

    it('fail as one if a parser of the pool fails', async () => {
      const strict = new pg.Pool({ ...server.connection, max: 1 });
      strict.on('connect', (client) =>
        client.setTypeParser(pg.types.builtins.TEXT, () => {
          throw new Error('no text here');
        }),
      );
      await withClient(async (client) => {
        await expect(queryAll(client, [bound("SELECT 'a'"), bound('SELECT 1')])).rejects.toThrow('no text here');
        expect(await queryAll(client, [bound('SELECT 1')])).toEqual([[[1]]]);
      }, strict);
      await strict.end();
    });

    it('keep the time limit of the pool', async () => {
      const hurried = new pg.Pool({ ...server.connection, max: 1, query_timeout: 200 });
      const client = await hurried.connect();
      expect(await queryAll(client, [bound('SELECT 1')])).toEqual([[[1]]]);
      await expect(queryAll(client, [bound('SELECT pg_sleep(600)')])).rejects.toThrow('timeout');
      client.release(true);
      await hurried.end();
    });
  });

  describe('work', () => {
    const settings: RunSettings = { schema: 'work', statements: createStatements('work'), timeoutMs: 10_000 };
    beforeAll(async () => {
      await createPostgresStore({ pool, schema: 'work' });
      await pool.query('CREATE TABLE counted (n INT PRIMARY KEY)');
    });
    beforeEach(() => pool.query('TRUNCATE counted'));
    const roundTrips = (start: Parameters<typeof runWork>[2]): Promise<number> =>
      withClient((client) => wire.roundTripsOf(() => runWork(client, settings, start)));
    const insert = (n: number) => sql('INSERT INTO counted VALUES (CAST(? AS INT))', n);
    const count = () => sql('SELECT count(*) FROM counted');

    it('with reads that are needed together waits once, and gets each answer in its place', async () => {
      expect(
        await roundTrips(function* () {
          const none = askEach(shape({ n: WHOLE }), 'SELECT 1', []);
          const some = sql('SELECT CAST(? AS INT)', 7);
          expect(yield* together(some, none, count())).toEqual([[[7]], [], [[0]]]);
        }),
      ).toBe(1);
    });

    it('finds nothing if a read has a condition that does not hold', async () => {
      const NUMBER = shape({ n: WHOLE });
      const read = (...lists: number[][]) => askEach(NUMBER, 'SELECT ?::bigint AS n', lists);
      const rows = (...numbers: number[]) => numbers.map((n) => [{ n }]);
      expect(
        await roundTrips(function* () {
          const [yes, no] = ['1 < 2', '1 > 2'];
          expect(
            yield* together(
              onlyIf(yes, read([5])),
              onlyIf(yes, read([5], [6], [7])),
              onlyIf(no, read([5])),
              onlyIf(no, read([5], [6], [7])),
              onlyIf(undefined, read([8])),
              onlyIf(no, read()),
            ),
          ).toEqual([rows(5), rows(5, 6, 7), [[]], [[], [], []], rows(8), []]);
        }),
      ).toBe(1);
    });

    it('that writes waits for the answers of its reads and for the commit only', async () => {
      const start = function* () {
        yield { lock: ['a', 'b'] };
        yield* insert(1);
        yield* insert(2);
        expect(yield* count()).toEqual([[2]]);
        yield* insert(3);
        yield { seenBy: ['ab'] };
      };
      expect(await roundTrips(start)).toBe(2);
      expect((await pool.query('SELECT n FROM counted')).rowCount).toBe(3);
      expect((await pool.query("SELECT writes FROM work.reporter_writes WHERE reporter_id = '\\xab'")).rows).toEqual([
        { writes: '1' },
      ]);
    });

    it('that only writes waits once', async () => {
      const start = function* () {
        yield { lock: ['a'] };
        yield* insert(1);
        yield* insert(2);
      };
      expect(await roundTrips(start)).toBe(1);
    });

    it('whose write fails, or that fails itself, writes nothing', async () => {
      const failing = function* () {
        yield* insert(1);
        yield* sql('INSERT INTO counted VALUES (CAST(? AS INT) / 0)', 1);
      };
      await expect(roundTrips(failing)).rejects.toMatchObject({ cause: { code: '22012' } });
      const throwing = function* () {
        yield* insert(1);
        yield* count();
        throw new TypeError('misuse');
      };
      await expect(roundTrips(throwing)).rejects.toMatchObject({ cause: { message: 'misuse' } });
      expect((await pool.query('SELECT n FROM counted')).rowCount).toBe(0);
    });
  });

  describe('a store', () => {
    let store: Store;
    beforeAll(async () => {
      store = await createPostgresStore({ pool });
      await store.addReporter(reporter(1));
      // The first work on a connection sets it up.
      await store.addReport(report(1), 0);
    });

    it('stores a report in two round trips, and recognises a retry in three', async () => {
      expect(await wire.roundTripsOf(() => store.addReport(report(2), 0))).toBe(2);
      expect(await wire.roundTripsOf(() => store.addReport(report(2, { reportId: id(3) }), 0))).toBe(3);
      expect((await store.findMatches([hash(2)])).map(({ reportId }) => reportId)).toEqual([id(2)]);
    });

    it('saves a link in one round trip, and evicts the oldest in the same', async () => {
      const save = (n: number) =>
        wire.roundTripsOf(() =>
          store.putLink(
            {
              linkHash: hash(500 + n),
              identifiers: report(1).identifiers.map((identifier) => ({ ...identifier, owner: id(7) })),
              createdAt: n,
            },
            2,
          ),
        );
      for (const n of [1, 2, 3]) expect(await save(n)).toBe(1);
      expect(await store.findLink(hash(501))).toBeUndefined();
      for (const n of [2, 3]) expect(await store.findLink(hash(500 + n))).toEqual(report(1).identifiers);
    });
  });
});
