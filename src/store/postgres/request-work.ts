import type { Dispute } from '../../domain/dispute.ts';
import { damage } from '../errors.ts';
import type { AskedFacts, AskedKey, AskedTokens, FoundKey, Match, StoredFacts, TakenTokens } from '../records.ts';
import { API_KEY, DISPUTE, IDENTIFIER, LINK_IDENTIFIER, REPORTER } from '../sql/catalogue.ts';
import { orNull, REAL, toBytes, type RowOf } from '../sql/columns.ts';
import { NO_FACTS } from '../sql/facts.ts';
import type { StoreWork } from '../sql/methods.ts';
import { findProtections } from '../sql/moderation.ts';
import { findLinked, FIRST_MATCHES, nextMatches, ownersOf } from '../sql/queries.ts';
import { askPairs, pairColumns, type Pair } from '../sql/pairs.ts';
import { ask, find, missingRow, putWhere } from '../sql/rows.ts';
import { hashLock, onlyIf, sql, together, type SingleRead, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { shape } from '../sql/table.ts';

// The work of requests on a server, where each round trip counts: no statement needs the answer to another.

/** The methods of the store that answer a request in one round trip. */
export const REQUEST_WORK = {
  *findKey(asked) {
    return toFoundKey(asked, yield* readKey(asked));
  },

  /**
   * If tokens are asked, the reads whose cost grows with the reports find nothing unless the tokens were taken. A
   * request that is refused costs a few index lookups.
   */
  *findFacts({ hashes, linkHash, key: asked }: AskedFacts): SqlWork<StoredFacts> {
    const admitted = asked?.tokens && IS_ADMITTED;
    const [keys, first, protections, linked] = yield* together(
      readKey(asked),
      onlyIf(
        admitted,
        askPairs(
          MATCH_ROWS,
          MATCHES,
          hashes.map((hash) => [toBytes(hash)]),
        ),
      ),
      findProtections(hashes),
      findLinked(linkHash),
    );
    const key = asked && toFoundKey(asked, keys);
    if (asked && !key) return NO_FACTS;
    if (first.length === 0) return { ...NO_FACTS, ...(key && { key }) };
    return { ...(yield* toMatches(hashes, first)), protections, linked, ...(key && { key }) };
  },

  /**
   * Adds the rows before it evicts, because an eviction must not depend on an answer. Reinserts all rows: an eviction
   * before the lock may have deleted existing ones.
   */
  *putLink(link, linksPerHash) {
    const { linkHash, identifiers, createdAt } = link;
    const owners = ownersOf(link);
    yield { lock: [...owners.keys()].map(hashLock) };
    // A report may have been removed since it matched. Do not add its hash to a link again.
    for (const { hash, kind, owner = null } of identifiers)
      yield* putWhere(LINK_IDENTIFIER, { linkHash, hash, kind, createdAt, owner }, IS_REPORTED, toBytes(hash));
    for (const [hash, owner] of owners)
      yield* sql(EVICT_OLDEST, toBytes(hash), owner, toBytes(linkHash), linksPerHash - 1);
  },
} satisfies Partial<StoreWork>;

/** Takes tokens from a bucket. */
export function* takeTokens(asked: AskedTokens): SqlWork<TakenTokens> {
  const [taken] = yield* ask(TAKEN, TAKE, ...bucketValues(asked));
  return toTaken(asked, taken);
}

/** Deletes the buckets that were last used before a time. */
export function tidyBuckets(beforeMs: number): SqlWork<unknown> {
  return sql('DELETE FROM rate_bucket WHERE at < ?', beforeMs);
}

/** The columns are null if the key did not work when the tokens were to be taken. */
const TAKEN_COLUMNS = { tokens: orNull(REAL), taken: orNull(REAL) };
const TAKEN = shape(TAKEN_COLUMNS);
type TakenRow = RowOf<typeof TAKEN_COLUMNS>;

const KEY_ROWS = { left: API_KEY, right: REPORTER };
const KEY_AND_TAKEN_ROWS = { ...KEY_ROWS, rest: TAKEN };
type KeyRow = Pair<(typeof API_KEY)['columns'], (typeof REPORTER)['columns'], Partial<TakenRow>>;

/** Reads a key with its reporter, and takes tokens if they are asked and the key works. */
function readKey(asked: AskedKey | undefined): SingleRead<KeyRow[]> {
  const { digest, tokens } = asked ?? {};
  if (digest === undefined) return askPairs(KEY_ROWS, KEY, []);
  if (!tokens) return askPairs(KEY_ROWS, KEY, [[toBytes(digest)]]);
  return askPairs(KEY_AND_TAKEN_ROWS, KEY_AND_TAKE, [[...bucketValues(tokens), toBytes(digest)]]);
}

function toFoundKey({ digest, tokens }: AskedKey, [found]: readonly KeyRow[]): FoundKey | undefined {
  if (!found) return undefined;
  const { left: key, right: reporter, rest } = found;
  if (key.digest !== digest) throw damage('a lookup in the table api_key returned another key: an index is damaged');
  if (reporter?.reporterId !== key.reporterId) throw missingRow(REPORTER);
  return { key, reporter, ...(tokens && { tokens: toTaken(tokens, rest) }) };
}

function toTaken(
  { requests, windowMs }: AskedTokens,
  { tokens: left = null, taken = null }: Partial<TakenRow> = {},
): TakenTokens {
  // The key did not work at `nowMs`, so no token was taken. If the caller finds that the key works, it may retry at
  // once.
  if (left === null || taken === null) return { taken: 0, waitMs: 1, left: 0 };
  return { taken, waitMs: taken > 0 ? 0 : Math.max(1, Math.ceil(((1 - left) * windowMs) / requests)), left };
}

function bucketValues({ bucket, requests, windowMs, nowMs, tokens }: AskedTokens): SqlValue[] {
  return [toBytes(bucket), requests, nowMs, windowMs, tokens];
}

const MATCH_ROWS = { left: IDENTIFIER, right: DISPUTE };
type MatchRow = Pair<(typeof IDENTIFIER)['columns'], (typeof DISPUTE)['columns'], unknown>;

/** The first page of matches of a hash. A match with several disputes is several rows. */
const MATCHES = `SELECT ${pairColumns(IDENTIFIER, DISPUTE)} FROM (${FIRST_MATCHES}) AS identifier
  LEFT JOIN dispute ON identifier.disputed = 1 AND dispute.report_id = identifier.report_id`;

function* toMatches(
  hashes: readonly string[],
  rows: readonly MatchRow[],
): SqlWork<Pick<StoredFacts, 'matches' | 'disputes'>> {
  const matches = new Map<string, Match>();
  const disputes = new Map<string, Dispute>();
  for (const { left, right: dispute } of rows) {
    const { hash, kind, reportId, reporterId, type, severity, createdAt, disputed, position } = left;
    if (!hashes.includes(hash))
      throw damage('a lookup in the table identifier returned another hash: an index is damaged');
    const match = { hash, kind, reportId, reporterId, type, severity, createdAt, disputed };
    matches.set(`${hash} ${reportId} ${position}`, match);
    if (dispute) disputes.set(`${reportId} ${dispute.openedAt}`, dispute);
  }
  const first = [...matches.values()];
  const all = yield* nextMatches(hashes, first);
  if (all === first) return { matches: first, disputes: [...disputes.values()] };
  const disputed = all.filter((match) => match.disputed).map(({ reportId }) => reportId);
  return { matches: all, disputes: yield* find(DISPUTE, 'reportId', [...new Set(disputed)]) };
}

/** Number of tokens that this transaction has taken, as text. Before, it is NULL or empty. */
const TAKEN_NOW = "current_setting('redflag.taken', true)";
/** True in the rest of a transaction that has taken tokens. */
const IS_ADMITTED = `${TAKEN_NOW} >= '1'`;

// Tokens in the bucket now: it fills with time until it is full. If this process's clock is behind another's, nothing
// changes.
const FILLED = 'LEAST($2::float8, b.tokens + GREATEST(0, $3::bigint - b.at) * $2::float8 / $4::float8)';
/** Remembers the number of taken tokens, because RETURNING shows only the new row. */
const taking = (tokens: string): string => `set_config('redflag.taken', (${tokens})::float8::text, true)::float8`;
const takeFrom = (source: string): string => `INSERT INTO rate_bucket AS b (bucket, tokens, at, allowed)
    SELECT $1, $2::float8 - ${taking('$5')}, $3::bigint, true ${source}
    ON CONFLICT (bucket) DO UPDATE SET at = GREATEST(b.at, $3::bigint), allowed = ${FILLED} >= 1,
      tokens = ${FILLED} - ${taking(`CASE WHEN ${FILLED} >= $5::float8 THEN $5::float8 WHEN ${FILLED} >= 1 THEN 1 ELSE 0 END`)}
    RETURNING tokens, ${TAKEN_NOW}::float8 AS taken`;

const TAKE = `WITH taken AS (${takeFrom('')}) SELECT tokens, taken FROM taken`;

const KEY = `SELECT ${pairColumns(API_KEY, REPORTER)}
  FROM api_key LEFT JOIN reporter USING (reporter_id) WHERE digest = ?`;
/** Only a key that works has a bucket: guessed keys use no memory. */
const WORKS = '(api_key_ends_at IS NULL OR api_key_ends_at > $3::bigint) AND reporter_suspended = 0';
const KEY_AND_TAKE = `WITH found AS (${KEY.replace('?', '$6')}),
  taken AS (${takeFrom(`FROM found WHERE ${WORKS} LIMIT 1`)})
  SELECT found.*, tokens, taken FROM found LEFT JOIN taken ON true`;

const IS_REPORTED = 'EXISTS (SELECT 1 FROM identifier WHERE hash = ?)';
/** Deletes an owner's oldest links with a hash, as a whole. The link of the third parameter stays and does not count. */
const EVICT_OLDEST = `DELETE FROM link_identifier WHERE link_hash IN (
    SELECT link_hash FROM link_identifier WHERE hash = ? AND owner = ? AND link_hash <> ?
    ORDER BY created_at DESC, link_hash DESC OFFSET ?)`;
