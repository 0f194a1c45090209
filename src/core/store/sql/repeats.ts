import { ENGINE } from '../../domain/audit.ts';
import type { Dispute } from '../../domain/dispute.ts';
import { groupBy } from '../../domain/lists.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { protectsNow } from '../../domain/protection.ts';
import { damageError } from '../errors.ts';
import type { FoundAlike, StoredReport } from '../records.ts';
import { CLAIM, DISPUTE, IDENTIFIER, MATCH_ORDER, PROTECTION, REPORT } from './catalogue.ts';
import { hasWaitingRequest } from './claims.ts';
import { hex, toBytes, WHOLE, type RowOf } from './columns.ts';
import { eraseDisputeRequests } from './dispute-requests.ts';
import { readPage } from './pages.ts';
import { openCases } from './person-cases.ts';
import { identifiersOf } from './removal.ts';
import { ask, askEach, change, find, put } from './rows.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick, shape } from './table.ts';

// A claim that was found wrong stays wrong: a report that repeats it is stored with an upheld dispute of its own. So
// every reader of disputes knows, without a rule of its own, and the operator lifts it by a dispute that is rejected.

const JUDGED_COLUMNS = { reportId: hex(8) };
const JUDGED = shape(JUDGED_COLUMNS);
// What the engine decides starts no claim, or each repetition would make the next one cost more.
const JUDGED_TEXT = `SELECT report_id FROM dispute WHERE reporter_id = ? AND decided_by <> '${ENGINE}'`;
/** Judged reports of a reporter from which on alike ones are not judged, because each new report reads all of them. */
const MAX_JUDGED = 100;
const OF_LIVE = pick(IDENTIFIER, 'reportId', 'reporterId', 'kind', 'hash', 'position', 'createdAt');
/** The same of deleted reports. */
const OF_DELETED = pick(CLAIM, 'reportId', 'reporterId', 'kind', 'hash', 'position');
const LIVE = pick(REPORT, 'reportId', 'reporterId', 'removedAt');

const REASON = 'The operator found an earlier report of the same organisation about the same person wrong.';
/** The kind that very many people share. */
const DOMAIN = 'domain';
/** Reports that are compared with a wrong one between two pauses, or that one write finds wrong. */
export const ALIKE_AT_ONCE = 50;
/** How far the clocks of processes on one store may differ. */
const CLOCKS_DIFFER_MS = 600_000;
const MADE = ['hash = ?', 'reporter_id = ?', 'created_at BETWEEN ? AND ?', 'disputed = 0'];

const FOUND = shape({ found: WHOLE });
const NOT_WRONG = `(i.disputed = 0
    OR NOT EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = i.report_id AND d.upheld = 1))`;
/** The kinds of a hash, for a SELECT from `named`, which ends with a null. Takes the hash twice. */
export const KINDS_OF_HASH = `WITH RECURSIVE
  named (kind) AS (
    SELECT (SELECT kind FROM identifier WHERE hash = ? ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT i.kind FROM identifier i WHERE i.hash = ? AND i.kind > named.kind ORDER BY i.kind LIMIT 1) FROM named WHERE named.kind IS NOT NULL
  )`;

/** Two index lookups per kind: other reporters of a kind have a lower or a higher id. */
const NAMED_BY_ANOTHER = `${KINDS_OF_HASH} SELECT 1 AS found FROM named WHERE kind IS NOT NULL AND (EXISTS (
    SELECT 1 FROM identifier i WHERE i.hash = ? AND i.kind = named.kind AND i.reporter_id < ? AND ${NOT_WRONG}
  ) OR EXISTS (
    SELECT 1 FROM identifier i WHERE i.hash = ? AND i.kind = named.kind AND i.reporter_id > ? AND ${NOT_WRONG}
  )) LIMIT 1`;

/**
 * Returns the lock of what was found wrong of a reporter. A report that is stored during a decision would otherwise see
 * no decision, and the decision would not see the report.
 */
export const judgedLock = (reporterId: string): string => `judged/${reporterId}`;

/** Reads the ids of all reports of a reporter about which people decided disputes: few, as a rule none. */
export function findJudged({ reporterId, weakKinds }: StoredReport): SingleRead<RowOf<typeof JUDGED_COLUMNS>[]> {
  return weakKinds ? ask(JUDGED, JUDGED_TEXT, toBytes(reporterId)) : find(OF_LIVE, 'reportId', []);
}

/**
 * True if a report repeats a claim that was found wrong: it is linked to a wrong report (`areLinked`), and the newest
 * decision of a person about what they share says wrong. A decision about another report counts only if that report
 * has all that links the two, or a reporter could lift any claim by a report about itself.
 */
export function* isRepeat(
  { reporterId, identifiers, weakKinds = [], createdAt }: StoredReport,
  judged: readonly { readonly reportId: string }[],
  claimRules: number | undefined,
): SqlWork<boolean> {
  if (judged.length === 0) return false;
  const asked = hashesOf(identifiers);
  const all = yield* namedBy([...new Set(judged.map(({ reportId }) => reportId))]);
  const near = new Set(all.filter(({ hash }) => asked.has(hash)).map(({ reportId }) => reportId));
  if (near.size === 0) return false;
  const rows = all.filter(({ reportId }) => near.has(reportId));
  if (rows.some((row) => row.reporterId !== reporterId))
    throw damageError('a lookup of the wrong reports of a reporter returned another one: an index is damaged');
  const isOpen = yield* unprotected(hashesOf([...identifiers, ...rows]), createdAt);
  const known = hashesOf(rows);
  const shared = identifiers.filter(({ hash }) => known.has(hash) && isOpen(hash));
  const isWeak = yield* findWeak(shared, reporterId, { weakKinds, claimRules });
  const named = groupBy(rows, ({ reportId }) => reportId);
  const isLinked = (reportId: string): boolean => areLinked(named.get(reportId) ?? [], identifiers, isWeak, isOpen);
  const disputes = yield* find(DISPUTE, 'reportId', [...near].filter(isLinked));
  const wrong = new Set(disputes.filter(({ upheld }) => upheld).map(({ reportId }) => reportId));
  const decided = disputes.filter(
    ({ reportId, decidedAt, decidedBy }) => decidedAt !== null && decidedBy !== ENGINE && wrong.has(reportId),
  );
  if ((claimRules ?? 0) < 5) return newestOf(decided)?.upheld === true;
  const ofSame = groupBy(decided, ({ reportId }) => {
    const links = [...hashesOf(named.get(reportId) ?? [])].filter((hash) => asked.has(hash) && isOpen(hash));
    return links.sort().join(' ');
  });
  // As in `areLinked`: another name of the kind does not make an identifier weak.
  const strong = hashesOf([...identifiers, ...rows].filter((one) => !isWeak(one)));
  const newest = [...ofSame].map(([key, some]) => ({ links: new Set(key.split(' ')), last: newestOf(some)! }));
  return newest.some(({ links }) => {
    const ofPerson = [...links].filter((hash) => strong.has(hash));
    const telling = ofPerson.length > 0 ? ofPerson : [...links];
    const about = newest.filter((other) => telling.every((hash) => other.links.has(hash)));
    return newestOf(about.map(({ last }) => last))?.upheld === true;
  });
}

type Decided = RowOf<(typeof DISPUTE)['columns']>;

function newestOf(disputes: readonly Decided[]): Decided | undefined {
  let last: Decided | undefined;
  for (const one of disputes) if (!last || (one.decidedAt ?? 0) >= (last.decidedAt ?? 0)) last = one;
  return last;
}

/** How reports about the same person are found. */
export interface LinkRules {
  readonly weakKinds: readonly string[];
  /** See `CLAIM_RULES`. */
  readonly claimRules: number | undefined;
}

export type JudgedDispute = Pick<Dispute, 'reportId' | 'reporterId' | 'openedAt'>;

type PlacedIdentifier = Identifier & { readonly position: number };
type NamedRow = PlacedIdentifier & Pick<Dispute, 'reportId' | 'reporterId'> & { readonly createdAt?: number };

/** Reads the identifiers of reports, also of deleted ones if they are kept. */
export function* namedBy(reportIds: readonly string[]): SqlWork<NamedRow[]> {
  // In this order: a deletion in between moves them from the first table to the second.
  return [...(yield* find(OF_LIVE, 'reportId', reportIds)), ...(yield* find(OF_DELETED, 'reportId', reportIds))];
}

export const hashesOf = (identifiers: readonly Identifier[]): Set<string> =>
  new Set(identifiers.map(({ hash }) => hash));

/** Returns which of these hashes the allow-list does not have. */
function* unprotected(hashes: ReadonlySet<string>, atMs: number): SqlWork<(hash: string) => boolean> {
  const entries = yield* find(PROTECTION, 'hash', [...hashes]);
  const listed = new Set(entries.filter((entry) => protectsNow(entry, atMs)).map(({ hash }) => hash));
  return (hash) => !listed.has(hash);
}

/**
 * Returns the test whether an identifier is too weak to link two reports of this reporter: it has a weak kind, and
 * another reporter names the hash in a report that was never found wrong. A reporter names the kind itself, so the
 * kind alone does not make it weak. Only hashes among `identifiers` are weak.
 */
export function* findWeak(
  identifiers: readonly Identifier[],
  reporterId: string,
  { weakKinds, claimRules = 0 }: LinkRules,
): SqlWork<(identifier: Identifier) => boolean> {
  const hasWeakKind = ({ kind }: Identifier): boolean => kind === DOMAIN || weakKinds.includes(kind);
  if (claimRules < 3) return hasWeakKind;
  const asked = [...hashesOf(identifiers.filter(hasWeakKind))];
  const reporter = toBytes(reporterId);
  const found = yield* askEach(
    FOUND,
    NAMED_BY_ANOTHER,
    asked.map(toBytes).map((hash) => [hash, hash, hash, reporter, hash, reporter]),
  );
  const common = new Set(asked.filter((_, at) => found[at]?.length));
  return (identifier) => hasWeakKind(identifier) && common.has(identifier.hash);
}

/**
 * True if a later report of the same reporter is about the person of a wrong one. They share a hash that the allow-list
 * does not have, and one of these holds:
 *
 * - the shared hash is not weak in one of the reports (`findWeak`);
 * - the later report has all hashes of the wrong one, of which none was erased;
 * - it has no others, and not only a domain.
 */
function areLinked(
  wrong: readonly PlacedIdentifier[],
  later: readonly Identifier[],
  isWeak: (identifier: Identifier) => boolean,
  isOpen: (hash: string) => boolean,
): boolean {
  const isCounted = ({ hash }: Identifier): boolean => isOpen(hash);
  const [ofWrong, ofLater] = [hashesOf(wrong.filter(isCounted)), hashesOf(later.filter(isCounted))];
  const shared = [...wrong, ...later].filter(({ hash }) => ofWrong.has(hash) && ofLater.has(hash));
  if (shared.length === 0) return false;
  // Another name of the kind does not make an identifier weak.
  if (!shared.every(isWeak)) return true;
  const count = hashesOf(shared).size;
  const isComplete = wrong.some(({ position }) => position === 0);
  return (
    (isComplete && count === ofWrong.size) || (count === ofLater.size && shared.some(({ kind }) => kind !== DOMAIN))
  );
}

/** What a dispute that was just opened has. */
export const UNDECIDED = {
  decidedAt: null,
  decidedBy: null,
  upheld: null,
  merged: false,
  answer: null,
  answeredAt: null,
} as const;

/** Stores an upheld dispute about a report that repeats a wrong claim. If a person decides it, it is part of it. */
export function* putUpheld(reportId: string, reporterId: string, atMs: number, by = ENGINE): SqlWork<void> {
  const opened = { reportId, reporterId, openedAt: atMs, openedBy: ENGINE, reason: REASON };
  yield* put(DISPUTE, [{ ...UNDECIDED, ...opened, decidedAt: atMs, decidedBy: by, upheld: true }]);
}

/** What a search may still do: statements, and rows that they return. It takes off what it does. */
export interface Effort {
  left: number;
}

/**
 * Returns the sorted ids of live reports without a dispute that the same reporter made about the same person, from the
 * moment `from` until `before` (ms, UTC): as many as it finds with the `effort`.
 */
export function* findAlike(
  { reportId, reporterId }: Pick<Dispute, 'reportId' | 'reporterId'>,
  identifiers: readonly PlacedIdentifier[],
  rules: LinkRules,
  atMs: number,
  from: number,
  before: number,
  effort: Effort = { left: Infinity },
): SqlWork<string[]> {
  const isOpenHere = yield* unprotected(hashesOf(identifiers), atMs);
  const open = identifiers.filter(({ hash }) => isOpenHere(hash));
  const isWeak = yield* findWeak(open, reporterId, rules);
  // Very many reports have the same domain, and a weak one links only with what else the report has.
  const others = open.filter((one) => one.kind !== DOMAIN || !isWeak(one));
  const found = new Set([reportId]);
  const linked: string[] = [];
  // A report may name one hash under several kinds.
  for (const hash of hashesOf(others.length > 0 ? others : open)) {
    const values = [toBytes(hash), toBytes(reporterId), from, before];
    let after: RowOf<(typeof IDENTIFIER)['columns']> | undefined;
    while (effort.left > 0) {
      const page = yield* readPage(IDENTIFIER, { where: MADE, values, by: MATCH_ORDER, after, limit: ALIKE_AT_ONCE });
      effort.left -= page.length + 1;
      if (page.some((row) => row.hash !== hash || row.reporterId !== reporterId))
        throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
      const asked = new Set(page.map((row) => row.reportId).filter((later) => !found.has(later)));
      for (const later of asked) found.add(later);
      const rows = yield* find(OF_LIVE, 'reportId', [...asked]);
      const isOpen = yield* unprotected(hashesOf([...identifiers, ...rows]), atMs);
      const ofReport = groupBy(rows, ({ reportId }) => reportId);
      for (const later of asked)
        if (areLinked(identifiers, ofReport.get(later) ?? [], isWeak, isOpen)) linked.push(later);
      after = page[ALIKE_AT_ONCE - 1];
      if (!after) break;
      yield { pause: true };
    }
  }
  return linked.sort();
}

/**
 * Returns the moment from which a reporter could know that its report is disputed: the opening, or the deletion of the
 * report if that was before its first dispute. Then a person had asked for a dispute (ms, UTC).
 */
export function* knownFrom({ reportId, openedAt }: Pick<Dispute, 'reportId' | 'openedAt'>): SqlWork<number> {
  const [report] = yield* find(LIVE, 'reportId', [reportId]);
  if (!report || report.removedAt === null || report.removedAt > openedAt) return openedAt;
  const isFirst = (yield* find(DISPUTE, 'reportId', [reportId])).length === 1;
  return isFirst ? report.removedAt : openedAt;
}

/**
 * Finds reports wrong that their reporter made about the same person: with `alike` all, otherwise those since it could
 * know of the dispute. With `found`, only these, and those since their search. `by` decides those that add a hash to
 * the claim. Returns the ids. The caller holds the lock of the disputed report.
 */
export function* upholdAlike(
  dispute: JudgedDispute,
  rules: LinkRules,
  decidedAt: number,
  alike: boolean | undefined,
  found: FoundAlike | undefined,
  by: string | undefined,
): SqlWork<string[]> {
  const { reportId, reporterId } = dispute;
  const asked = new Set(found?.reportIds);
  if (!found || found.searchedAt !== undefined) {
    const kept = yield* find(OF_DELETED, 'reportId', [reportId]);
    const identifiers = kept.length > 0 ? kept : yield* identifiersOf(reportId);
    const since = (found?.searchedAt ?? 0) - CLOCKS_DIFFER_MS;
    const from = Math.max(since, yield* judgedFrom(dispute, rules, alike));
    const later = yield* findAlike(dispute, identifiers, rules, decidedAt, from, Number.MAX_SAFE_INTEGER);
    for (const repeated of later) asked.add(repeated);
  }
  const upheld: string[] = [];
  const known = by === undefined ? undefined : hashesOf(yield* namedBy([reportId]));
  let judged = known ? (yield* ask(JUDGED, JUDGED_TEXT, toBytes(reporterId))).length : 0;
  for (const repeated of asked) {
    yield { lock: [`report/${repeated}`] };
    const [report] = yield* find(LIVE, 'reportId', [repeated]);
    // Another process may have deleted or disputed it meanwhile.
    if (!report || report.removedAt !== null || (yield* find(DISPUTE, 'reportId', [repeated])).length > 0) continue;
    const added = known ? (yield* namedBy([repeated])).filter(({ hash }) => !known.has(hash)) : [];
    for (const { hash } of added) known?.add(hash);
    const isJudged = added.length > 0 && judged++ < MAX_JUDGED;
    yield* putUpheld(repeated, reporterId, decidedAt, isJudged ? by : undefined);
    yield* openCases(repeated);
    yield* eraseDisputeRequests(repeated);
    yield* change(IDENTIFIER, { reportId: repeated, disputed: false }, { disputed: [false, true] });
    upheld.push(repeated);
  }
  return upheld;
}

/** Returns the moment (ms, UTC) from which an upheld dispute includes reports of the same reporter. */
export function* judgedFrom(
  dispute: JudgedDispute,
  { claimRules }: LinkRules,
  alike: boolean | undefined,
): SqlWork<number> {
  if (alike) return 0;
  return claimRules === undefined ? dispute.openedAt : yield* knownFrom(dispute);
}

/** Returns a deleted report about which requests wait; undefined for any other. */
export function* findAskedDeleted(reportId: string): SqlWork<Pick<Dispute, 'reportId' | 'reporterId'> | undefined> {
  const [report] = yield* find(LIVE, 'reportId', [reportId]);
  return report && report.removedAt !== null && (yield* hasWaitingRequest(reportId)) ? report : undefined;
}
