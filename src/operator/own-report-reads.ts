import { DAY_MS } from '../core/domain/day.ts';
import { damageError } from '../core/store/errors.ts';
import { BUDGET, DISPUTE_REQUEST, IDENTIFIER, REPORT, REPORTER_USAGE } from '../core/store/sql/catalogue.ts';
import { toBytes, type RowOf } from '../core/store/sql/columns.ts';
import { find, read } from '../core/store/sql/rows.ts';
import { together, type SqlValue, type SqlWork } from '../core/store/sql/statement.ts';
import type { Store } from '../core/store/store.ts';
import { lookupWith, pick } from '../core/store/sql/table.ts';

/** The place of a report among those of its reporter. */
export interface ReportPlace {
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
}

/** A live report, as its reporter sees it. */
export interface ReportOfReporter extends ReportPlace {
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Public description. */
  readonly text: string;
  /** Kinds of its identifiers, each once, in the order of submission. */
  readonly kinds: readonly string[];
  /** Number of requests of persons to open a dispute about it. */
  readonly requests: number;
}

/** Which reports of one reporter to return. */
export interface ReportPageRequest {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Only older ones. Undefined: from the newest. */
  readonly before?: ReportPlace | undefined;
  /** Maximum number of reports. */
  readonly limit: number;
  /** Only reports whose text contains this one. Upper and lower case are alike. */
  readonly text?: string | undefined;
  /**
   * Ids for which the text may stand. Without `before`, returns those reports of the reporter if there are any, instead
   * of a search.
   */
  readonly reportIds?: readonly string[] | undefined;
}

/** A live report with what its deletion code follows from. */
export interface ReportWithNonce extends ReportOfReporter {
  /** 16 hex characters. The deletion code follows from it and the operator's secret. */
  readonly nonce: string;
}

/** Some reports of one reporter. */
export interface ReportPage {
  /** Newest first. */
  readonly reports: readonly ReportWithNonce[];
  /** Pass it as `before` to continue. Undefined: there are no more. */
  readonly next?: ReportPlace | undefined;
}

/** Identifiers in queries of one reporter on one day. */
export interface CountedDay {
  /** Start of the day (ms, UTC). */
  readonly dayAt: number;
  /** Number of identifiers in queries. */
  readonly identifiers: number;
}

type ReportRow = RowOf<(typeof REPORT)['columns']>;

/** Reports that a search reads between two pauses: about five milliseconds. */
const SCANNED_AT_ONCE = 500;
/** Maximum number of reports that one call of a search reads. */
const MAX_SCANNED_REPORTS = 5_000;

const KINDS = lookupWith(pick(IDENTIFIER, 'reportId', 'kind', 'position'), 'reportId', 'ORDER BY position');
const REQUESTS = pick(DISPUTE_REQUEST, 'reportId', 'requestId');

/**
 * Returns live reports of one reporter, newest first (ties by id, the highest first), and the place to continue. A
 * search reads a bounded number of reports, so a page may be short or empty although more follow.
 */
export function listReportsOf(
  store: Store,
  { reporterId, before, limit, text, reportIds = [] }: ReportPageRequest,
): Promise<ReportPage> {
  return store.read(function* () {
    const named = before || reportIds.length === 0 ? [] : yield* readNamed(reporterId, reportIds);
    if (named.length > 0) return { reports: yield* toListed(named.slice(0, limit)) };
    const found: ReportRow[] = [];
    const wanted = text === undefined ? undefined : fold(text);
    const atOnce = wanted === undefined ? limit + 1 : SCANNED_AT_ONCE;
    let place = before;
    for (let scanned = 0; ;) {
      const rows = yield* readBefore(reporterId, place, atOnce);
      for (const row of rows) {
        if (found.length === limit) return { reports: yield* toListed(found), next: place };
        place = placeOf(row);
        if (wanted === undefined || fold(row.text ?? '').includes(wanted)) found.push(row);
      }
      if (rows.length < atOnce) return { reports: yield* toListed(found) };
      scanned += rows.length;
      if (scanned >= MAX_SCANNED_REPORTS) return { reports: yield* toListed(found), next: place };
      yield { pause: true };
    }
  });
}

const COUNTED = pick(REPORTER_USAGE, 'dayAt', 'identifiers');

/** Returns the counts of one reporter of days from `since` on (ms, UTC), oldest first. */
export function findUsage(store: Store, reporterId: string, since: number): Promise<CountedDay[]> {
  const tail = 'WHERE reporter_id = ? AND day_at >= ? ORDER BY day_at';
  return store.read(() => read(COUNTED, tail, toBytes(reporterId), since));
}

/**
 * Returns how many identifiers of a budget count now, to a sixtieth of it: a process takes a part ahead. The text of
 * the spans is that of `core/store/sql/budgets.ts`: when each begins, its identifiers, and its state.
 */
export async function findSpent(store: Store, reporterId: string, nowMs: number): Promise<number> {
  const [row] = await store.read(() => find(BUDGET, 'reporterId', [reporterId]));
  let spent = 0;
  for (const span of row?.spans.split(' ') ?? []) {
    const [at = 0, identifiers = 0] = span.split(':').map(Number);
    if (at + DAY_MS > nowMs) spent += identifiers;
  }
  return spent;
}

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
      throw damageError(
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

function* toListed(rows: readonly ReportRow[]): SqlWork<ReportWithNonce[]> {
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
