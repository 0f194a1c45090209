import type { Reporter } from '../../core/domain/reporter.ts';
import type { KeyRequest, TokensRequest, TokensResult } from '../../core/store/records.ts';
import { orNull, REAL, toBytes, WHOLE, type RowOf } from '../../core/store/sql/columns.ts';
import { ask } from '../../core/store/sql/rows.ts';
import { sql, together, type SingleRead, type SqlValue, type SqlWork } from '../../core/store/sql/statement.ts';
import { shape } from '../../core/store/sql/table.ts';

// Tokens of limits. Processes take them one after the other, under a lock of the reporter or address. So a statement
// may look at all buckets before it takes from any.

/** Takes tokens without a key. */
export function* takeTokens(request: TokensRequest): SqlWork<TokensResult> {
  const [first] = request.buckets;
  const [_locked, [row]] = yield* together(
    sql(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(?))`, first?.bucket ?? ''),
    ask(TOKENS, TAKE, ...bucketValues(request)),
  );
  return toTokensResult(request, undefined, row);
}

/** Waits for other takers of the same reporter, if tokens are asked. The transaction's end releases the lock. */
export function* lockReporter(request: KeyRequest | undefined): SingleRead<void> {
  yield { sql: LOCK_REPORTER, each: request?.tokens ? [[toBytes(request.digest)]] : [] };
}

const NOW = shape({ ms: WHOLE });

/** Returns the time of the server's clock (ms, UTC). */
export function* readClock(): SqlWork<number> {
  const [row] = yield* ask(NOW, `SELECT ${CLOCK} AS ms`);
  return row!.ms;
}

/** Deletes the buckets that were last used before a time; undefined: before `keptMs` of the server's clock. */
export function tidyBuckets(keptMs: number, nowMs: number | undefined): SqlWork<unknown> {
  return sql(`DELETE FROM rate_bucket WHERE at < COALESCE(?::bigint, ${CLOCK}) - ?`, nowMs ?? null, keptMs);
}

/** Two columns for each bucket. They are null if the bucket was not asked or the key did not work. */
const TAKEN_COLUMNS = {
  left0: orNull(REAL),
  taken0: orNull(REAL),
  left1: orNull(REAL),
  taken1: orNull(REAL),
  admitted: orNull(REAL),
};
export const TOKENS = shape(TAKEN_COLUMNS);
export type TokensRow = RowOf<typeof TAKEN_COLUMNS>;

/** `reporter` is undefined if the asked buckets are not those of a key. */
export function toTokensResult(
  { buckets }: TokensRequest,
  reporter: Reporter | undefined,
  { left0 = null, taken0 = null, left1 = null, taken1 = null }: Partial<TokensRow> = {},
): TokensResult {
  return buckets.map(({ requests, unverified, isBudget, windowMs, cost }, at) => {
    const [left, taken] = at === 0 ? [left0, taken0] : [left1, taken1];
    // The key did not work, so no token was taken. If the caller finds that the key works, it may retry at once.
    if (left === null || taken === null) return { taken: 0, waitMs: 1, left: 0 };
    const budget = isBudget === true ? reporter?.identifiersPerDay : null;
    const size = budget ?? (reporter?.verified === false ? unverified : requests);
    const missing = taken > 0 ? 0 : Math.min(cost, size) - left;
    return { taken, waitMs: missing > 0 ? Math.max(1, Math.ceil((missing * windowMs) / size)) : 0, left };
  });
}

const VALUES_EACH = 7;
/** Returns the parameters of {@link TAKE}: 15 values. */
export function bucketValues({ nowMs, buckets: [first, second] }: TokensRequest): SqlValue[] {
  const values: SqlValue[] = [nowMs ?? null];
  for (const bucket of [first, second]) {
    if (bucket)
      values.push(
        toBytes(bucket.bucket),
        bucket.requests,
        bucket.unverified,
        bucket.isBudget === true ? 1 : 0,
        bucket.windowMs,
        bucket.cost,
        bucket.tokens,
      );
    else for (let at = 0; at < VALUES_EACH; at++) values.push(null);
  }
  return values;
}

/** Milliseconds of the server's clock now, not at the beginning of the transaction. */
const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** Locks with two numbers never meet the store's other locks, which have one. */
const LOCK_CLASS = 0x72_66;
const LOCK_REPORTER = `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(encode(reporter_id, 'hex')))
  FROM api_key WHERE digest = ?`;

const LISTED = [0, 1]
  .map((at) => {
    const [bucket, ...numbers] = Array.from({ length: VALUES_EACH }, (_, n) => `$${2 + at * VALUES_EACH + n}`);
    return `(${at}, ${bucket}::bytea, ${numbers.map((number) => `${number}::float8`).join(', ')})`;
  })
  .join(', ');

/**
 * The CTEs that take tokens. A refusal writes nothing, unless the server's clock was set back: then the bucket begins
 * to refill from now. The last CTE, `answer`, has one row. In the rest of the transaction, {@link IS_ADMITTED}
 * tells whether they were taken.
 */
const takeFrom = (bucket: string, size: string, source: string): string => `
  clock AS (SELECT COALESCE($1::bigint, ${CLOCK}) AS ms),
  asked AS (SELECT list.place, ${bucket} AS bucket, ${size} AS size, list.window_ms, list.cost, list.tokens, clock.ms
    FROM clock, (VALUES ${LISTED}) AS list (place, bucket, requests, unverified, is_budget, window_ms, cost, tokens)${source}),
  filling AS (SELECT asked.*, COALESCE(b.at > ms, false) AS set_back, LEAST(size, COALESCE(b.tokens + GREATEST(0, ms - b.at) * size / window_ms, size)) AS filled
    FROM asked LEFT JOIN rate_bucket AS b ON b.bucket = asked.bucket),
  taking AS (SELECT place, bucket, ms, filled, set_back, CASE WHEN NOT bool_and(filled >= LEAST(cost, size)) OVER () THEN 0
      WHEN filled >= tokens THEN tokens ELSE cost END AS taken
    FROM filling),
  written AS (INSERT INTO rate_bucket AS b (bucket, tokens, at, allowed)
    SELECT bucket, filled - taken, ms, true FROM taking WHERE taken > 0 OR set_back
    ON CONFLICT (bucket) DO UPDATE SET tokens = EXCLUDED.tokens, at = EXCLUDED.at, allowed = true),
  answer AS (SELECT ${[0, 1]
    .map(
      (place) => `min(filled - taken) FILTER (WHERE place = ${place}) AS left${place},
      min(taken) FILTER (WHERE place = ${place}) AS taken${place}`,
    )
    .join(', ')},
      set_config('redflag.taken', CASE WHEN min(taken) > 0 THEN '1' ELSE '0' END, true)::float8 AS admitted
    FROM taking)`;

const TAKE = `WITH ${takeFrom('list.bucket', 'list.requests', ' WHERE list.bucket IS NOT NULL')}
  SELECT left0, taken0, left1, taken1, admitted FROM answer`;

/** Only a key that works has a bucket: guessed keys use no memory. */
const WORKS = `(api_key_ends_at IS NULL OR api_key_ends_at > $16::bigint) AND reporter_suspended = 0
  AND (api_key_scope IS NULL OR api_key_scope = $17)`;
const BUDGET = 'CASE WHEN list.is_budget = 1 THEN found.reporter_identifiers_per_day END';
/**
 * Finds a key by `$18` with the given statement, and takes tokens of its reporter if it works at `$16` for `$17`. A
 * reporter's own budget is part of the name of its bucket.
 */
export const keyAndTake = (key: string): string => `WITH found AS (${key.replace('?', '$18')}),
  ${takeFrom(
    `list.bucket || found.reporter_reporter_id || COALESCE(int8send(${BUDGET}), '')`,
    `COALESCE(${BUDGET}, CASE WHEN found.reporter_verified = 1 THEN list.requests ELSE list.unverified END)`,
    ` CROSS JOIN (SELECT * FROM found LIMIT 1) AS found WHERE list.bucket IS NOT NULL AND ${WORKS}`,
  )}
  SELECT found.*, left0, taken0, left1, taken1, admitted FROM found LEFT JOIN answer ON true`;

/** True in the rest of a transaction that has taken tokens. */
export const IS_ADMITTED = "current_setting('redflag.taken', true) = '1'";
