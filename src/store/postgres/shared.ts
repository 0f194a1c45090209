import type { SharedStore } from '../store.ts';
import { lend, SoundConnectionError } from './lend.ts';
import { lockNumber } from './lock-number.ts';
import type { PostgresPool } from './pool.ts';
import { toStoreError } from './unavailable.ts';

/** Buckets that were not asked for this long are full again, whatever their window; they are thrown away now and then. */
const KEPT_MS = 24 * 3600_000;
/** One of so many takings throws old buckets away. */
const TIDY_EVERY = 10_000;

/** What several processes over one database share besides its tables. */
export function createShared(pool: PostgresPool, schema: string, timeoutMs: number): SharedStore {
  const counted = { taken: 0 };
  const table = `"${schema}".rate_bucket`;
  // What is in the bucket now: the elapsed time has filled it, at most to the brim. A clock that is behind another one's fills nothing and takes nothing away.
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
          const values = [
            Uint8Array.from(bucket.match(/../g)!, (digits) => Number.parseInt(digits, 16)),
            requests,
            nowMs,
            windowMs,
          ];
          const { rows } = await client.query({ ...take, values, rowMode: 'array' });
          const [tokens, allowed] = rows[0] as [number, boolean];
          if (tidy)
            await client.query({
              name: `redflag_tidy_${schema}`,
              text: `DELETE FROM ${table} WHERE at < $1`,
              values: [nowMs - KEPT_MS],
              rowMode: 'array',
            });
          return allowed ? 0 : Math.max(1, Math.ceil(((1 - tokens) * windowMs) / requests));
        });
      } catch (error) {
        throw toStoreError(error);
      }
    },

    /** By a transaction that stays open: the lock goes with its connection, and a pooler that lends connections by the transaction leaves it alone. */
    async lease(name) {
      const held: { release?: () => void } = {};
      const until = new Promise<void>((resolve) => (held.release = resolve));
      return new Promise((resolve, reject) => {
        const lending = lend(pool, Infinity, async (client) => {
          await client.query({ text: 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0' });
          const { rows } = await client.query({
            text: `SELECT pg_try_advisory_xact_lock(${lockNumber(schema, `lease/${name}`)})`,
            values: [],
            rowMode: 'array',
          });
          const [got] = rows[0] as [boolean];
          if (got) {
            resolve({
              async release() {
                held.release!();
                // A connection that was lost meanwhile has given the right back already.
                await lending.catch(() => undefined);
              },
            });
            await until;
          }
          await client.query({ text: 'COMMIT' });
          if (!got) resolve(undefined);
        });
        lending.catch((error: unknown) =>
          reject(toStoreError(error instanceof SoundConnectionError ? error.cause : error)),
        );
      });
    },
  };
}
