import type { AuditNote } from '../../domain/audit.ts';
import type { DisputeRequest } from '../../domain/dispute.ts';
import { groupBy } from '../../domain/lists.ts';
import { record } from './audit.ts';
import { DISPUTE, DISPUTE_REQUEST, REPORT } from './catalogue.ts';
import { forgetClaim } from './claims.ts';
import { toBytes } from './columns.ts';
import { answerCases, endCases, putCases, type CaseLink } from './person-cases.ts';
import { exists, find, put, read } from './rows.ts';
import { sql, type SqlValue, type SqlWork } from './statement.ts';
import type { CaseAnswer, DisputeRequestRemoval, NewDisputeRequest } from '../records.ts';
import type { StoreWork } from '../store.ts';
import { pick } from './table.ts';

const LIVE = pick(REPORT, 'reportId', 'reporterId', 'removedAt');

/** Requests for disputes. They wait until the operator opens a dispute about the report, or refuses them. */
export const DISPUTE_REQUEST_WORK = {
  *addDisputeRequest({ reportIds, requestedAt, reports, inAll, joins, numbered, ...rules }, note) {
    if (reportIds.length === 0) return 0;
    const { requestId, reason } = rules;
    // In one order, so that two requests about the same reports never wait for each other.
    const given = [...new Set(reportIds)];
    const sorted = [...given].sort();
    yield { lock: sorted.map(lockOf) };
    const waiting = yield* find(DISPUTE_REQUEST, 'reportId', sorted);
    if (!joins && waiting.some((one) => one.requestId === requestId)) return 'taken';
    const disputes = yield* find(DISPUTE, 'reportId', sorted);
    const open = new Set(disputes.filter(({ decidedAt }) => decidedAt === null).map(({ reportId }) => reportId));
    // A report about which a request waits is in the operator's list. So further ones can be dropped.
    const isFull =
      inAll !== undefined && (yield* exists('(SELECT 1 FROM dispute_request LIMIT 1 OFFSET ?) last', inAll - 1));
    const follows = numbered?.follows === true;
    // What the case is about, beside its own requests: those that it repeats, because a person may send one again
    // without having read the first number, and reports with an open dispute.
    const followed: CaseLink[] = [];
    const free: (Place & { readonly request: DisputeRequest; readonly at: number })[] = [];
    for (const { reportId, reporterId, removedAt } of yield* find(LIVE, 'reportId', sorted)) {
      if (removedAt !== null) continue;
      if (open.has(reportId)) {
        if (follows) followed.push({ reportId, requestId: null });
        continue;
      }
      const ofReport = waiting.filter((one) => one.reportId === reportId);
      const { place, repeated } = placeOf(ofReport, { ...rules, follows, isFull });
      if (repeated) followed.push(repeated);
      if (!place) continue;
      const request = { reportId, requestId: place.id, reporterId, requestedAt, reason };
      free.push({ ...place, request, at: given.indexOf(reportId) });
    }
    // A case reaches further reports first, in the given order.
    const added = free
      .sort((a, b) => a.own - b.own || (joins ? 0 : a.before - b.before) || a.at - b.at)
      .slice(0, reports);
    yield* deleteRequests(added.flatMap(({ instead }) => instead ?? []));
    yield* put(
      DISPUTE_REQUEST,
      added.map(({ request }) => request),
    );
    if (numbered) yield* putCases(numbered, [...added.map(({ request }) => request), ...followed], requestedAt);
    // Strangers file requests. So that they cannot fill the log, only the first one that waits has an entry.
    for (const { request, before } of added)
      if (before === 0)
        yield* record(note, { action: 'dispute-requested', reporterId: request.reporterId, subject: request.reportId });
    return added.length;
  },

  findDisputeRequests({ reporterId, requestId, after, limit }) {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    if (reporterId !== undefined) {
      conditions.push(`reporter_id = ? AND ${IS_LIVE}`);
      values.push(toBytes(reporterId));
    }
    if (requestId !== undefined) {
      conditions.push('request_id = ?');
      values.push(toBytes(requestId));
    }
    if (after) {
      conditions.push('(requested_at, request_id, report_id) > (?, ?, ?)');
      values.push(after.requestedAt, toBytes(after.requestId), toBytes(after.reportId));
    }
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
    return read(DISPUTE_REQUEST, `${where}ORDER BY requested_at, request_id, report_id LIMIT ?`, ...values, limit);
  },

  removeDisputeRequests: (removal, note) =>
    removal.requestId === undefined ? removeSome(removal, note) : removeRequest(removal, note),
} satisfies Partial<StoreWork>;

/** A reporter has nothing to do about a report that it deleted. */
const IS_LIVE = 'EXISTS (SELECT 1 FROM report WHERE report_id = dispute_request.report_id AND removed_at IS NULL)';

/** A place for a request among those that wait about a report. */
interface Place {
  /** The request's id. */
  readonly id: string;
  /** The request whose place it takes. */
  readonly instead: DisputeRequest | undefined;
  /** How many requests wait, and how many of them are of its case. */
  readonly before: number;
  readonly own: number;
}

/** A request to place, and what bounds the places. Older journals lack some of its fields. */
interface PlaceRules extends Pick<NewDisputeRequest, 'requestId' | 'reason' | 'most' | 'group' | 'perCase'> {
  /** True if only a request of its own sender is equal to it. In an older journal, those of others are too. */
  readonly follows: boolean;
  /** True if as many requests wait in all as may. */
  readonly isFull: boolean;
}

/**
 * Returns the place of a request about a live report without an open dispute. `repeated` is the request of the same
 * case that it repeats instead. Neither, if there is no room. `waiting` are all that wait about the report.
 */
function placeOf(
  waiting: readonly DisputeRequest[],
  { requestId, reason, most, group = '', perCase, follows, isFull }: PlaceRules,
): { readonly place?: Place; readonly repeated?: DisputeRequest | undefined } {
  const hasCases = perCase !== undefined;
  // Without cases, as in an older journal, an id is a case, and each case has one place.
  const caseOf = (id: string): string => (hasCases ? id.slice(0, CASE_DIGITS) : id);
  // Only requests about the same identifier take room from each other.
  const alike = waiting.filter((one) => one.requestId.startsWith(group));
  const own = alike.filter((one) => caseOf(one.requestId) === caseOf(requestId));
  const isEqual = (one: DisputeRequest): boolean => one.reason === reason;
  if ((follows ? own : alike).some(isEqual) || own.length >= (perCase ?? 1))
    return hasCases ? { repeated: own.find(isEqual) ?? (follows ? own.at(-1) : undefined) } : {};

  const hasRoom = alike.length < (isFull ? 1 : most);
  const canTake = hasCases && !isFull && own.length === 0;
  const instead = !hasRoom && canTake ? lastOfLargest(alike, (one) => caseOf(one.requestId)) : undefined;
  if (!hasRoom && !instead) return {};
  const id = hasCases ? freeId(caseOf(requestId), own) : requestId;
  return { place: { id, instead, before: waiting.length, own: own.length } };
}

/** Digits of a request's id that name its case. The last digit tells the reasons of a case apart. */
const CASE_DIGITS = 15;

/** Returns an id of a case that is not taken. */
function freeId(ofCase: string, own: readonly DisputeRequest[]): string {
  const taken = own.map(({ requestId }) => requestId);
  let digit = 0;
  while (taken.includes(ofCase + digit.toString(16))) digit++;
  return ofCase + digit.toString(16);
}

/** Returns the last request of the case with the most requests; undefined if each case has one. */
function lastOfLargest(
  requests: readonly DisputeRequest[],
  caseOf: (request: DisputeRequest) => string,
): DisputeRequest | undefined {
  const [largest = []] = [...groupBy(requests, caseOf).values()].sort((a, b) => b.length - a.length);
  if (largest.length < 2) return undefined;
  return largest.reduce((last, one) => (one.requestedAt >= last.requestedAt ? one : last));
}

const lockOf = (reportId: string): string => `report/${reportId}`;

function* removeRequest(removal: DisputeRequestRemoval, note: AuditNote | undefined): SqlWork<number> {
  const { requestId = '', reportId, answer, claimRules } = removal;
  const readRequest = () => read(DISPUTE_REQUEST, 'WHERE request_id = ? ORDER BY report_id', toBytes(requestId));
  const isMeant = (one: { readonly reportId: string }): boolean => reportId === undefined || one.reportId === reportId;
  const before = (yield* readRequest()).filter(isMeant);
  if (before.length === 0) return 0;
  yield { lock: before.map((one) => lockOf(one.reportId)) };
  // Read again under the locks: a dispute may have been opened meanwhile.
  const removed = (yield* readRequest()).filter(isMeant);
  const recordAnswer = yield* refuse(removed, answer, claimRules);
  yield* recordAnswer(note);
  for (const one of removed)
    yield* record(note, { action: 'dispute-request-refused', reporterId: one.reporterId, subject: one.reportId });
  return removed.length;
}

function* removeSome(
  { reportId, requestIds, answer, claimRules }: Extract<DisputeRequestRemoval, { readonly requestIds: unknown }>,
  note: AuditNote | undefined,
): SqlWork<number> {
  yield { lock: [lockOf(reportId)] };
  const waiting = yield* find(DISPUTE_REQUEST, 'reportId', [reportId]);
  const removed = waiting.filter(({ requestId }) => requestIds.includes(requestId));
  const [first] = removed;
  if (!first) return 0;
  const recordAnswer = yield* refuse(removed, answer, claimRules);
  yield* recordAnswer(note);
  yield* record(note, {
    action: 'dispute-request-refused',
    reporterId: first.reporterId,
    subject: reportId,
    amount: removed.length,
  });
  return removed.length;
}

/** Refuses requests, with an answer to their persons if there is one. Returns what records the answer. */
function* refuse(requests: readonly DisputeRequest[], answer: CaseAnswer | undefined, claimRules: number | undefined) {
  const recordAnswer = yield* answerCases(answer, requests);
  yield* deleteRequests(requests, answer !== undefined);
  for (const reportId of new Set(requests.map((one) => one.reportId))) yield* forgetClaim(reportId, claimRules);
  return recordAnswer;
}

function* deleteRequests(requests: readonly DisputeRequest[], isAnswered = false): SqlWork<void> {
  yield* endCases(requests, isAnswered);
  for (const { reportId, requestId } of requests)
    yield* sql(
      'DELETE FROM dispute_request WHERE report_id = ? AND request_id = ?',
      toBytes(reportId),
      toBytes(requestId),
    );
}

/** Deletes all requests about a report. The caller holds the report's lock. */
export function* eraseDisputeRequests(reportId: string): SqlWork<void> {
  yield* sql('DELETE FROM dispute_request WHERE report_id = ?', toBytes(reportId));
}
