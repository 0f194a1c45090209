import { collectRows, createSnapshot, snapshotOf } from '../../core/store/sql/transfer.ts';
import type { StoreSnapshot } from '../../core/store/upkeep.ts';
import { lend, SoundConnectionError } from './lend.ts';
import type { PostgresClient, PostgresPool } from './pool.ts';
import { runWork, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';

/** The first statement fixes the transaction's snapshot. */
const BEGIN = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';

/**
 * Opens a snapshot: a transaction that stays open on its own connection until it is closed. If the pool has only one
 * connection, all rows are read at once instead.
 */
export function openView(pool: PostgresPool, settings: RunSettings): Promise<StoreSnapshot> {
  return pool.single ? collectView(pool, settings) : holdView(pool, settings);
}

function holdView(pool: PostgresPool, settings: RunSettings): Promise<StoreSnapshot> {
  return new Promise((resolve, reject) => {
    const held = lend(pool, Infinity, async (client) => {
      await begin(client);
      await new Promise<void>((close) => {
        const snapshot = createSnapshot(
          (start) => inView(() => runWork(client, settings, start)),
          async () => {
            close();
            // If the connection broke, its reads have already rejected.
            await held.catch(() => undefined);
          },
        );
        resolve(snapshot);
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

/** Runs a read in the view's transaction. Callers get the cause of a SoundConnectionError. */
async function inView<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SoundConnectionError ? error.cause : error;
  }
}
