import { toAuditNote } from '../core/domain/audit.ts';
import { DAY_MS, startOfDay } from '../core/domain/day.ts';
import { disputeStateAt, type DisputeState } from '../core/domain/dispute.ts';
import { isCode, type Identifier } from '../core/domain/identifier.ts';
import { refuseUnknown, requireString, requireWhole } from '../core/domain/options.ts';
import { accept, refuse, type Outcome, type RateLimit } from '../core/domain/refusal.ts';
import type { ReportDraft, ReportReceipt } from '../core/domain/report.ts';
import type { WithContext } from '../core/engine/context.ts';
import { remove, report } from '../core/engine/report.ts';
import { findSpent } from '../core/store/sql/budgets.ts';
import { counting, lookUp, type LookUpResult } from './look-up.ts';
import {
  findUsage,
  listReportsOf,
  searchInTurn,
  type CountedDay,
  type ReportOfReporter,
  type ReportPlace,
} from './own-report-reads.ts';
import { toReason } from './statement.ts';

/** A live report with what only its reporter may know. */
export interface OwnReport extends ReportOfReporter {
  /** 16 hex characters. Deletes the report. Show it only to the reporter. */
  readonly deletionCode: string;
  /** State of the newest dispute about the report. */
  readonly dispute: DisputeState;
}

/** Some reports of one reporter. */
export interface OwnReports {
  /** Newest first. */
  readonly reports: readonly OwnReport[];
  /** Pass it as `before` to continue. Undefined: there are no more. */
  readonly next?: ReportPlace | undefined;
}

/** How much one reporter may use the service, and how much it did. */
export interface ReporterUsage {
  /** Its budget: identifiers in queries and reports in any 24 hours. */
  readonly identifiersPerDay: number;
  /** True if the operator gave it this budget. False: it is that of the engine's options. */
  readonly isOwnBudget: boolean;
  /** Identifiers in queries since 00:00 UTC. */
  readonly identifiersToday: number;
  /**
   * How many identifiers of its budget are left now, for any 24 hours. Processes take a sixtieth of it ahead: of what
   * they have spent of it, reports are not known.
   */
  readonly identifiersLeft: number;
  /** The last 28 days (UTC), oldest first; the last one is today. */
  readonly days: readonly CountedDay[];
  /** Its limits of `query`, `report` and `delete`. A token of `query` is one identifier. */
  readonly limits: readonly RateLimit[];
}

/**
 * What a reporter sees and does with its own reports. The public protocol cannot reach these operations: the caller
 * decides who acts for a reporter.
 */
export interface ReporterView {
  /**
   * Returns live reports of a reporter, newest first, with their deletion codes: at most `limit` (1 to 100, default
   * 50). `text` (1 to 200 characters) finds reports whose text contains it, in upper or lower case. If `text` is the id
   * or the deletion code of a live report of this reporter, only that report is found. A search reads at most 5,000
   * reports a call: a page may be short or empty although `next` says that more follow. Refuses with
   * `unknown-reporter`, and with `overloaded` if too many searches wait.
   */
  listReports(request: {
    readonly reporterId: string;
    readonly before?: ReportPlace | undefined;
    readonly limit?: number;
    readonly text?: string | undefined;
  }): Promise<Outcome<OwnReports>>;
  /**
   * Scores hashed identifiers for a person at a reporter (protocol 4.4), and says who reported and why. Counts them
   * against the budget of the reporter. The limit of a minute does not apply: the caller has its own. Refuses as a
   * query does, and with `unknown-reporter`.
   */
  lookUp(request: {
    readonly reporterId: string;
    readonly identifiers: readonly Identifier[];
  }): Promise<Outcome<LookUpResult>>;
  /**
   * Submits a report of a reporter (protocol 4.2). Its identifiers count against the budget of the reporter, unless it
   * is a retry. The limit of a minute does not apply. Refuses as a report does, and with `unknown-reporter`.
   */
  submitReport(request: ReportDraft & { readonly reporterId: string }): Promise<Outcome<ReportReceipt>>;
  /**
   * Deletes a report of a reporter (protocol 4.3). Another reporter's code is unknown. Refuses with `unknown-reporter`,
   * `suspended-key`, `invalid-code`, `unknown-code` or `already-deleted`.
   */
  deleteReport(request: { readonly reporterId: string; readonly deletionCode: string }): Promise<Outcome<void>>;
  /**
   * Stores what a reporter answers to the open dispute about its report, for the operator who decides. `answer` has 1
   * to 500 code points, and replaces an earlier one. It is erased with the report. `by` is the person who answers
   * (default `engine`). A reporter answers a hundred times a day at most, because each answer is in the audit log.
   * Refuses with `no-open-dispute`, `invalid-note`, `invalid-name` or `limited`.
   */
  answerDispute(request: {
    readonly reportId: string;
    readonly reporterId: string;
    readonly answer: string;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
  /**
   * Returns the limits of a reporter and its use of them. Uses in other processes may be missing for a minute. Refuses
   * with `unknown-reporter`.
   */
  usageOf(request: { readonly reporterId: string }): Promise<Outcome<ReporterUsage>>;
}

const ANSWER_LIMIT: RateLimit = { name: 'answer', requests: 100, windowSeconds: 86_400 };
const REPORT_LIMIT = { default: 50, max: 100 };
const SEARCH_CHARACTERS = 200;
/** The store keeps at least this many days. */
const DAYS = 28;

/** Returns what reporters of an engine see and do with their own reports. */
export function createReporterView({ context }: WithContext): ReporterView {
  const { store, secrets, usage, limits, effects } = context;
  const { clock } = effects;
  const answers = limits.createThrottle(ANSWER_LIMIT);
  const findReporter = async (reporterId: string) =>
    isCode(reporterId) ? (await store.findReporters([reporterId]))[0] : undefined;

  return context.secretCheck.guard<ReporterView>({
    async listReports(request) {
      refuseUnknown(request, ['reporterId', 'before', 'limit', 'text']);
      const { reporterId, before, limit = REPORT_LIMIT.default, text } = request;
      requireWhole('limit', limit, 1, REPORT_LIMIT.max);
      if (before !== undefined) requirePlace(before);
      if (text !== undefined) requireSearch(text);
      if (!(await findReporter(reporterId))) return refuse({ reason: 'unknown-reporter' });
      const code = text?.toLowerCase();
      const reportIds = code !== undefined && isCode(code) ? [code, secrets.reportId(code)] : undefined;
      const list = () => listReportsOf(store, { reporterId, before, limit, text, reportIds });
      const listed = text === undefined ? accept(await list()) : await searchInTurn(context, list, reporterId);
      if (!listed.ok) return listed;
      const { reports, next } = listed.value;
      const disputes = await store.findDisputes(reports.map(({ reportId }) => reportId));
      return accept({
        reports: reports.map(({ nonce, reporterId: _own, ...report }): OwnReport => {
          const own = disputes.filter(({ reportId }) => reportId === report.reportId);
          return { ...report, deletionCode: secrets.deletionCode(nonce), dispute: disputeStateAt(own, Infinity) };
        }),
        next,
      });
    },

    async lookUp(request) {
      refuseUnknown(request, ['reporterId', 'identifiers']);
      return counting(context, request, true, () => lookUp(context, request));
    },

    async submitReport(request) {
      refuseUnknown(request, ['reporterId', 'type', 'severity', 'text', 'identifiers']);
      const { reporterId, ...draft } = request;
      const submit = () => report(context, { reporterId }, draft);
      return counting(context, request, false, submit, ({ duplicate }) => duplicate);
    },

    async deleteReport(request) {
      refuseUnknown(request, ['reporterId', 'deletionCode']);
      const { reporterId, deletionCode } = request;
      const reporter = await findReporter(reporterId);
      if (!reporter) return refuse({ reason: 'unknown-reporter' });
      if (reporter.suspended) return refuse({ reason: 'suspended-key' });
      return remove(context, { reporterId }, { deletionCode });
    },

    async answerDispute(request) {
      refuseUnknown(request, ['reportId', 'reporterId', 'answer', 'by']);
      const { reportId, reporterId, by } = request;
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      const answer = toReason(request.answer);
      if (!answer.ok) return answer;
      if (!isCode(reportId) || !isCode(reporterId)) return refuse({ reason: 'no-open-dispute' });
      const allowed = await answers.take(reporterId);
      if (!allowed.ok) return allowed;
      const given = { reportId, reporterId, answer: answer.value, answeredAt: note.value.atMs };
      if ((await store.answerDispute(given, note.value)) === 'none') return refuse({ reason: 'no-open-dispute' });
      return accept(undefined);
    },

    async usageOf(request) {
      refuseUnknown(request, ['reporterId']);
      const reporter = await findReporter(request.reporterId);
      if (!reporter) return refuse({ reason: 'unknown-reporter' });
      await usage.save();
      const { reporterId, identifiersPerDay: own } = reporter;
      const today = startOfDay(clock());
      const since = today - (DAYS - 1) * DAY_MS;
      const counted = await findUsage(store, reporterId, since);
      const { spent, ahead } = await store.read(() => findSpent(reporterId, clock()));
      const countOn = (dayAt: number): number => counted.find((day) => day.dayAt === dayAt)?.identifiers ?? 0;
      const budget = limits.budgetOf(reporter).requests;
      const lookedUp = countOn(today) + countOn(today - DAY_MS);
      return accept({
        identifiersPerDay: budget,
        isOwnBudget: own !== null,
        identifiersToday: countOn(today),
        // What was spent of the part that is taken ahead is not known. What was looked up is a part of it.
        identifiersLeft: Math.max(0, budget - Math.max(spent, Math.min(spent + ahead, lookedUp))),
        days: Array.from({ length: DAYS }, (_, at) => {
          const dayAt = since + at * DAY_MS;
          return { dayAt, identifiers: countOn(dayAt) };
        }),
        limits: Object.values(limits.ofKeys),
      });
    },
  });
}

function requirePlace(place: ReportPlace): void {
  requireWhole('before.createdAt', place.createdAt, 0);
  if (!isCode(place.reportId)) throw new TypeError('"before.reportId" expected 16 lowercase hex characters');
}

function requireSearch(text: string): void {
  requireString('text', text);
  if (text.length === 0 || text.length > SEARCH_CHARACTERS)
    throw new RangeError(`"text" expected 1 to ${SEARCH_CHARACTERS} characters, got ${text.length}`);
}
