import { damageError } from '../errors.ts';
import { ENGINE } from '../../domain/audit.ts';
import { OTHER_KIND } from '../../domain/identifier.ts';
import type { Protection } from '../../domain/protection.ts';
import type { PublicReport } from '../../domain/report.ts';
import type {
  AddReportResult,
  HashHistory,
  NewIdentifier,
  StoreCounts,
  StoredReport,
  StoredSharing,
} from '../records.ts';
import { record } from './audit.ts';
import { UNCACHED, type Lookups } from './queries.ts';
import { IDENTIFIER, REPORT, REPORTER } from './catalogue.ts';
import { FLAG, hex, orNull, TEXT, toBytes, WHOLE, type RowOf } from './columns.ts';
import { findProtections } from './moderation.ts';
import { removeReport } from './removal.ts';
import { findJudged, isRepeat, judgedLock, putUpheld } from './repeats.ts';
import { ask, askEach, find, missingRowError, put, together } from './rows.ts';
import type { SingleRead, SqlValue, SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { shape } from './table.ts';

const SAME_COLUMNS = { reportId: hex(8), createdAt: orNull(WHOLE) };
const SAME = shape(SAME_COLUMNS);
const COUNTS = shape({ reports: WHOLE, removed: WHOLE, identifiers: WHOLE, links: WHOLE, reporters: WHOLE });

type ReportRow = RowOf<(typeof REPORT)['columns']>;
type LiveReport = { readonly [N in keyof ReportRow]: NonNullable<ReportRow[N]> };

/** True for a report that was not deleted. */
function isLive(report: ReportRow): report is ReportRow & Omit<LiveReport, 'removedAt'> {
  return report.removedAt === null;
}

/**
 * Adds a report. If the lookups cannot say what is known about `hashes`, the result does not. `claimRules`: see
 * `CLAIM_RULES`.
 */
export function* addReport(
  report: StoredReport,
  sameSince: number,
  hashes: readonly string[],
  lookups: Lookups,
  claimRules: number | undefined,
): SqlWork<AddReportResult> {
  const free = freeKinds(report);
  const bound = boundHashes(report, free);
  const protecting = lookups.findProtectionsAtOnce(hashes);
  const asked = protecting ? hashes : [];
  const kindLocks = bound.map((hash) => `kinds/${hash}`);
  const judgedLocks = report.weakKinds ? [judgedLock(report.reporterId)] : [];
  yield { lock: [`fingerprint/${report.fingerprint}`, `report/${report.reportId}`, ...kindLocks, ...judgedLocks] };
  // One round trip on a server. No ORDER BY: few rows have the same fingerprint, and sorting would cost SQLite more
  // than everything else here.
  const [found, sharings, protections, judged, kinds] = yield* together(
    ask(
      SAME,
      `SELECT report_id, created_at FROM report WHERE fingerprint = ? AND created_at > ?
          UNION ALL SELECT report_id, NULL FROM report WHERE report_id = ?`,
      toBytes(report.fingerprint),
      sameSince,
      toBytes(report.reportId),
    ),
    findFewSharings(asked),
    protecting ?? findProtections([]),
    findJudged(report),
    findKinds(bound, free),
  );
  let newest: RowOf<typeof SAME_COLUMNS> | undefined;
  let isTaken = false;
  for (const one of found) {
    if (one.createdAt === null) isTaken = true;
    else if (!newest?.createdAt || one.createdAt > newest.createdAt) newest = one;
  }
  if (newest) {
    const [same] = yield* find(REPORT, 'reportId', [newest.reportId]);
    if (!same) throw missingRowError(REPORT);
    // Another process may have deleted the report meanwhile.
    if (isLive(same)) {
      // The nonce reveals the deletion code, so verify that it belongs to a report with this fingerprint.
      if (same.fingerprint !== report.fingerprint)
        throw damageError('a lookup in the table report returned another fingerprint: an index is damaged');
      // The standby of a server may still lack the first try. The commit of a counted write waits for the standby.
      yield { seenBy: [same.reporterId] };
      return { outcome: 'same', reportId: same.reportId, nonce: same.nonce };
    }
  }
  if (isTaken) return { outcome: 'taken' };
  const repeats = yield* isRepeat(report, judged, claimRules);
  // Literals instead of spreads: in Node 20, spreads would take a tenth of the time of a report.
  const { reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt } = report;
  const { generation = 0, seal = null } = report;
  yield* put(REPORT, [{ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, removedAt: null }]);
  const rows: RowOf<(typeof IDENTIFIER)['columns']>[] = [];
  const identifiers = boundKinds(report, free, bound, kinds);
  for (const { kind, hash, element = null } of identifiers)
    rows.push({
      hash,
      kind,
      reporterId,
      createdAt,
      reportId,
      position: rows.length,
      type,
      severity,
      disputed: repeats,
      generation,
      element,
      seal: element === null ? null : seal,
    });
  yield* put(IDENTIFIER, rows);
  if (repeats) yield* putUpheld(reportId, reporterId, createdAt);
  yield { seenBy: [reporterId] };
  const history = repeats || asked.length === 0 ? undefined : toKnown(sharings, protections);
  if (repeats)
    yield* record({ actor: ENGINE, atMs: createdAt }, { action: 'dispute-upheld', reporterId, subject: reportId });
  const replaced = identifiers === report.identifiers ? undefined : identifiers;
  return { outcome: 'added', history, repeats: repeats || undefined, identifiers: replaced };
}

/** Maximum kinds of a hash beside the known ones. Each query about the hash reads them one by one. */
const MAX_KINDS = 32;
/** Maximum of these kinds that one report adds to a hash. */
const MAX_NEW_KINDS = 4;
const KIND = shape({ kind: orNull(TEXT) });
/** Kinds of a hash, each once: one index lookup per kind, at most as many as the last parameter says. */
const KINDS = `WITH RECURSIVE named (kind, n) AS (
    SELECT (SELECT kind FROM identifier WHERE hash = ? ORDER BY kind LIMIT 1), 1
    UNION ALL
    SELECT (SELECT i.kind FROM identifier i WHERE i.hash = ? AND i.kind > named.kind ORDER BY i.kind LIMIT 1), n + 1
      FROM named WHERE named.kind IS NOT NULL AND n < ?
  ) SELECT kind FROM named`;

/**
 * Returns the kinds of which a hash may have any. Undefined if the report names no others, and for a report of an older
 * journal: it may have all.
 */
function freeKinds({ identifiers, knownKinds, weakKinds = [] }: StoredReport): ReadonlySet<string> | undefined {
  if (!knownKinds || identifiers.every(({ kind }) => knownKinds.includes(kind))) return undefined;
  return new Set([...knownKinds, ...weakKinds, OTHER_KIND]);
}

/** Returns the hashes of a report that it names under a kind that is not free: as a rule none. */
function boundHashes({ identifiers }: StoredReport, free: ReadonlySet<string> | undefined): readonly string[] {
  const hashes = new Set<string>();
  if (free) for (const { kind, hash } of identifiers) if (!free.has(kind)) hashes.add(hash);
  return [...hashes];
}

type KindRow = { readonly kind: string | null };

/** Reads the kinds of hashes, sorted: so many of each that {@link MAX_KINDS} are not free, if it has them. */
function findKinds(hashes: readonly string[], free: ReadonlySet<string> | undefined): SingleRead<KindRow[][]> {
  const most = (free?.size ?? 0) + MAX_KINDS;
  const lists = hashes.map((hash): SqlValue[] => [toBytes(hash), toBytes(hash), most]);
  return askEach(KIND, KINDS, lists);
}

/** Returns the identifiers to store: the same list if no kind is replaced. `found` has the kinds of each bound hash. */
function boundKinds(
  { identifiers }: StoredReport,
  free: ReadonlySet<string> | undefined,
  bound: readonly string[],
  found: readonly (readonly KindRow[])[],
): readonly NewIdentifier[] {
  if (!free || bound.length === 0) return identifiers;
  const room = new Map<string, { readonly kinds: Set<string>; readonly most: number }>();
  for (const [at, hash] of bound.entries()) {
    const kinds = new Set<string>();
    for (const { kind } of found[at] ?? []) if (kind !== null && !free.has(kind)) kinds.add(kind);
    room.set(hash, { kinds, most: Math.min(MAX_KINDS, kinds.size + MAX_NEW_KINDS) });
  }
  const kept = new Map<string, NewIdentifier>();
  let isReplaced = false;
  for (const one of identifiers) {
    const { hash } = one;
    const of = free.has(one.kind) ? undefined : room.get(hash);
    if (of && of.kinds.size < of.most) of.kinds.add(one.kind);
    const kind = of && !of.kinds.has(one.kind) ? OTHER_KIND : one.kind;
    isReplaced ||= kind !== one.kind;
    kept.set(`${hash} ${kind}`, { ...one, kind });
  }
  return isReplaced ? [...kept.values()] : identifiers;
}

/** Returns the sharings of each hash, as `findSharings`. Undefined for a hash with many reports, or a disputed one. */
export function* findFewSharings(
  hashes: readonly string[],
  exceptReportId?: string,
): SingleRead<(StoredSharing[] | undefined)[]> {
  const lists: SqlValue[][] = [];
  for (const hash of hashes) lists.push([toBytes(hash)]);
  const sharings: (StoredSharing[] | undefined)[] = [];
  for (const rows of yield* askEach(SHARE, SHARES, lists))
    sharings.push(firstsOf(hashes[sharings.length] ?? '', rows, exceptReportId));
  return sharings;
}

/** Maximum reports of a hash that are read one by one. */
const FEW_SHARES = 64;

const SHARE_COLUMNS = { kind: TEXT, reporterId: hex(8), createdAt: WHOLE, reportId: hex(8), disputed: FLAG };
const SHARE = shape(SHARE_COLUMNS);
// No second parameter and no ORDER BY: SQLite's plan would depend on the values, so it would plan at each run. This
// would take five times as long.
const SHARES = `SELECT kind, reporter_id, created_at, report_id, disputed FROM identifier
  WHERE hash = ? LIMIT ${FEW_SHARES + 1}`;

/**
 * Returns the earliest row of each kind and reporter, except those of one report. Undefined if there are too many rows,
 * or a disputed one.
 */
function firstsOf(
  hash: string,
  rows: readonly RowOf<typeof SHARE_COLUMNS>[],
  exceptReportId: string | undefined,
): StoredSharing[] | undefined {
  if (rows.length > FEW_SHARES) return undefined;
  const firsts = new Map<string, StoredSharing>();
  for (const { kind, reporterId, createdAt, reportId, disputed } of rows) {
    if (reportId === exceptReportId) continue;
    if (disputed) return undefined;
    const name = `${kind} ${reporterId}`;
    const known = firsts.get(name);
    if (known && known.firstAt <= createdAt) continue;
    firsts.set(name, { hash, kind, reporterId, firstAt: createdAt, rightAt: createdAt });
  }
  return [...firsts.values()];
}

function toKnown(
  found: readonly (readonly StoredSharing[] | undefined)[],
  protections: readonly Protection[],
): HashHistory | undefined {
  const sharings: StoredSharing[] = [];
  for (const few of found) {
    if (few === undefined) return undefined;
    sharings.push(...few);
  }
  return { protections, sharings };
}

/** Adds, deletes and finds reports. */
export const REPORT_WORK = {
  /** As a journal records it. Older journals lack `claimRules`. */
  addReport: (report: StoredReport, sameSince: number, claimRules?: number) =>
    addReport(report, sameSince, [], UNCACHED, claimRules),

  removeReport,

  *findReports(reportIds) {
    const live = (yield* find(REPORT, 'reportId', reportIds)).filter(isLive);
    const reporterIds = [...new Set(live.map(({ reporterId }) => reporterId))];
    const reporters = new Map((yield* find(REPORTER, 'reporterId', reporterIds)).map((one) => [one.reporterId, one]));
    const found = live.map(({ reportId, reporterId, type, severity, text, createdAt }): PublicReport => {
      const reporter = reporters.get(reporterId);
      if (!reporter) throw missingRowError(REPORTER);
      return { reportId, type, severity, text, createdAt, reporter: reporter.name };
    });
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1));
  },

  *count(): SqlWork<StoreCounts> {
    const [row] = yield* ask(
      COUNTS,
      `SELECT (SELECT count(*) FROM report WHERE removed_at IS NULL) AS reports,
        (SELECT count(*) FROM report WHERE removed_at IS NOT NULL) AS removed,
        (SELECT count(*) FROM identifier) AS identifiers,
        (SELECT count(DISTINCT link_hash) FROM link_identifier) AS links,
        (SELECT count(*) FROM reporter) AS reporters`,
    );
    return row ?? { reports: 0, removed: 0, identifiers: 0, links: 0, reporters: 0 };
  },
} satisfies Partial<Omit<StoreWork, 'addReport'>> & Record<'addReport', unknown>;
