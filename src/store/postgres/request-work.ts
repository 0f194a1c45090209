import { damage } from '../errors.ts';
import type { AskedFacts, AskedKey, AskedToken, FoundKey, StoredFacts } from '../records.ts';
import { API_KEY, DISPUTE, LINK_IDENTIFIER, REPORTER } from '../sql/catalogue.ts';
import { FLAG, orNull, REAL, toBytes, type RowOf } from '../sql/columns.ts';
import { NO_FACTS } from '../sql/facts.ts';
import type { StoreWork } from '../sql/methods.ts';
import { findProtections } from '../sql/moderation.ts';
import { findLinked, firstMatches, nextMatches } from '../sql/queries.ts';
import { askPairs, pairColumns, type Pair } from '../sql/pairs.ts';
import { ask, missingRow, putWhere, readEach } from '../sql/rows.ts';
import { hashLock, onlyIf, sql, together, type SingleRead, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { shape } from '../sql/table.ts';

// The work of requests on a server, where each round trip counts: no statement needs the answer to another.

/** The methods of the store that answer a request in one round trip. */
export const REQUEST_WORK = {
  *findKey(asked) {
    return toFoundKey(asked, yield* readKey(asked));
  },

  /**
   * With a token, the reads whose cost grows with the reports find nothing unless the token was taken. A request that
   * is refused costs a few index lookups.
   */
  *findFacts({ hashes, linkHash, key: asked }: AskedFacts): SqlWork<StoredFacts> {
    const admitted = asked?.token && IS_ADMITTED;
    const [keys, first, protections, disputesOf, linked] = yield* together(
      readKey(asked),
      onlyIf(admitted, firstMatches(hashes)),
      findProtections(hashes),
      onlyIf(
        admitted,
        readEach(
          DISPUTE,
          'WHERE report_id IN (SELECT report_id FROM identifier WHERE hash = ? AND disputed = 1)',
          hashes.map((hash) => [toBytes(hash)]),
        ),
      ),
      findLinked(linkHash),
    );
    const key = asked && toFoundKey(asked, keys);
    if (asked && !key) return NO_FACTS;
    if (first.length === 0) return { ...NO_FACTS, ...(key && { key }) };
    const matches = yield* nextMatches(hashes, first);
    // A report with several of the hashes is found by each of them.
    const disputes = new Map(disputesOf.flat().map((dispute) => [`${dispute.reportId} ${dispute.openedAt}`, dispute]));
    return { matches, protections, disputes: [...disputes.values()], linked, ...(key && { key }) };
  },

  /**
   * Adds the rows before it evicts, because an eviction must not depend on an answer. Reinserts all rows: an eviction
   * before the lock may have deleted existing ones.
   */
  *putLink({ linkHash, identifiers, createdAt }, linksPerHash) {
    const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
    yield { lock: hashes.map(hashLock) };
    // A report may have been removed since it matched. Do not add its hash to a link again.
    for (const { hash, kind } of identifiers)
      yield* putWhere(LINK_IDENTIFIER, { linkHash, hash, kind, createdAt }, IS_REPORTED, toBytes(hash));
    for (const hash of hashes) yield* sql(EVICT_OLDEST, toBytes(hash), toBytes(linkHash), linksPerHash - 1);
  },
} satisfies Partial<StoreWork>;

/** Takes a token from a bucket. Returns 0, or the milliseconds until one is available. */
export function* takeToken(token: AskedToken): SqlWork<number> {
  const [taken] = yield* ask(TAKEN, TAKE, ...bucketValues(token));
  return toWaitMs(token, taken);
}

/** Deletes the buckets that were last used before a time. */
export function tidyBuckets(beforeMs: number): SqlWork<unknown> {
  return sql('DELETE FROM rate_bucket WHERE at < ?', beforeMs);
}

/** The columns are null if the key did not work when the token was to be taken. */
const TAKEN_COLUMNS = { tokens: orNull(REAL), allowed: orNull(FLAG) };
const TAKEN = shape(TAKEN_COLUMNS);
type Taken = RowOf<typeof TAKEN_COLUMNS>;

const KEY_ROWS = { left: API_KEY, right: REPORTER };
const KEY_AND_TOKEN_ROWS = { ...KEY_ROWS, rest: TAKEN };
type KeyRow = Pair<(typeof API_KEY)['columns'], (typeof REPORTER)['columns'], Partial<Taken>>;

/** Reads a key with its reporter, and takes the token if the key works. */
function readKey(asked: AskedKey | undefined): SingleRead<KeyRow[]> {
  const { digest, token } = asked ?? {};
  if (digest === undefined) return askPairs(KEY_ROWS, KEY, []);
  if (!token) return askPairs(KEY_ROWS, KEY, [[toBytes(digest)]]);
  return askPairs(KEY_AND_TOKEN_ROWS, KEY_WITH_TOKEN, [[...bucketValues(token), toBytes(digest)]]);
}

function toFoundKey({ digest, token }: AskedKey, [found]: readonly KeyRow[]): FoundKey | undefined {
  if (!found) return undefined;
  const { left: key, right: reporter, rest: taken } = found;
  if (key.digest !== digest) throw damage('a lookup in the table api_key returned another key: an index is damaged');
  if (reporter?.reporterId !== key.reporterId) throw missingRow(REPORTER);
  return { key, reporter, ...(token && { waitMs: toWaitMs(token, taken) }) };
}

function toWaitMs({ requests, windowMs }: AskedToken, { tokens = null, allowed }: Partial<Taken> = {}): number {
  // The key did not work at `nowMs`, so no token was taken. If the caller finds that the key works, it may retry at
  // once.
  if (tokens === null) return 1;
  return allowed ? 0 : Math.max(1, Math.ceil(((1 - tokens) * windowMs) / requests));
}

function bucketValues({ bucket, requests, windowMs, nowMs }: AskedToken): SqlValue[] {
  return [toBytes(bucket), requests, nowMs, windowMs];
}

/** True in the rest of a transaction that has taken a token. */
const IS_ADMITTED = "current_setting('redflag.admitted', true) = 'yes'";

// Tokens in the bucket now: it fills with time until it is full. If this process's clock is behind another's, nothing
// changes.
const FILLED = 'LEAST($2::float8, b.tokens + GREATEST(0, $3::bigint - b.at) * $2::float8 / $4::float8)';
const takeFrom = (source: string): string => `INSERT INTO rate_bucket AS b (bucket, tokens, at, allowed)
    SELECT $1, $2::float8 - 1, $3::bigint, true ${source}
    ON CONFLICT (bucket) DO UPDATE SET tokens = ${FILLED} - CASE WHEN ${FILLED} >= 1 THEN 1 ELSE 0 END,
      at = GREATEST(b.at, $3::bigint), allowed = ${FILLED} >= 1
    RETURNING tokens, allowed`;

const TAKE = `WITH taken AS (${takeFrom('')}) SELECT tokens, allowed::int AS allowed FROM taken`;

const KEY = `SELECT ${pairColumns(API_KEY, REPORTER)}
  FROM api_key LEFT JOIN reporter USING (reporter_id) WHERE digest = ?`;
/** Only a key that works has a bucket: guessed keys use no memory. */
const WORKS = '(api_key_ends_at IS NULL OR api_key_ends_at > $3::bigint) AND reporter_suspended = 0';
const KEY_WITH_TOKEN = `WITH found AS (${KEY.replace('?', '$5')}),
  taken AS (${takeFrom(`FROM found WHERE ${WORKS} LIMIT 1`)})
  SELECT found.*, tokens, allowed::int AS allowed,
    set_config('redflag.admitted', CASE WHEN allowed THEN 'yes' ELSE 'no' END, true)
  FROM found LEFT JOIN taken ON true`;

const IS_REPORTED = 'EXISTS (SELECT 1 FROM identifier WHERE hash = ?)';
/** Deletes the oldest links with a hash, as a whole. The link of the second parameter stays and does not count. */
const EVICT_OLDEST = `DELETE FROM link_identifier WHERE link_hash IN (
    SELECT link_hash FROM link_identifier WHERE hash = ? AND link_hash <> ? ORDER BY created_at DESC, link_hash DESC OFFSET ?)`;
