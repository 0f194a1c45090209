import type { ReportPlace } from '../../domain/report.ts';
import { damage } from '../errors.ts';
import type { ListedReport } from '../records.ts';
import { DISPUTE_REQUEST, IDENTIFIER, REPORT } from './catalogue.ts';
import { toBytes, type RowOf } from './columns.ts';
import { find, read } from './rows.ts';
import { together, type SqlValue, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { lookupWith, pick } from './table.ts';

type ReportRow = RowOf<(typeof REPORT)['columns']>;

/** Reports that a search reads between two pauses: about five milliseconds. */
const SCANNED_AT_ONCE = 500;
/** Maximum number of reports that one call of a search reads. */
const SCANNED_MOST = 5_000;

const KINDS = lookupWith(pick(IDENTIFIER, 'reportId', 'kind', 'position'), 'reportId', 'ORDER BY position');
const REQUESTS = pick(DISPUTE_REQUEST, 'reportId', 'requestId');

/** Lists the reports of one reporter. */
export const OWN_REPORTS_WORK = {
  *listReportsOf({ reporterId, before, most, text, reportIds = [] }) {
    const named = before || reportIds.length === 0 ? [] : yield* readNamed(reporterId, reportIds);
    if (named.length > 0) return { reports: yield* toListed(named.slice(0, most)) };
    const found: ReportRow[] = [];
    const wanted = text === undefined ? undefined : fold(text);
    const atOnce = wanted === undefined ? most + 1 : SCANNED_AT_ONCE;
    let place = before;
    for (let scanned = 0; ;) {
      const rows = yield* readBefore(reporterId, place, atOnce);
      for (const row of rows) {
        if (found.length === most) return { reports: yield* toListed(found), next: place };
        place = placeOf(row);
        if (wanted === undefined || fold(row.text ?? '').includes(wanted)) found.push(row);
      }
      if (rows.length < atOnce) return { reports: yield* toListed(found) };
      scanned += rows.length;
      if (scanned >= SCANNED_MOST) return { reports: yield* toListed(found), next: place };
      yield { pause: true };
    }
  },
} satisfies Partial<StoreWork>;

/** The database must not do this: SQLite folds only ASCII, and PostgreSQL by its locale. */
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Reads live reports of one reporter by their ids, newest first. */
function* readNamed(reporterId: string, reportIds: readonly string[]): SqlWork<ReportRow[]> {
  const rows = yield* find(REPORT, 'reportId', reportIds);
  return rows
    .filter((row) => row.reporterId === reporterId && row.removedAt === null)
    .sort((a, b) => (isOlder(placeOf(a), placeOf(b)) ? 1 : -1));
}

/** Reads reports by the index of reporter and time. */
function* readBefore(reporterId: string, before: ReportPlace | undefined, limit: number): SqlWork<ReportRow[]> {
  const conditions = ['reporter_id = ?', 'created_at IS NOT NULL'];
  const values: SqlValue[] = [toBytes(reporterId)];
  if (before) {
    conditions.push('(created_at, report_id) < (?, ?)');
    values.push(before.createdAt, toBytes(before.reportId));
  }
  const tail = `WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, report_id DESC LIMIT ?`;
  const rows = yield* read(REPORT, tail, ...values, limit);
  let last = before;
  for (const row of rows) {
    const place = placeOf(row);
    // The nonce reveals the deletion code: verify that the report belongs to this reporter.
    if (row.reporterId !== reporterId || row.removedAt !== null || (last && !isOlder(place, last)))
      throw damage(
        'a lookup of the reports of a reporter returned another one: an index of the table report is damaged',
      );
    last = place;
  }
  return rows;
}

function placeOf({ createdAt, reportId }: ReportRow): ReportPlace {
  return { createdAt: createdAt ?? 0, reportId };
}

function isOlder(a: ReportPlace, b: ReportPlace): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.reportId < b.reportId);
}

function* toListed(rows: readonly ReportRow[]): SqlWork<ListedReport[]> {
  const reportIds = rows.map(({ reportId }) => reportId);
  const [identifiers, requests] = yield* together(
    find(KINDS, 'reportId', reportIds),
    find(REQUESTS, 'reportId', reportIds),
  );
  const kinds = new Map(reportIds.map((reportId) => [reportId, new Set<string>()]));
  for (const { reportId, kind } of identifiers) kinds.get(reportId)?.add(kind);
  return rows.map((row) => ({
    ...placeOf(row),
    nonce: row.nonce ?? '',
    type: row.type ?? '',
    severity: row.severity ?? 0,
    text: row.text ?? '',
    kinds: [...(kinds.get(row.reportId) ?? [])],
    requests: requests.filter(({ reportId }) => reportId === row.reportId).length,
  }));
}
