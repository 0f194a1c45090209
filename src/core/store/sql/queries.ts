import type { Identifier } from '../../domain/identifier.ts';
import { damageError } from '../errors.ts';
import type { Protection } from '../../domain/protection.ts';
import type {
  FactsRequest,
  KeyRequest,
  KeyWithReporter,
  MatchedIdentifier,
  StoredFacts,
  StoredLink,
} from '../records.ts';
import { DISPUTE, IDENTIFIER, LINK_IDENTIFIER, MATCH_ORDER } from './catalogue.ts';
import { hex, orNull, TEXT, toBytes, WHOLE, type RowOf } from './columns.ts';
import { findProtections } from './moderation.ts';
import { readPage } from './pages.ts';
import { REPORTER_WORK } from './reporters.ts';
import { ask, askEach, countOf, find, put } from './rows.ts';
import { hashLock, sql, type SingleRead, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { lookupWith, pick, pickMany, shape } from './table.ts';

const MATCH = pickMany(
  IDENTIFIER,
  ['hash', 'kind', 'reportId', 'reporterId', 'type', 'severity', 'createdAt', 'disputed'],
  (hash, kind, reportId, reporterId, type, severity, createdAt, disputed) => {
    return { hash, kind, reportId, reporterId, type, severity, createdAt, disputed };
  },
);
/** Rows of one hash between two pauses: about five milliseconds. */
const PAGE = 1_000;
/** Rows of a hash that a query reads before it takes a turn of those that read very many: half a millisecond. */
const AT_FIRST = 100;
const FIRST = `LIMIT ${AT_FIRST + 1}`;
const FIRST_MATCH = lookupWith(MATCH, 'hash', FIRST);
/** Reads the first page of matches of a hash, with all columns. */
export const FIRST_MATCHES = `SELECT * FROM identifier WHERE hash = ? ${FIRST}`;

const KNOWN = shape({ hash: hex(20), kind: TEXT });
const COUNTED = shape({ reported: orNull(WHOLE), links: WHOLE });
const LINKED = pick(LINK_IDENTIFIER, 'kind', 'hash');
const LINK_HASH = shape({ linkHash: hex(20) });

/** Finds the identifiers that match a query, and stores the links to its answers. */
export const QUERY_WORK = {
  *findMatches(hashes): SqlWork<MatchedIdentifier[]> {
    return yield* nextMatches(hashes, yield* firstMatches(hashes));
  },

  *putLink(link, linksPerHash) {
    const linkHash = toBytes(link.linkHash);
    const known = yield* findLinkIdentifiers(link.linkHash);
    const isNew = ({ kind, hash }: Identifier): boolean => {
      for (const stored of known) if (stored.hash === hash && stored.kind === kind) return false;
      return true;
    };
    // Most queries were asked before. They write nothing and take no lock.
    if (!link.identifiers.some(isNew)) return;
    const owners = ownersOf(link);
    const hashes = [...owners.keys()];
    yield { lock: hashes.map(hashLock) };
    const found = yield* askEach(
      COUNTED,
      COUNTED_TEXT,
      [...owners].map(([hash, owner]) => [toBytes(hash), toBytes(hash), owner, linkHash]),
    );
    // A report may have been removed since it matched. Do not add its hash to a link again.
    const linksOf = new Map<string, number>();
    for (const [at, rows] of found.entries())
      for (const { reported, links } of rows) if (reported !== null) linksOf.set(hashes[at] ?? '', links);
    const kept = link.identifiers.filter(({ hash }) => linksOf.has(hash));
    for (const hash of new Set(kept.filter(isNew).map((identifier) => identifier.hash)))
      if ((linksOf.get(hash) ?? 0) >= linksPerHash)
        yield* evictOldest(hash, owners.get(hash) ?? null, linksPerHash - 1, linkHash);
    // Reinsert all rows: an eviction before the lock may have deleted existing ones.
    yield* put(
      LINK_IDENTIFIER,
      kept.map(({ kind, hash, owner = null }) => {
        return { linkHash: link.linkHash, hash, kind, createdAt: link.createdAt, owner };
      }),
      ' ON CONFLICT DO NOTHING',
    );
  },

  *findLink(linkHash): SqlWork<Identifier[] | undefined> {
    const identifiers = yield* find(LINKED, 'linkHash', [linkHash]);
    return identifiers.length === 0 ? undefined : identifiers;
  },

  *findLinkHash(firstDigits) {
    const range = [firstDigits.padEnd(HASH_DIGITS, '0'), firstDigits.padEnd(HASH_DIGITS, 'f')];
    const found = yield* ask(LINK_HASH, LINK_HASH_TEXT, ...range.map(toBytes));
    return found.length === 1 ? found.at(0)?.linkHash : undefined;
  },
} satisfies Partial<StoreWork>;

const KNOWN_TEXT = 'SELECT hash, kind FROM link_identifier WHERE link_hash = ?';
/** A range of the primary key. It holds the rows of one link, as a rule. */
const LINK_HASH_TEXT = 'SELECT DISTINCT link_hash FROM link_identifier WHERE link_hash BETWEEN ? AND ? LIMIT 2';
const HASH_DIGITS = 40;
const COUNTED_TEXT = `SELECT (SELECT 1 FROM identifier i WHERE i.hash = ? LIMIT 1) AS reported,
  (SELECT count(*) FROM link_identifier l WHERE l.hash = ? AND l.owner IS ? AND l.link_hash <> ?) AS links`;

/** Returns the owner of each hash of a link, as it is stored. */
export function ownersOf({ identifiers }: StoredLink): Map<string, Uint8Array | null> {
  return new Map(identifiers.map(({ hash, owner }) => [hash, owner === undefined ? null : toBytes(owner)]));
}

/** Returns the identifiers that a link has; none without a link. */
export function* findLinkIdentifiers(linkHash: string | undefined): SingleRead<Identifier[]> {
  return linkHash === undefined ? [] : yield* ask(KNOWN, KNOWN_TEXT, toBytes(linkHash));
}

/** Reads the first page of matches of each hash. Almost always, this page has all matches of the hash. */
export function firstMatches(hashes: readonly string[]): SingleRead<MatchedIdentifier[]> {
  // No ORDER BY: it would make the read twenty times slower.
  return find(FIRST_MATCH, 'hash', hashes);
}

/** True if these matches, sorted by hash as they are read, are not all. */
export function areCut(first: readonly MatchedIdentifier[]): boolean {
  return first.some(({ hash }, at) => first[at + AT_FIRST]?.hash === hash);
}

/** Returns all matches, given those of {@link firstMatches}. */
export function* nextMatches(hashes: readonly string[], first: MatchedIdentifier[]): SqlWork<MatchedIdentifier[]> {
  if (!areCut(first)) return first;
  const matches: MatchedIdentifier[] = [];
  for (const hash of hashes) {
    const some = first.filter((match) => match.hash === hash);
    for (const match of some.length > AT_FIRST ? yield* readInPages(hash) : some) matches.push(match);
  }
  return matches;
}

/** Reads all matches in one statement. */
export function findMatchesAtOnce(hashes: readonly string[]): SingleRead<MatchedIdentifier[]> {
  return find(MATCH, 'hash', hashes);
}

/** Reads a hash with very many reports. Rows that change meanwhile may be missing. Every other row appears once. */
function* readInPages(hash: string): SqlWork<MatchedIdentifier[]> {
  const matches: MatchedIdentifier[] = [];
  let after: RowOf<(typeof IDENTIFIER)['columns']> | undefined;
  for (;;) {
    const where = { where: ['hash = ?'], values: [toBytes(hash)] };
    const page = yield* readPage(IDENTIFIER, { ...where, by: MATCH_ORDER, after, limit: PAGE });
    if (page.some((row) => row.hash !== hash))
      throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
    for (const { hash, kind, reportId, reporterId, type, severity, createdAt, disputed } of page)
      matches.push({ hash, kind, reportId, reporterId, type, severity, createdAt, disputed });
    if (page.length < PAGE) return matches;
    after = page.at(-1);
    yield { pause: true };
  }
}

/** Reads that requests repeat. The database answers them, or the {@link Cache} of a store with one owner. */
export interface Lookups {
  findKey(request: KeyRequest): SqlWork<KeyWithReporter | undefined>;
  /** Returns the identifiers of a link; none without a link. */
  findLink(linkHash: string): SqlWork<readonly Identifier[]>;
  findProtections(hashes: readonly string[]): SqlWork<Protection[]>;
  /** Like `findProtections`. Undefined if one statement does not suffice. */
  findProtectionsAtOnce(hashes: readonly string[]): SingleRead<Protection[]> | undefined;
}

/** Every lookup reads the database. */
export const UNCACHED: Lookups = {
  findKey: REPORTER_WORK.findKey,
  findLink: findLinkIdentifiers,
  findProtections,
  findProtectionsAtOnce: findProtections,
};

/** The facts if nothing matches. */
export const NO_FACTS: StoredFacts = { matches: [], protections: [], disputes: [], linkIdentifiers: [] };

/** Reads the facts of a query. On a server: `findFacts` of stores/postgres/request-work.ts. */
export function* readFacts(
  { hashes, linkHash, key: keyRequest, short }: FactsRequest,
  lookups: Lookups,
): SqlWork<StoredFacts> {
  const key = keyRequest && (yield* lookups.findKey(keyRequest));
  if (keyRequest && !key) return NO_FACTS;
  const first = yield* firstMatches(hashes);
  if (first.length === 0) return { ...NO_FACTS, key };
  const isLong = areCut(first);
  const isCut = short && isLong;
  const matches = isCut ? [] : isLong ? yield* nextMatches(hashes, first) : first;
  const disputed = new Set<string>();
  for (const match of matches) if (match.disputed) disputed.add(match.reportId);
  const protections = yield* lookups.findProtections(hashes);
  const disputes = yield* find(DISPUTE, 'reportId', [...disputed]);
  const linkIdentifiers = linkHash === undefined ? [] : yield* lookups.findLink(linkHash);
  return { matches, protections, disputes, linkIdentifiers, isCut, key };
}

/** `IS`, because links in the journal of an older program have no owner. */
const OF_OWNER = 'hash = ? AND owner IS ? AND link_hash <> ?';

/**
 * Deletes an owner's oldest links with this hash, as a whole, until `keep` are left. The link `except` stays and does
 * not count.
 */
function* evictOldest(hash: string, owner: Uint8Array | null, keep: number, except: Uint8Array): SqlWork<void> {
  const others = [toBytes(hash), owner, except];
  // Count now: an eviction for another hash may have made room for this hash.
  const surplus = (yield* countOf(`link_identifier WHERE ${OF_OWNER}`, ...others)) - keep;
  if (surplus <= 0) return;
  const oldest = yield* ask(
    LINK_HASH,
    `SELECT link_hash FROM link_identifier WHERE ${OF_OWNER} ORDER BY created_at, link_hash LIMIT ?`,
    ...others,
    surplus,
  );
  for (const { linkHash } of oldest) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', toBytes(linkHash));
}
