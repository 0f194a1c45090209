import type { KeyRequest, TokensRequest, TokensResult } from '../../core/store/records.ts';
import { orNull, REAL, toBytes, WHOLE, type RowOf } from '../../core/store/sql/columns.ts';
import { ask, together } from '../../core/store/sql/rows.ts';
import { sql, type SingleRead, type SqlValue, type SqlWork } from '../../core/store/sql/statement.ts';
import { shape } from '../../core/store/sql/table.ts';

// Tokens of limits. Processes take them one after the other, under a lock of the reporter or address.

/** Takes tokens without a key. */
export function* takeTokens(request: TokensRequest): SqlWork<TokensResult> {
  const [_locked, [row]] = yield* together(
    sql(`SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(?))`, request.bucket),
    ask(TOKENS, TAKE, ...bucketValues(request)),
  );
  return toTokensResult(request, row);
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

/**
 * Deletes buckets whose names begin with the byte `part`, if they were last used before a time: `keptMs` before `nowMs`
 * or, if that is undefined, before the server's clock.
 */
export function tidyBuckets(part: number, keptMs: number, nowMs: number | undefined): SqlWork<unknown> {
  const first = part.toString(16).padStart(2, '0');
  return sql(
    `DELETE FROM rate_bucket WHERE bucket BETWEEN ? AND ? AND at < COALESCE(?::bigint, ${CLOCK}) - ?`,
    toBytes(first),
    toBytes(first + LONGEST_NAME),
    nowMs ?? null,
    keptMs,
  );
}

/** No name of a bucket has more bytes: a name of 16, and the id of a reporter. */
const LONGEST_NAME = 'ff'.repeat(24);

/** Null if the bucket was not asked or the key did not work. */
const TAKEN_COLUMNS = { leftTokens: orNull(REAL), taken: orNull(REAL), admitted: orNull(REAL) };
export const TOKENS = shape(TAKEN_COLUMNS);
export type TokensRow = RowOf<typeof TAKEN_COLUMNS>;

export function toTokensResult(
  { requests, windowMs, cost }: TokensRequest,
  { leftTokens: left = null, taken = null }: Partial<TokensRow> = {},
): TokensResult {
  // The key did not work, so no token was taken. If the caller finds that the key works, it may retry at once.
  if (left === null || taken === null) return { taken: 0, waitMs: 1, left: 0 };
  const missing = taken > 0 ? 0 : Math.min(cost, requests) - left;
  return { taken, waitMs: missing > 0 ? Math.max(1, Math.ceil((missing * windowMs) / requests)) : 0, left };
}

/** Returns the parameters of {@link TAKE}: six values. */
export function bucketValues({ nowMs, bucket, requests, windowMs, cost, tokens }: TokensRequest): SqlValue[] {
  return [nowMs ?? null, toBytes(bucket), requests, windowMs, cost, tokens];
}

/** Milliseconds of the server's clock now, not at the beginning of the transaction. */
const CLOCK = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** Locks with two numbers never meet the store's other locks, which have one. */
const LOCK_CLASS = 0x72_66;
const LOCK_REPORTER = `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext(encode(reporter_id, 'hex')))
  FROM api_key WHERE digest = ?`;

/**
 * The CTEs that take tokens. A refusal writes nothing, unless the server's clock was set back: then the bucket begins
 * to refill from now. The last CTE, `answer`, has one row. In the rest of the transaction, {@link IS_ADMITTED}
 * tells whether they were taken.
 */
const takeFrom = (bucket: string, source: string): string => `
  asked AS (SELECT ${bucket} AS bucket, $3::float8 AS size, $4::float8 AS window_ms, $5::float8 AS cost,
      $6::float8 AS tokens, COALESCE($1::bigint, ${CLOCK}) AS ms${source}),
  filling AS (SELECT asked.*, COALESCE(b.at > ms, false) AS set_back, LEAST(size, COALESCE(b.tokens + GREATEST(0, ms - b.at) * size / window_ms, size)) AS filled
    FROM asked LEFT JOIN rate_bucket AS b ON b.bucket = asked.bucket),
  taking AS (SELECT bucket, ms, filled, set_back, CASE WHEN filled < LEAST(cost, size) THEN 0
      WHEN filled >= tokens THEN tokens ELSE cost END AS taken
    FROM filling),
  written AS (INSERT INTO rate_bucket AS b (bucket, tokens, at, allowed)
    SELECT bucket, filled - taken, ms, true FROM taking WHERE taken > 0 OR set_back
    ON CONFLICT (bucket) DO UPDATE SET tokens = EXCLUDED.tokens, at = EXCLUDED.at, allowed = true),
  answer AS (SELECT min(filled - taken) AS left_tokens, min(taken) AS taken,
      set_config('redflag.taken', CASE WHEN min(taken) > 0 THEN '1' ELSE '0' END, true)::float8 AS admitted
    FROM taking)`;

const TAKE = `WITH ${takeFrom('$2::bytea', '')}
  SELECT left_tokens, taken, admitted FROM answer`;

/** Only a key that works has a bucket: guessed keys use no memory. */
const WORKS = `(api_key_ends_at IS NULL OR api_key_ends_at > $7::bigint) AND reporter_suspended = 0
  AND (api_key_scope IS NULL OR api_key_scope = $8)`;
/** Finds a key by `$9` with the given statement, and takes tokens of its reporter if it works at `$7` for `$8`. */
export const keyAndTake = (key: string): string => `WITH found AS (${key.replace('?', '$9')}),
  ${takeFrom('$2::bytea || found.reporter_reporter_id', ` FROM (SELECT * FROM found LIMIT 1) AS found WHERE ${WORKS}`)}
  SELECT found.*, left_tokens, taken, admitted FROM found LEFT JOIN answer ON true`;

/** True in the rest of a transaction that has taken tokens. */
export const IS_ADMITTED = "current_setting('redflag.taken', true) = '1'";
