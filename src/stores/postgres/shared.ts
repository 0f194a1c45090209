import type { SqlWork } from '../../core/store/sql/statement.ts';
import type { TokensRequest } from '../../core/store/records.ts';
import type { SharedStore } from '../../core/store/store.ts';
import { lend, SoundConnectionError, within } from './lend.ts';
import { queryRows, type PostgresPool } from './pool.ts';
import { takeTokens, tidyBuckets } from './bucket-work.ts';
import { lockNumber, type RunSettings } from './run.ts';
import { toStoreError } from './unavailable.ts';

/** Least time after which an unused bucket is deleted (ms): as long as the longest window of the service's limits. */
const KEPT_MS = 3_600_000;
/**
 * Buckets are deleted by the first byte of their names, one byte at a time. All old ones may be millions if strangers
 * have many addresses, and the server could not delete any within the time limit.
 */
const PARTS = 256;
/** The old buckets of a part are deleted once in this number of calls. */
const TIDY_EVERY = 1_000;

/** Counts requests of keys and addresses, which several processes share. */
export interface Buckets {
  readonly takeTokens: SharedStore['takeTokens'];
  /** Call it after other work took tokens. Deletes old buckets once in a while. */
  counted(request: TokensRequest): Promise<void>;
}

/** `tidyEvery` is for tests. */
export function createBuckets(
  run: <T>(start: () => SqlWork<T>) => Promise<T>,
  tidyEvery: number = TIDY_EVERY,
): Buckets {
  // At random: processes that are often restarted reach all parts, too.
  const state = { taken: 0, part: Math.floor(Math.random() * PARTS), keptMs: KEPT_MS };
  const counted = async ({ nowMs, windowMs }: TokensRequest): Promise<void> => {
    // A bucket that was not used for its window is full again.
    state.keptMs = Math.max(state.keptMs, windowMs);
    if (++state.taken % tidyEvery > 0) return;
    state.part = (state.part + 1) % PARTS;
    const { part, keptMs } = state;
    await run(() => tidyBuckets(part, keptMs, nowMs));
  };
  return {
    counted,
    async takeTokens(request) {
      const taken = await run(() => takeTokens(request));
      await counted(request);
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
