import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { TABLES } from '../../src/core/store/sql/catalogue.ts';
import type { Store } from '../../src/core/store/store.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../postgres-server.ts';
import { emptyEarlierOnPostgres, SOME_EARLIER_VERSIONS } from './earlier.ts';

const programs = findPostgres();
/** What refers to others before those. */
const CONTENT = [...TABLES.map(({ name }) => name).reverse(), 'reporter_writes', 'rate_bucket'];

// The contract on schemas that an earlier program made: only later calls show what a migration forgot. That all rows
// of an earlier program read the same is in postgres.test.ts.
describe.skipIf(!programs)('on a PostgreSQL server', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  const made = new Set<string>();
  const used = { schemas: 0 };
  const schemaOf = new WeakMap<Store, string>();
  beforeAll(async () => {
    server = await startPostgres(programs!, { settings: HASTY });
    pool = new pg.Pool({ ...server.connection, max: 5 });
  });
  afterAll(async () => {
    await pool?.end();
    await server?.remove();
  });

  beforeEach(() => void (used.schemas = 0));

  const open = async (schema: string): Promise<Store> => {
    const store = await createPostgresStore({ pool, schema });
    schemaOf.set(store, schema);
    return store;
  };

  for (const version of SOME_EARLIER_VERSIONS) {
    storeContract(
      `PostgreSQL, of schema ${version}`,
      async () => {
        const schema = `schema_${version}_${++used.schemas}`;
        // Brought up to date once, and emptied for each test after the first.
        if (made.has(schema)) await pool.query(CONTENT.map((table) => `DELETE FROM ${schema}.${table}`).join('; '));
        else await pool.query(`${emptyEarlierOnPostgres(schema, version)} RESET search_path`);
        made.add(schema);
        return open(schema);
      },
      async (store) => {
        await store.close();
        return open(schemaOf.get(store)!);
      },
      VARIANT_CASES,
    );
  }
});
