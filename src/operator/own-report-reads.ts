import { accept, type Outcome } from '../core/domain/refusal.ts';
import { withoutMarks } from '../core/domain/text.ts';
import type { EngineContext } from '../core/engine/context.ts';
import { damageError } from '../core/store/errors.ts';
import { DISPUTE_REQUEST, IDENTIFIER, REPORT, REPORTER_USAGE } from '../core/store/sql/catalogue.ts';
import { toBytes, type RowOf } from '../core/store/sql/columns.ts';
import { find, read, together } from '../core/store/sql/rows.ts';
import type { SqlValue, SqlWork } from '../core/store/sql/statement.ts';
import type { Store } from '../core/store/store.ts';
import { lookupWith, pick } from '../core/store/sql/table.ts';

/** The place of a report among those of its reporter, or among all. */
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

/** Which reports to return. */
export interface ReportPageRequest {
  /** Only those of this reporter, 16 lowercase hex characters. */
  readonly reporterId?: string | undefined;
  /** Only older ones. Undefined: from the newest. */
  readonly before?: ReportPlace | undefined;
  /** Maximum number of reports. */
  readonly limit: number;
  /** Only reports whose text contains this one. Upper and lower case are alike. */
  readonly text?: string | undefined;
  /**
   * Ids for which the text may stand. Without `before`, returns those reports if there are any, instead of a search.
   */
  readonly reportIds?: readonly string[] | undefined;
  /** Only those of this offence type. */
  readonly type?: string | undefined;
  /** Only those of this moment (ms, UTC) and later ones. */
  readonly since?: number | undefined;
  /** Only those with one of these stored hashes. */
  readonly hashes?: readonly string[] | undefined;
}

/** A live report with what its deletion code follows from. */
export interface ReportWithNonce extends ReportOfReporter {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** 16 hex characters. The deletion code follows from it and the operator's secret. */
  readonly nonce: string;
}

/** Some reports. */
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

/** Reports that a search reads between two pauses: five to ten milliseconds. */
const SCANNED_AT_ONCE = 500;
/** Maximum number of reports that one call of a search reads. */
const MAX_SCANNED_REPORTS = 5_000;

const KINDS = lookupWith(pick(IDENTIFIER, 'reportId', 'kind', 'position'), 'reportId', 'ORDER BY position');
const REQUESTS = pick(DISPUTE_REQUEST, 'reportId', 'requestId');

/**
 * Returns live reports, newest first (ties by id, the highest first), and the place to continue. A search reads a
 * bounded number of reports, so a page may be short or empty although more follow.
 */
export function listReportsOf(
  store: Store,
  { reporterId, before, limit, text, reportIds = [], type, since = 0, hashes }: ReportPageRequest,
): Promise<ReportPage> {
  const wanted = text === undefined ? undefined : fold(text);
  const isFound = (row: ReportRow): boolean =>
    (reporterId === undefined || row.reporterId === reporterId) &&
    (type === undefined || row.type === type) &&
    (wanted === undefined || fold(row.text ?? '').includes(wanted));
  const isSearch = wanted !== undefined || type !== undefined || hashes !== undefined;
  const atOnce = isSearch ? SCANNED_AT_ONCE : limit + 1;
  return store.read(function* () {
    const named = before || reportIds.length === 0 ? [] : yield* readNamed(reporterId, reportIds);
    if (named.length > 0) return { reports: yield* toListed(named.slice(0, limit)) };
    const found: ReportRow[] = [];
    let place = before;
    for (let scanned = 0; ;) {
      const { rows, next } = yield* hashes ? readWith(hashes, place, atOnce) : readBefore(reporterId, place, atOnce);
      for (const row of rows) {
        if ((row.createdAt ?? 0) < since) return { reports: yield* toListed(found) };
        if (found.length === limit) return { reports: yield* toListed(found), next: place };
        place = placeOf(row);
        if (isFound(row)) found.push(row);
      }
      if (next === undefined) return { reports: yield* toListed(found) };
      place = next;
      scanned += atOnce;
      if (scanned >= MAX_SCANNED_REPORTS) return { reports: yield* toListed(found), next: place };
      yield { pause: true };
    }
  });
}

/** Runs a search when it is its turn among all that read very many rows. Refuses with `overloaded`. */
export function searchInTurn<T>(
  { queries }: Pick<EngineContext, 'queries'>,
  search: () => Promise<T>,
  owner: string,
): Promise<Outcome<T>> {
  return queries.inTurn(search, async () => accept(await search()), owner);
}

const COUNTED = pick(REPORTER_USAGE, 'dayAt', 'identifiers');

/** Returns the counts of one reporter of days from `since` on (ms, UTC), oldest first. */
export function findUsage(store: Store, reporterId: string, since: number): Promise<CountedDay[]> {
  const tail = 'WHERE reporter_id = ? AND day_at >= ? ORDER BY day_at';
  return store.read(() => read(COUNTED, tail, toBytes(reporterId), since));
}

/**
 * The database must not do this: SQLite folds only ASCII, and PostgreSQL by its locale. Texts of earlier versions may
 * have piles of marks.
 */
function fold(text: string): string {
  return withoutMarks(text).normalize('NFC').toLowerCase();
}

/** Reads live reports by their ids, newest first: of one reporter, or of all. */
function* readNamed(reporterId: string | undefined, reportIds: readonly string[]): SqlWork<ReportRow[]> {
  const rows = yield* find(REPORT, 'reportId', reportIds);
  return rows
    .filter((row) => (reporterId === undefined || row.reporterId === reporterId) && row.removedAt === null)
    .sort((a, b) => (isOlder(placeOf(a), placeOf(b)) ? 1 : -1));
}

/** Reports, newest first, and the place of the last that was read; undefined if there are no more. */
interface ReportRows {
  readonly rows: readonly ReportRow[];
  readonly next: ReportPlace | undefined;
}

/** Reads reports by the index of time, or of reporter and time. */
function* readBefore(
  reporterId: string | undefined,
  before: ReportPlace | undefined,
  limit: number,
): SqlWork<ReportRows> {
  const conditions = ['created_at IS NOT NULL'];
  const values: SqlValue[] = [];
  if (reporterId !== undefined) {
    conditions.push('reporter_id = ?');
    values.push(toBytes(reporterId));
  }
  const rows = yield* read(REPORT, ...tailOf(conditions, values, before, limit));
  let last = before;
  for (const row of rows) {
    const place = placeOf(row);
    // The nonce reveals the deletion code: verify that the report belongs to this reporter.
    const isOther = reporterId !== undefined && row.reporterId !== reporterId;
    if (isOther || row.removedAt !== null || (last && !isOlder(place, last)))
      throw damageError(
        'a lookup of the reports of a reporter returned another one: an index of the table report is damaged',
      );
    last = place;
  }
  return { rows, next: rows.length < limit ? undefined : last };
}

const WITH_HASH = pick(IDENTIFIER, 'hash', 'reportId', 'createdAt');

/** Reads reports that have one of these stored hashes. */
function* readWith(hashes: readonly string[], before: ReportPlace | undefined, limit: number): SqlWork<ReportRows> {
  const places: ReportPlace[] = [];
  let next: ReportPlace | undefined;
  for (const hash of hashes) {
    const matching = yield* read(WITH_HASH, ...tailOf(['hash = ?'], [toBytes(hash)], before, limit));
    places.push(...matching);
    const last = matching.at(-1);
    // Further reports of this hash are older than its last one. So the page ends there.
    if (last && matching.length === limit && (!next || isOlder(next, last))) next = last;
  }
  const end = next;
  const ids = places.filter((place) => !end || !isOlder(place, end)).map(({ reportId }) => reportId);
  return { rows: yield* readNamed(undefined, [...new Set(ids)]), next };
}

/** Returns the end of a statement that reads a page, newest first, and its parameters. */
function tailOf(
  conditions: readonly string[],
  values: readonly SqlValue[],
  before: ReportPlace | undefined,
  limit: number,
): [tail: string, ...SqlValue[]] {
  const all = before ? [...conditions, '(created_at, report_id) < (?, ?)'] : conditions;
  const place = before ? [before.createdAt, toBytes(before.reportId)] : [];
  const tail = `WHERE ${all.join(' AND ')} ORDER BY created_at DESC, report_id DESC LIMIT ?`;
  return [tail, ...values, ...place, limit];
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
    reporterId: row.reporterId,
    nonce: row.nonce ?? '',
    type: row.type ?? '',
    severity: row.severity ?? 0,
    text: row.text ?? '',
    kinds: [...(kinds.get(row.reportId) ?? [])],
    requests: requests.filter(({ reportId }) => reportId === row.reportId).length,
  }));
}
