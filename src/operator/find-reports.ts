import { disputeStateAt, type DisputeState } from '../core/domain/dispute.ts';
import { isCode, isHash } from '../core/domain/identifier.ts';
import { nameOf, refuseUnknown, requireString, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome } from '../core/domain/refusal.ts';
import type { PublicReport } from '../core/domain/report.ts';
import type { WithContext } from '../core/engine/context.ts';
import { listReportsOf, searchInTurn, type ReportOfReporter, type ReportPlace } from './own-report-reads.ts';

/** Maximum number of reports of one call. */
const MAX_REPORTS = 1_000;
const REPORT_LIMIT = { default: 50, max: 100 };
const SEARCH_CHARACTERS = 200;
const MAX_HASHES = 32;
/** Before all ids. */
const FIRST_ID = '0'.repeat(16);

/** Which reports to find: those to which all of these apply. */
export interface ReportSearch {
  /** Only those of this reporter, 16 lowercase hex characters. */
  readonly reporterId?: string | undefined;
  /** Only those of this offence type. */
  readonly type?: string | undefined;
  /** Only those made at this moment (ms, UTC) or later. */
  readonly since?: number | undefined;
  /** Only those made before this moment (ms, UTC). */
  readonly until?: number | undefined;
  /**
   * Only those whose text contains this one, 1 to 200 characters, in upper or lower case. If it is the id of a live
   * report, only that report is found.
   */
  readonly text?: string | undefined;
  /** Only those with one of these hashes, as clients send them: 1 to 32. */
  readonly hashes?: readonly string[] | undefined;
  /** Only older ones than this place. */
  readonly before?: ReportPlace | undefined;
  /** Maximum number of reports: 1 to 100, default 50. */
  readonly limit?: number | undefined;
}

/** A live report, as an operator sees it. */
export interface FoundReport extends PublicReport, Pick<ReportOfReporter, 'kinds' | 'requests'> {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** State of the report's disputes. */
  readonly dispute: DisputeState;
  /** True if a dispute waits for a decision: also about a report that was found wrong before. */
  readonly isDisputed: boolean;
}

/** Some reports of all reporters. */
export interface FoundReports {
  /** Newest first. */
  readonly reports: readonly FoundReport[];
  /** Pass it as `before` to continue. Undefined: there are no more. */
  readonly next?: ReportPlace | undefined;
}

/** Reports of all reporters, for an operator. */
export interface FindReports {
  /**
   * Returns the live reports among these, newest first. Leaves out unknown and deleted ones. Rejects with RangeError
   * for more than 1,000 ids.
   */
  findReports(request: { readonly reportIds: readonly string[] }): Promise<readonly PublicReport[]>;
  /**
   * Searches live reports, newest first. One call reads at most 5,000 reports: a page may be short or empty although
   * `next` says that more follow. Refuses with `invalid-hash`, and with `overloaded` if too many searches wait.
   */
  searchReports(search?: ReportSearch): Promise<Outcome<FoundReports>>;
}

/** Returns the search for reports of an engine. */
export function createFindReports({ context }: WithContext): FindReports {
  const { store, peppers } = context;
  return context.secretCheck.guard<FindReports>({
    async findReports({ reportIds }) {
      if (reportIds.length > MAX_REPORTS) throw new RangeError(`"reportIds" expected at most ${MAX_REPORTS} ids`);
      const known = [...new Set(reportIds)].filter(isCode);
      return known.length === 0 ? [] : store.findReports(known);
    },

    async searchReports(search = {}) {
      requireSearch(search);
      const { reporterId, type, since, until, text, hashes, limit = REPORT_LIMIT.default } = search;
      if (reporterId !== undefined && !isCode(reporterId)) return accept({ reports: [] });
      if (hashes && !hashes.every(isHash)) return refuse({ reason: 'invalid-hash' });
      const end = until === undefined ? undefined : { createdAt: until, reportId: FIRST_ID };
      const code = text?.toLowerCase();
      const find = (stored?: readonly string[]) =>
        listReportsOf(store, {
          reporterId,
          before: search.before && end && search.before.createdAt >= end.createdAt ? end : (search.before ?? end),
          limit,
          text,
          reportIds: code !== undefined && isCode(code) ? [code] : undefined,
          type,
          since,
          hashes: stored,
        });
      const asked = hashes?.map((hash) => ({ kind: '', hash }));
      const run = () =>
        asked
          ? peppers.withStoredHashes(asked, ({ identifiers }) =>
              find([...new Set(identifiers.map(({ hash }) => hash))]),
            )
          : find();
      const isSearch = text !== undefined || type !== undefined || asked;
      const found = isSearch ? await searchInTurn(context, run, 'operator') : accept(await run());
      if (!found.ok) return found;
      const { reports, next } = found.value;
      const [disputes, reporters] = await Promise.all([
        store.findDisputes(reports.map(({ reportId }) => reportId)),
        store.findReporters([...new Set(reports.map((report) => report.reporterId))]),
      ]);
      const names = new Map(reporters.map((one) => [one.reporterId, one.name]));
      return accept({
        reports: reports.map(({ nonce: _secret, ...report }): FoundReport => {
          const own = disputes.filter(({ reportId }) => reportId === report.reportId);
          const reporter = names.get(report.reporterId) ?? 'A reporter';
          const isDisputed = own.some(({ decidedAt }) => decidedAt === null);
          return { ...report, reporter, dispute: disputeStateAt(own, Infinity), isDisputed };
        }),
        next,
      });
    },
  });
}

function requireSearch(search: ReportSearch): void {
  refuseUnknown(search, ['reporterId', 'type', 'since', 'until', 'text', 'hashes', 'before', 'limit']);
  const { type, since, until, text, hashes, before, limit } = search;
  if (type !== undefined) requireString('type', type);
  if (since !== undefined) requireWhole('since', since, 0);
  if (until !== undefined) requireWhole('until', until, 0);
  if (text !== undefined) {
    requireString('text', text);
    if (text.length === 0 || text.length > SEARCH_CHARACTERS)
      throw new RangeError(`"text" expected 1 to ${SEARCH_CHARACTERS} characters, got ${text.length}`);
  }
  if (hashes !== undefined) {
    if (!Array.isArray(hashes)) throw new TypeError(`"hashes" expected an array, got ${nameOf(hashes)}`);
    requireWhole('hashes.length', hashes.length, 1, MAX_HASHES);
  }
  if (before !== undefined) {
    requireWhole('before.createdAt', before.createdAt, 0);
    if (!isCode(before.reportId)) throw new TypeError('"before.reportId" expected 16 lowercase hex characters');
  }
  if (limit !== undefined) requireWhole('limit', limit, 1, REPORT_LIMIT.max);
}
