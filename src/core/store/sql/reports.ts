import { damageError } from '../errors.ts';
import type { Protection } from '../../domain/protection.ts';
import type { PublicReport } from '../../domain/report.ts';
import type { AddReportResult, HashHistory, StoreCounts, StoredReport, StoredSharing } from '../records.ts';
import { record } from './audit.ts';
import { UNCACHED, type Lookups } from './cache.ts';
import { IDENTIFIER, REPORT, REPORTER } from './catalogue.ts';
import { hex, orNull, toBytes, WHOLE, type RowOf } from './columns.ts';
import { findProtections } from './moderation.ts';
import { removeReport } from './removal.ts';
import { findJudged, isRepeat, putUpheld } from './repeats.ts';
import { ask, find, missingRowError, put } from './rows.ts';
import { together, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { shape } from './table.ts';
import { findFewSharings } from './trust.ts';

const SAME_COLUMNS = { reportId: hex(8), createdAt: orNull(WHOLE) };
const SAME = shape(SAME_COLUMNS);
const COUNTS = shape({ reports: WHOLE, removed: WHOLE, identifiers: WHOLE, links: WHOLE, reporters: WHOLE });

type ReportRow = RowOf<(typeof REPORT)['columns']>;
type LiveReport = { readonly [N in keyof ReportRow]: NonNullable<ReportRow[N]> };

/** True for a report that was not deleted. */
function isLive(report: ReportRow): report is ReportRow & Omit<LiveReport, 'removedAt'> {
  return report.removedAt === null;
}

/** Adds a report. If the lookups cannot say what is known about `hashes`, the result does not. */
export function* addReport(
  report: StoredReport,
  sameSince: number,
  hashes: readonly string[],
  lookups: Lookups,
): SqlWork<AddReportResult> {
  const protecting = lookups.findProtectionsAtOnce(hashes);
  const asked = protecting ? hashes : [];
  yield { lock: [`fingerprint/${report.fingerprint}`, `report/${report.reportId}`] };
  // One round trip on a server. No ORDER BY: few rows have the same fingerprint, and sorting would cost SQLite more
  // than everything else here.
  const [found, sharings, protections, judged] = yield* together(
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
  const repeats = judged.length > 0 && (yield* isRepeat(report, judged));
  // Literals instead of spreads: in Node 20, spreads would take a tenth of the time of a report.
  const { reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt } = report;
  const { generation = 0, seal = null } = report;
  yield* put(REPORT, [{ reportId, reporterId, nonce, fingerprint, type, severity, text, createdAt, removedAt: null }]);
  const rows: RowOf<(typeof IDENTIFIER)['columns']>[] = [];
  for (const { kind, hash, element = null } of report.identifiers)
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
  const history = asked.length === 0 ? undefined : toKnown(sharings, protections);
  if (repeats)
    yield* record({ actor: 'engine', atMs: createdAt }, { action: 'dispute-upheld', reporterId, subject: reportId });
  if (repeats) return { outcome: 'added', repeats };
  return history ? { outcome: 'added', history } : { outcome: 'added' };
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
  addReport: (report, sameSince) => addReport(report, sameSince, [], UNCACHED),

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
} satisfies Partial<StoreWork>;
