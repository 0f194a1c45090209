import pg from 'pg';
import { expect, it } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { hash, report, reporter } from '../contract/stored.ts';
import { findPostgres, HASTY, startPostgres } from '../postgres-server.ts';
import { SCALE_DDL } from './scale-ddl.ts';

const programs = findPostgres();

// Citus is not installed. Everything but its calls runs on a server, and the store must work with the result.
it.skipIf(!programs)(
  'the DDL in docs/scale.md runs on a schema that redflag made, and the store works on what it leaves',
  async () => {
    const server = await startPostgres(programs!, { settings: HASTY });
    const pool = new pg.Pool({ ...server.connection, max: 4 });
    try {
      await (await createPostgresStore({ pool })).close();
      const statements = SCALE_DDL.split(';\n')
        .map((text) => text.replace(/^--.*$/gm, '').trim())
        .filter((text) => text !== '' && text !== 'CREATE EXTENSION citus' && !text.startsWith('SELECT create_'));
      expect(statements.length).toBeGreaterThan(5);
      const client = await pool.connect();
      for (const statement of statements) await client.query(statement);
      // The partitions were dropped with the table.
      const { rows } = await client.query(
        "SELECT relname FROM pg_class WHERE relname LIKE 'identifier%' AND relkind IN ('r', 'p') ORDER BY relname",
      );
      expect(rows).toEqual([{ relname: 'identifier' }]);
      const columns = async (text: string): Promise<unknown> =>
        (
          await client.query(
            `SELECT column_name, data_type, collation_name, is_nullable, column_default FROM information_schema.columns WHERE table_schema = '${text}' AND table_name = 'identifier' ORDER BY ordinal_position`,
          )
        ).rows;
      const changed = await columns('redflag');
      client.release(true);

      const store = await createPostgresStore({ pool });
      const other = await createPostgresStore({ pool, schema: 'as_it_was' });
      const again = await pool.connect();
      const before = (
        await again.query(
          "SELECT column_name, data_type, collation_name, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'as_it_was' AND table_name = 'identifier' ORDER BY ordinal_position",
        )
      ).rows;
      again.release();
      expect(changed).toEqual(before);
      await store.addReporter(reporter(1));
      expect(
        await store.addReport(
          report(1, {
            identifiers: [
              { kind: 'email', hash: hash(1) },
              { kind: 'ip', hash: hash(2) },
            ],
          }),
          0,
        ),
      ).toEqual({ outcome: 'added' });
      expect(await store.findMatches([hash(1), hash(2), hash(3)])).toHaveLength(2);
      expect(await store.check()).toEqual([]);
      await Promise.all([store.close(), other.close()]);
    } finally {
      await pool.end();
      await server.remove();
    }
  },
);
