import { ENGINE } from '../../domain/audit.ts';
import type { Dispute } from '../../domain/dispute.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { protectsNow } from '../../domain/protection.ts';
import { damageError } from '../errors.ts';
import type { StoredReport } from '../records.ts';
import { CLAIM, DISPUTE, IDENTIFIER, PROTECTION, REPORT } from './catalogue.ts';
import { hex, toBytes, type RowOf } from './columns.ts';
import { eraseDisputeRequests, isAsked } from './dispute-requests.ts';
import { openCases } from './person-cases.ts';
import { identifiersOf } from './removal.ts';
import { ask, change, find, put, read } from './rows.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick, shape } from './table.ts';

// A claim that was found wrong stays wrong: a report that repeats it is stored with an upheld dispute of its own. So
// every reader of disputes knows, without a rule of its own, and the operator lifts it by a dispute that is rejected.

const JUDGED_COLUMNS = { reportId: hex(8) };
const JUDGED = shape(JUDGED_COLUMNS);
// A dispute of the engine starts no claim, or each repetition would make the next one cost more.
const JUDGED_TEXT = `SELECT report_id FROM dispute WHERE reporter_id = ? AND decided_by <> '${ENGINE}'`;
const NAMED = pick(IDENTIFIER, 'reportId', 'reporterId', 'kind', 'hash');
/** The same of deleted reports. */
const KEPT = pick(CLAIM, 'reportId', 'reporterId', 'kind', 'hash');
const LIVE = pick(REPORT, 'reportId', 'reporterId', 'removedAt');

const REASON = 'The operator found an earlier report of the same organisation about the same person wrong.';
/** The kind that very many people share. */
const DOMAIN = 'domain';

/** Reads the ids of all reports of a reporter about which people decided disputes: few, as a rule none. */
export function findJudged({ reporterId, weakKinds }: StoredReport): SingleRead<RowOf<typeof JUDGED_COLUMNS>[]> {
  return weakKinds ? ask(JUDGED, JUDGED_TEXT, toBytes(reporterId)) : find(NAMED, 'reportId', []);
}

/**
 * True if a report repeats a claim that was found wrong: it is linked to it (`areLinked`), and the newest decision of a
 * person about these reports says wrong.
 */
export function* isRepeat(
  { reporterId, identifiers, weakKinds = [], createdAt }: StoredReport,
  judged: readonly { readonly reportId: string }[],
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
  const named = groupBy(rows, ({ reportId }) => reportId);
  const isLinked = (reportId: string): boolean => areLinked(named.get(reportId) ?? [], identifiers, weakKinds, isOpen);
  const disputes = yield* find(DISPUTE, 'reportId', [...near].filter(isLinked));
  const wrong = new Set(disputes.filter(({ upheld }) => upheld).map(({ reportId }) => reportId));
  let last: RowOf<(typeof DISPUTE)['columns']> | undefined;
  for (const one of disputes)
    if (one.decidedAt !== null && one.decidedBy !== ENGINE && wrong.has(one.reportId))
      if (last === undefined || one.decidedAt >= (last.decidedAt ?? 0)) last = one;
  return last?.upheld === true;
}

/** How an upheld dispute finds the other reports. */
interface UpholdRules {
  readonly weakKinds: readonly string[];
  /** See `CLAIM_RULES`. */
  readonly claimRules: number | undefined;
}

type NamedRow = Identifier & Pick<Dispute, 'reportId' | 'reporterId'>;

/** Reads the identifiers of reports, also of deleted ones if they are kept. */
export function* namedBy(reportIds: readonly string[]): SqlWork<NamedRow[]> {
  // In this order: a deletion in between moves them from the first table to the second.
  return [...(yield* find(NAMED, 'reportId', reportIds)), ...(yield* find(KEPT, 'reportId', reportIds))];
}

const hashesOf = (identifiers: readonly Identifier[]): Set<string> => new Set(identifiers.map(({ hash }) => hash));

/** Returns which of these hashes the allow-list does not have. */
function* unprotected(hashes: ReadonlySet<string>, atMs: number): SqlWork<(hash: string) => boolean> {
  const entries = yield* find(PROTECTION, 'hash', [...hashes]);
  const listed = new Set(entries.filter((entry) => protectsNow(entry, atMs)).map(({ hash }) => hash));
  return (hash) => !listed.has(hash);
}

/**
 * True if a later report of the same reporter is about the person of a wrong one. They share a hash that the allow-list
 * does not have, and one of these holds:
 *
 * - the shared hash has a kind, in one of the reports, that is not weak;
 * - the later report has all hashes of the wrong one;
 * - it has no others, and not only a domain.
 */
function areLinked(
  wrong: readonly Identifier[],
  later: readonly Identifier[],
  weakKinds: readonly string[],
  isOpen: (hash: string) => boolean,
): boolean {
  const isCounted = ({ hash }: Identifier): boolean => isOpen(hash);
  const [ofWrong, ofLater] = [hashesOf(wrong.filter(isCounted)), hashesOf(later.filter(isCounted))];
  const shared = [...wrong, ...later].filter(({ hash }) => ofWrong.has(hash) && ofLater.has(hash));
  if (shared.length === 0) return false;
  // Another name of the kind does not make an identifier weak.
  if (shared.some(({ kind }) => kind !== DOMAIN && !weakKinds.includes(kind))) return true;
  const count = hashesOf(shared).size;
  return count === ofWrong.size || (count === ofLater.size && shared.some(({ kind }) => kind !== DOMAIN));
}

/** Stores an upheld dispute about a report that repeats a wrong claim. */
export function* putUpheld(reportId: string, reporterId: string, atMs: number): SqlWork<void> {
  yield* put(DISPUTE, [
    {
      reportId,
      reporterId,
      openedAt: atMs,
      openedBy: ENGINE,
      reason: REASON,
      decidedAt: atMs,
      decidedBy: ENGINE,
      upheld: true,
      merged: false,
      answer: null,
      answeredAt: null,
    },
  ]);
}

/**
 * Returns the sorted ids of live reports without a dispute that the same reporter made about the same person, from the
 * moment `from` until `before` (ms, UTC).
 */
export function* findAlike(
  { reportId, reporterId }: Pick<Dispute, 'reportId' | 'reporterId'>,
  identifiers: readonly Identifier[],
  weakKinds: readonly string[],
  atMs: number,
  from: number,
  before: number,
): SqlWork<string[]> {
  const isOpenHere = yield* unprotected(hashesOf(identifiers), atMs);
  const open = identifiers.filter(({ hash }) => isOpenHere(hash));
  // Very many reports have the same domain, and it links only with what else the report has.
  const others = open.filter(({ kind }) => kind !== DOMAIN);
  const found = new Set<string>();
  for (const { hash } of others.length > 0 ? others : open) {
    const tail = 'WHERE hash = ? AND reporter_id = ? AND created_at BETWEEN ? AND ? AND disputed = 0';
    const rows = yield* read(NAMED, tail, toBytes(hash), toBytes(reporterId), from, before);
    if (rows.some((row) => row.hash !== hash || row.reporterId !== reporterId))
      throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
    for (const row of rows) if (row.reportId !== reportId) found.add(row.reportId);
  }
  const rows = yield* find(NAMED, 'reportId', [...found]);
  const isOpen = yield* unprotected(hashesOf([...identifiers, ...rows]), atMs);
  const ofReport = groupBy(rows, ({ reportId }) => reportId);
  return [...found].filter((later) => areLinked(identifiers, ofReport.get(later) ?? [], weakKinds, isOpen)).sort();
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
 * know of the dispute. Returns their ids. The caller holds the lock of the disputed report.
 */
export function* upholdAlike(
  dispute: Pick<Dispute, 'reportId' | 'reporterId' | 'openedAt'>,
  rules: UpholdRules,
  decidedAt: number,
  alike: boolean | undefined,
): SqlWork<string[]> {
  const { reportId, reporterId, openedAt } = dispute;
  const kept = yield* find(KEPT, 'reportId', [reportId]);
  const identifiers = kept.length > 0 ? kept : yield* identifiersOf(reportId);
  const from = alike ? 0 : rules.claimRules === undefined ? openedAt : yield* knownFrom(dispute);
  const found = yield* findAlike(dispute, identifiers, rules.weakKinds, decidedAt, from, Number.MAX_SAFE_INTEGER);
  const upheld: string[] = [];
  for (const repeated of found) {
    yield { lock: [`report/${repeated}`] };
    const [report] = yield* find(LIVE, 'reportId', [repeated]);
    // Another process may have deleted or disputed it meanwhile.
    if (!report || report.removedAt !== null || (yield* find(DISPUTE, 'reportId', [repeated])).length > 0) continue;
    yield* putUpheld(repeated, reporterId, decidedAt);
    yield* openCases(repeated);
    yield* eraseDisputeRequests(repeated);
    yield* change(IDENTIFIER, { reportId: repeated, disputed: false }, { disputed: [false, true] });
    upheld.push(repeated);
  }
  return upheld;
}

/**
 * Returns how many alike reports an upheld dispute would leave without `alike`. For a deleted report that only has
 * requests, returns how many there are at all. Undefined for other reports.
 */
export function* countEarlier(
  reportId: string,
  weakKinds: readonly string[],
  atMs: number,
): SqlWork<number | undefined> {
  const open = (yield* find(DISPUTE, 'reportId', [reportId])).find(({ decidedAt }) => decidedAt === null);
  const identifiers = yield* namedBy([reportId]);
  if (open) return (yield* findAlike(open, identifiers, weakKinds, atMs, 0, (yield* knownFrom(open)) - 1)).length;
  const [report] = yield* find(LIVE, 'reportId', [reportId]);
  if (!report || report.removedAt === null || !(yield* isAsked(reportId))) return undefined;
  return (yield* findAlike(report, identifiers, weakKinds, atMs, 0, Number.MAX_SAFE_INTEGER)).length;
}
