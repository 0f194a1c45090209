import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, it } from 'vitest';
import { createPglitePool } from '../../src/stores/postgres/pglite.ts';
import { createPostgresStore } from '../../src/stores/postgres/store.ts';
import { report, reporter } from '../contract/stored.ts';
import { storeContract, VARIANT_CASES } from '../contract/store.ts';

// One for all tests, each with a schema of its own: starting it takes longer than they do.
const opened: { database?: PGlite; schemas: number } = { schemas: 0 };
const database = async (): Promise<PGlite> => (opened.database ??= await PGlite.create());
afterAll(() => opened.database?.close());

storeContract(
  'PGlite',
  async () =>
    createPostgresStore({
      pool: createPglitePool(await database()),
      schema: `schema_${++opened.schemas}`,
      timeoutMs: 60_000,
    }),
  async (store) => {
    await store.close();
    return createPostgresStore({ pool: createPglitePool(await database()), schema: `schema_${opened.schemas}` });
  },
  VARIANT_CASES,
);

describe('PGlite as a pool', () => {
  it('goes on after a work that failed, and after one that nobody waited for', async () => {
    const pool = createPglitePool(await database());
    const store = await createPostgresStore({ pool, schema: 'failing' });
    await expect(store.addReport(report(1), 0)).rejects.toMatchObject({ code: '23503' });
    const client = await pool.connect();
    await client.query({ text: 'BEGIN' });
    client.release(new Error('given up'));
    await expect(client.query({ text: 'COMMIT' })).rejects.toThrow('released already');
    expect(await store.addReporter(reporter(1))).toBe('added');
    expect(await store.addReport(report(1), 0)).toEqual({ outcome: 'added' });
    await store.close();
  });
});
