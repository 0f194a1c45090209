import { toBytes } from '../sql/columns.ts';
import type { SharedStore } from '../store.ts';
import { lend, SoundConnectionError } from './lend.ts';
import { lockNumber } from './lock-number.ts';
import { queryRows, type PostgresPool } from './pool.ts';
import { toStoreError } from './unavailable.ts';

/** Milliseconds after which an unused bucket is full again, whatever its window. It may then be deleted. */
const KEPT_MS = 24 * 3600_000;
/** Old buckets are deleted once in this number of calls. */
const TIDY_EVERY = 10_000;

/** Returns what processes on one database share besides its tables: leases and rate limits. */
export function createShared(pool: PostgresPool, schema: string, timeoutMs: number): SharedStore {
  const counted = { taken: 0 };
  const table = `"${schema}".rate_bucket`;
  // Tokens in the bucket now: it fills with time until it is full. If this process's clock is behind another's, nothing
  // changes.
  const filled = 'LEAST($2::float8, b.tokens + GREATEST(0, $3::bigint - b.at) * $2::float8 / $4::float8)';
  const take = {
    name: `redflag_take_${schema}`,
    text: `INSERT INTO ${table} AS b (bucket, tokens, at, allowed) VALUES ($1, $2::float8 - 1, $3, true)
      ON CONFLICT (bucket) DO UPDATE SET tokens = ${filled} - CASE WHEN ${filled} >= 1 THEN 1 ELSE 0 END, at = GREATEST(b.at, $3::bigint), allowed = ${filled} >= 1
      RETURNING tokens, allowed`,
  };

  return {
    async takeToken(bucket, { requests, windowMs }, nowMs) {
      const tidy = ++counted.taken % TIDY_EVERY === 0;
      try {
        return await lend(pool, timeoutMs, async (client) => {
          const values = [toBytes(bucket), requests, nowMs, windowMs];
          const [taken] = await queryRows<{ tokens: number; allowed: boolean }>(client, { ...take, values });
          if (tidy)
            await client.query({
              name: `redflag_tidy_${schema}`,
              text: `DELETE FROM ${table} WHERE at < $1`,
              values: [nowMs - KEPT_MS],
            });
          if (!taken || taken.allowed) return 0;
          return Math.max(1, Math.ceil(((1 - taken.tokens) * windowMs) / requests));
        });
      } catch (error) {
        throw toStoreError(error);
      }
    },

    /** The lock ends with its connection. An open transaction makes a transaction pooler keep that connection. */
    async lease(name) {
      const held: { release?: () => void } = {};
      const until = new Promise<void>((resolve) => (held.release = resolve));
      return new Promise((resolve, reject) => {
        const lending = lend(pool, Infinity, async (client) => {
          await client.query({ text: 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0' });
          const text = `SELECT pg_try_advisory_xact_lock(${lockNumber(schema, `lease/${name}`)}) AS locked`;
          const [row] = await queryRows<{ readonly locked: boolean }>(client, { text });
          const isLocked = row?.locked === true;
          if (isLocked) {
            resolve({
              async release() {
                held.release?.();
                // A lost connection has already released the lock.
                await lending.catch(() => undefined);
              },
            });
            await until;
          }
          await client.query({ text: 'COMMIT' });
          if (!isLocked) resolve(undefined);
        });
        lending.catch((error: unknown) =>
          reject(toStoreError(error instanceof SoundConnectionError ? error.cause : error)),
        );
      });
    },
  };
}
