import { collectRows, snapshotOf } from '../sql/collected.ts';
import { MIGRATIONS } from '../sql/schema.ts';
import { TABLES } from '../sql/tables.ts';
import { readRows } from '../sql/transfer.ts';
import type { StoreSnapshot } from '../store.ts';
import { lend, SoundConnectionError } from './lend.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { runWork, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';

/** What the transaction sees is fixed by its first statement. */
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';

/** A snapshot: a transaction that stays open on a connection of its own until it is closed. A pool of one connection cannot spare it; there all rows are read at once. */
export function openView(pool: PostgresPool, settings: RunSettings): Promise<StoreSnapshot> {
  return pool.single ? collectView(pool, settings) : holdView(pool, settings);
}

function holdView(pool: PostgresPool, settings: RunSettings): Promise<StoreSnapshot> {
  return new Promise((resolve, reject) => {
    const held = lend(pool, Infinity, async (client) => {
      await begin(client);
      await new Promise<void>((close) => {
        resolve({
          schema: MIGRATIONS.length,
          tables: TABLES,
          readRows: (table, after, limit) =>
            inView(() => runWork(client, settings, () => readRows(table, after, limit))),
          async close() {
            close();
            // A connection that broke meanwhile said so to whoever read on it.
            await held.catch(() => undefined);
          },
        });
      });
      await client.query({ text: 'COMMIT' });
    });
    held.catch(reject);
  });
}

async function collectView(pool: PostgresPool, settings: RunSettings): Promise<StoreSnapshot> {
  return snapshotOf(
    await lend(pool, Infinity, async (client) => {
      await begin(client);
      const rows = await inView(() => runWork(client, settings, collectRows));
      await client.query({ text: 'COMMIT' });
      return rows;
    }),
  );
}

async function begin(client: PostgresClient): Promise<void> {
  try {
    await client.query({ text: BEGIN });
  } catch (error) {
    throw toStoreError(error);
  }
}

/** Work in the view's transaction has none of its own: when it fails the connection is not as it was, whatever it says. */
async function inView<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SoundConnectionError ? error.cause : error;
  }
}
