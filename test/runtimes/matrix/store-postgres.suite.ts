import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { createPostgresStore } from '../../../src/stores/postgres/store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { reporterContract } from '../../contract/store-reporters.ts';
import { transferContract } from '../../contract/store-transfer.ts';
import { reporter } from '../../contract/stored.ts';
import { findPostgres, HASTY, startPostgres, type PostgresServer } from '../../postgres-server.ts';

const programs = findPostgres();
if (programs === undefined) throw new Error('PostgreSQL’s server is not installed');

let server: PostgresServer;
let pool: pg.Pool;
beforeAll(async () => {
  server = await startPostgres(programs, { settings: HASTY });
  pool = new pg.Pool({ ...server.connection, max: 5 });
});
afterAll(async () => {
  await pool?.end();
  await server?.remove();
});

// A part of the contract: rows of every table, transactions and large lists. All of it would take CI minutes, because
// each test makes its own schema.
describe('store contract, in part: PostgreSQL', () => {
  const made = { schemas: 0 };
  const open = (): Promise<Store> => createPostgresStore({ pool, schema: `schema_${++made.schemas}` });
  let store: Store;
  beforeEach(async () => {
    store = await open();
    await store.addReporter(reporter(1));
    await store.addReporter(reporter(2));
  });
  afterEach(() => store.close());

  reporterContract(() => store);
  transferContract(() => store, open);
});
