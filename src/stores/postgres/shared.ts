import type { SqlWork } from '../../core/store/sql/statement.ts';
import type { SharedStore } from '../../core/store/store.ts';
import { lend, SoundConnectionError, within } from './lend.ts';
import { queryRows, type PostgresPool } from './pool.ts';
import { takeTokens, tidyBuckets } from './bucket-work.ts';
import { lockNumber, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';

/** Milliseconds after which an unused bucket is deleted. By then, it is full again, unless its window is longer. */
const KEPT_MS = 24 * 3600_000;
/** Old buckets are deleted once in this number of calls. */
const TIDY_EVERY = 10_000;

/** Counts requests of keys and addresses, which several processes share. */
export interface Buckets {
  readonly takeTokens: SharedStore['takeTokens'];
  /** Call it after other work took tokens. Deletes old buckets once in a while. */
  counted(nowMs: number | undefined): Promise<void>;
}

export function createBuckets(run: <T>(start: () => SqlWork<T>) => Promise<T>): Buckets {
  const state = { taken: 0 };
  const counted = async (nowMs: number | undefined): Promise<void> => {
    if (++state.taken % TIDY_EVERY === 0) await run(() => tidyBuckets(KEPT_MS, nowMs));
  };
  return {
    counted,
    async takeTokens(request) {
      const taken = await run(() => takeTokens(request));
      await counted(request.nowMs);
      return taken;
    },
  };
}

/** Returns a store's leases. Taking, asking and releasing take at most `timeoutMs` each. */
export function createLeases(
  pool: PostgresPool,
  { schema, timeoutMs }: Pick<RunSettings, 'schema' | 'timeoutMs'>,
): Pick<SharedStore, 'lease'> {
  return {
    /** The lock ends with its connection. An open transaction makes a transaction pooler keep that connection. */
    async lease(name) {
      const held: { release?: () => void } = {};
      const until = new Promise<void>((resolve) => (held.release = resolve));
      return new Promise((resolve, reject) => {
        const lending = lend(pool, timeoutMs, async (client, unlimited) => {
          await client.query({ text: 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0' });
          const text = `SELECT pg_try_advisory_xact_lock(${lockNumber(schema, `lease/${name}`)}) AS locked`;
          const [row] = await queryRows<{ readonly locked: boolean }>(client, { text });
          const isLocked = row?.locked === true;
          if (isLocked) {
            unlimited();
            let isReleased = false;
            resolve({
              /** The lock ends with the transaction, and this statement fails after the transaction has ended. */
              async isHeld() {
                if (isReleased) return false;
                const answer = within(timeoutMs, client.query({ text: 'SELECT 1' }));
                return answer.then(
                  () => !isReleased,
                  () => false,
                );
              },
              async release() {
                isReleased = true;
                held.release?.();
                // A lost connection has already released the lock.
                await lending.catch(() => undefined);
              },
            });
            await until;
          }
          await within(timeoutMs, client.query({ text: 'COMMIT' }));
          if (!isLocked) resolve(undefined);
        });
        lending.catch((error: unknown) =>
          reject(toStoreError(error instanceof SoundConnectionError ? error.cause : error)),
        );
      });
    },
  };
}
