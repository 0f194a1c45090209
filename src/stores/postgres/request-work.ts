import type { Dispute } from '../../core/domain/dispute.ts';
import { damageError } from '../../core/store/errors.ts';
import type {
  FactsRequest,
  KeyRequest,
  KeyWithReporter,
  MatchedIdentifier,
  StoredFacts,
} from '../../core/store/records.ts';
import { API_KEY, DISPUTE, IDENTIFIER, LINK_IDENTIFIER, REPORTER } from '../../core/store/sql/catalogue.ts';
import { toBytes } from '../../core/store/sql/columns.ts';
import {
  NO_FACTS,
  areCut,
  findLinkIdentifiers,
  FIRST_MATCHES,
  nextMatches,
  ownersOf,
} from '../../core/store/sql/queries.ts';
import { findProtections } from '../../core/store/sql/moderation.ts';
import { askPairs, pairColumns, type Pair } from '../../core/store/sql/pairs.ts';
import { find, missingRowError, putWhere, onlyIf, together } from '../../core/store/sql/rows.ts';
import { hashLock, sql, type SingleRead, type SqlWork } from '../../core/store/sql/statement.ts';
import type { StoreWork } from '../../core/store/store.ts';
import {
  bucketValues,
  IS_ADMITTED,
  keyAndTake,
  lockReporter,
  TOKENS,
  toTokensResult,
  type TokensRow,
} from './bucket-work.ts';

// The work of requests on a server, where each round trip counts: no statement needs the answer to another.

/** The methods of the store that answer a request in one round trip. */
export const REQUEST_WORK = {
  *findKey(request) {
    if (!request.tokens) return toKeyWithReporter(request, yield* readKey(request));
    const [_locked, keys] = yield* together(lockReporter(request), readKey(request));
    return toKeyWithReporter(request, keys);
  },

  /**
   * If tokens are asked, the reads whose cost grows with the reports find nothing unless the tokens were taken. A
   * request that is refused costs a few index lookups.
   */
  *findFacts({ hashes, linkHash, key: keyRequest, short }: FactsRequest): SqlWork<StoredFacts> {
    const admitted = keyRequest?.tokens && IS_ADMITTED;
    const [_locked, keys, first, protections, linkIdentifiers] = yield* together(
      lockReporter(keyRequest),
      readKey(keyRequest),
      onlyIf(
        admitted,
        askPairs(
          MATCH_ROWS,
          MATCHES,
          hashes.map((hash) => [toBytes(hash)]),
        ),
      ),
      findProtections(hashes),
      findLinkIdentifiers(linkHash),
    );
    const key = keyRequest && toKeyWithReporter(keyRequest, keys);
    if (keyRequest && !key) return NO_FACTS;
    if (first.length === 0) return { ...NO_FACTS, ...(key && { key }) };
    return { ...(yield* toMatches(hashes, first, short)), protections, linkIdentifiers, ...(key && { key }) };
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

const KEY_ROWS = { left: API_KEY, right: REPORTER };
const KEY_AND_TAKEN_ROWS = { ...KEY_ROWS, rest: TOKENS };
type KeyRow = Pair<(typeof API_KEY)['columns'], (typeof REPORTER)['columns'], Partial<TokensRow>>;

/** Reads a key with its reporter, and takes tokens if they are asked and the key works. */
function readKey(request: KeyRequest | undefined): SingleRead<KeyRow[]> {
  const { digest, tokens, atMs = 0, needs = null } = request ?? {};
  if (digest === undefined) return askPairs(KEY_ROWS, KEY, []);
  if (!tokens) return askPairs(KEY_ROWS, KEY, [[toBytes(digest)]]);
  return askPairs(KEY_AND_TAKEN_ROWS, KEY_AND_TAKE, [[...bucketValues(tokens), atMs, needs, toBytes(digest)]]);
}

function toKeyWithReporter({ digest, tokens }: KeyRequest, [found]: readonly KeyRow[]): KeyWithReporter | undefined {
  if (!found) return undefined;
  const { left: key, right: reporter, rest } = found;
  if (key.digest !== digest)
    throw damageError('a lookup in the table api_key returned another key: an index is damaged');
  if (reporter?.reporterId !== key.reporterId) throw missingRowError(REPORTER);
  return { key, reporter, ...(tokens && { tokens: toTokensResult(tokens, rest) }) };
}

const MATCH_ROWS = { left: IDENTIFIER, right: DISPUTE };
type MatchRow = Pair<(typeof IDENTIFIER)['columns'], (typeof DISPUTE)['columns'], unknown>;

/** The first page of matches of a hash. A match with several disputes is several rows. */
const MATCHES = `SELECT ${pairColumns(IDENTIFIER, DISPUTE)} FROM (${FIRST_MATCHES}) AS identifier
  LEFT JOIN dispute ON identifier.disputed = 1 AND dispute.report_id = identifier.report_id`;

function* toMatches(
  hashes: readonly string[],
  rows: readonly MatchRow[],
  short: boolean | undefined,
): SqlWork<Pick<StoredFacts, 'matches' | 'disputes' | 'isCut'>> {
  const matches = new Map<string, MatchedIdentifier>();
  const disputes = new Map<string, Dispute>();
  for (const { left, right: dispute } of rows) {
    const { hash, kind, reportId, reporterId, type, severity, createdAt, disputed, position } = left;
    if (!hashes.includes(hash))
      throw damageError('a lookup in the table identifier returned another hash: an index is damaged');
    const match = { hash, kind, reportId, reporterId, type, severity, createdAt, disputed };
    matches.set(`${hash} ${reportId} ${position}`, match);
    if (dispute) disputes.set(`${reportId} ${dispute.openedAt}`, dispute);
  }
  const first = [...matches.values()];
  if (short && areCut(first)) return { matches: [], disputes: [], isCut: true };
  const all = yield* nextMatches(hashes, first);
  if (all === first) return { matches: first, disputes: [...disputes.values()] };
  const disputed = all.filter((match) => match.disputed).map(({ reportId }) => reportId);
  return { matches: all, disputes: yield* find(DISPUTE, 'reportId', [...new Set(disputed)]) };
}

const KEY = `SELECT ${pairColumns(API_KEY, REPORTER)}
  FROM api_key LEFT JOIN reporter USING (reporter_id) WHERE digest = ?`;
const KEY_AND_TAKE = keyAndTake(KEY);

const IS_REPORTED = 'EXISTS (SELECT 1 FROM identifier WHERE hash = ?)';
/** Deletes an owner's oldest links with a hash, as a whole. The third parameter's link stays and does not count. */
const EVICT_OLDEST = `DELETE FROM link_identifier WHERE link_hash IN (
    SELECT link_hash FROM link_identifier WHERE hash = ? AND owner = ? AND link_hash <> ?
    ORDER BY created_at DESC, link_hash DESC OFFSET ?)`;
