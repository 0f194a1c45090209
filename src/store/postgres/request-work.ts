import type { Reporter } from '../../domain/reporter.ts';
import type { AskedFacts, AskedKey, AskedToken, FoundKey, StoredFacts, StoredKey } from '../records.ts';
import { API_KEY, DISPUTE, LINK_IDENTIFIER, REPORTER } from '../sql/catalogue.ts';
import { FLAG, REAL, toBytes } from '../sql/columns.ts';
import { NO_FACTS } from '../sql/facts.ts';
import type { StoreWork } from '../sql/methods.ts';
import { findProtections } from '../sql/moderation.ts';
import { findLinked, firstMatches, nextMatches } from '../sql/queries.ts';
import { askEach, find, missingRow, putWhere, readEach } from '../sql/rows.ts';
import { hashLock, sql, together, type SqlValue, type SqlWork } from '../sql/statement.ts';
import { shape } from '../sql/table.ts';

// The work of requests on a server, where each round trip counts: no statement needs the answer to another.

/** The methods of the store that answer a request in one round trip. */
export const REQUEST_WORK = {
  *findKey(asked) {
    return toFoundKey(asked, yield* together(...readsOfKey(asked)));
  },

  /**
   * With a token, the reads whose cost grows with the reports find nothing unless the token was taken. A request that
   * is refused costs a few index lookups.
   */
  *findFacts({ hashes, linkHash, key: asked }: AskedFacts): SqlWork<StoredFacts> {
    const gate = asked?.token === undefined ? '' : ` AND ${IS_ADMITTED}`;
    const [taken, keys, reporters, first, protections, disputesOf, linked] = yield* together(
      ...readsOfKey(asked),
      firstMatches(hashes, gate),
      findProtections(hashes),
      readEach(
        DISPUTE,
        `WHERE report_id IN (SELECT report_id FROM identifier WHERE hash = ? AND disputed = 1)${gate}`,
        hashes.map((hash) => [toBytes(hash)]),
      ),
      findLinked(linkHash),
    );
    const key = asked && toFoundKey(asked, [taken, keys, reporters]);
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
  return toWaitMs(token, yield* askEach(TAKEN, TAKE, [bucketValues(token)]));
}

/** Deletes the buckets that were last used before a time. */
export function tidyBuckets(beforeMs: number): SqlWork<unknown> {
  return sql('DELETE FROM rate_bucket WHERE at < ?', beforeMs);
}

/** The token, the key and its reporter, found by the key's digest. */
function readsOfKey(asked: AskedKey | undefined) {
  const { digest, token } = asked ?? {};
  const digests = digest === undefined ? [] : [digest];
  return [
    askEach(TAKEN, TAKE_WITH_KEY, digest && token ? [[...bucketValues(token), toBytes(digest)]] : []),
    find(API_KEY, 'digest', digests),
    readEach(
      REPORTER,
      'WHERE reporter_id = (SELECT reporter_id FROM api_key WHERE digest = ?)',
      digests.map((one) => [toBytes(one)]),
    ),
  ] as const;
}

type KeyAnswers = readonly [Taken[][], StoredKey[], Reporter[][]];

function toFoundKey({ token }: AskedKey, [taken, [key], [reporters]]: KeyAnswers): FoundKey | undefined {
  if (!key) return undefined;
  const reporter = reporters?.find(({ reporterId }) => reporterId === key.reporterId);
  if (!reporter) throw missingRow(REPORTER);
  return { key, reporter, ...(token && { waitMs: toWaitMs(token, taken) }) };
}

interface Taken {
  readonly tokens: number;
  readonly allowed: boolean;
}

function toWaitMs({ requests, windowMs }: AskedToken, [rows = []]: readonly Taken[][]): number {
  const [taken] = rows;
  // The key did not work when the token was to be taken. If it works now, the request may be sent again at once.
  if (!taken) return 1;
  return taken.allowed ? 0 : Math.max(1, Math.ceil(((1 - taken.tokens) * windowMs) / requests));
}

const TAKEN = shape({ tokens: REAL, allowed: FLAG });

function bucketValues({ bucket, requests, windowMs, nowMs }: AskedToken): SqlValue[] {
  return [toBytes(bucket), requests, nowMs, windowMs];
}

/** True in the rest of a transaction that has taken a token. */
const IS_ADMITTED = "current_setting('redflag.admitted', true) = 'yes'";

// Tokens in the bucket now: it fills with time until it is full. If this process's clock is behind another's, nothing
// changes.
const FILLED = 'LEAST($2::float8, b.tokens + GREATEST(0, $3::bigint - b.at) * $2::float8 / $4::float8)';
const takeWhere = (condition: string): string => `WITH taken AS (
    INSERT INTO rate_bucket AS b (bucket, tokens, at, allowed) SELECT $1, $2::float8 - 1, $3::bigint, true WHERE ${condition}
    ON CONFLICT (bucket) DO UPDATE SET tokens = ${FILLED} - CASE WHEN ${FILLED} >= 1 THEN 1 ELSE 0 END,
      at = GREATEST(b.at, $3::bigint), allowed = ${FILLED} >= 1
    RETURNING tokens, allowed
  ) SELECT tokens, allowed::int AS allowed, set_config('redflag.admitted', CASE WHEN allowed THEN 'yes' ELSE 'no' END, true) FROM taken`;

const TAKE = takeWhere('true');
/** Only a key that works has a bucket: guessed keys use no memory. */
const TAKE_WITH_KEY = takeWhere(`EXISTS (
    SELECT 1 FROM api_key JOIN reporter USING (reporter_id)
      WHERE digest = $5 AND (ends_at IS NULL OR ends_at > $3::bigint) AND suspended = 0)`);

const IS_REPORTED = 'EXISTS (SELECT 1 FROM identifier WHERE hash = ?)';
/** Deletes the oldest links with a hash, as a whole. The link of the second parameter stays and does not count. */
const EVICT_OLDEST = `DELETE FROM link_identifier WHERE link_hash IN (
    SELECT link_hash FROM link_identifier WHERE hash = ? AND link_hash <> ? ORDER BY created_at DESC, link_hash DESC OFFSET ?)`;
