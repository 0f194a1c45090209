import { record } from './audit.ts';
import type { AuditNote } from '../../domain/audit.ts';
import type { CaseAnswer, NewCaseMessage } from '../records.ts';
import type { StoreWork } from '../store.ts';
import { CASE_MESSAGE, CLAIM, CLAIM_RULES, IDENTIFIER, PERSON_CASE } from './catalogue.ts';
import { forgetClaim, isInCase } from './claims.ts';
import { hex, toBytes } from './columns.ts';
import { ask, change, exists, find, put, readSound } from './rows.ts';
import { sql, type SqlWork } from './statement.ts';
import { pick, shape } from './table.ts';

const REPORT_ID = shape({ reportId: hex(8) });
const CASE = shape({ caseId: hex(8) });
const HASH_OF_LIVE = pick(IDENTIFIER, 'reportId', 'hash');
const HASH_OF_DELETED = pick(CLAIM, 'reportId', 'hash');

// What a person with a case number may ask about: the reports that took its request, and what was written. Rows of a
// report change under the report's lock. Work that deletes or adds messages takes this lock after all others.
const CASES = { lock: ['cases'] };

/** Numbers of one request: a person who lost the first one sends the same request again. */
const MAX_NUMBERS = 3;
/** Cases about a report without a request that waits. Strangers must not fill the table while a dispute is open. */
const MAX_FOLLOWING = 100;

/** A report that took a person's request. */
export interface PersonRequest {
  readonly reportId: string;
  readonly requestId: string;
}

/** The same of a report about which no request waits: it has an open dispute. */
export type CaseLink = PersonRequest | { readonly reportId: string; readonly requestId: null };

export const PERSON_CASE_WORK = {
  *addCaseMessage(message, note) {
    const cases = yield* addMessage(message);
    const { reportId = null } = message;
    if (cases > 0) yield* record(note, { action: 'person-answered', subject: reportId, amount: cases });
    return cases;
  },
} satisfies Partial<StoreWork>;

function* addMessage(message: NewCaseMessage): SqlWork<number> {
  const { caseIds, fromOperator, text, atMs, most, endedBefore, reportId = null } = message;
  yield CASES;
  yield* removeEnded(endedBefore);
  let added = 0;
  for (const caseId of [...new Set(caseIds)].sort()) {
    if ((yield* find(PERSON_CASE, 'caseId', [caseId])).length === 0) continue;
    const messages = yield* find(CASE_MESSAGE, 'caseId', [caseId]);
    const own = messages.filter((one) => one.fromOperator === fromOperator);
    // A form that is sent twice is one message. The same text about another report is about the case as a whole.
    const same = own.find((one) => one.text === text);
    if (same && same.reportId !== reportId) {
      yield* change(CASE_MESSAGE, { caseId, position: same.position }, { reportId: [same.reportId, null] });
      added++;
    }
    if (same || own.length >= most) continue;
    const position = Math.max(-1, ...messages.map((one) => one.position)) + 1;
    yield* put(CASE_MESSAGE, [{ caseId, position, atMs, fromOperator, text, reportId }]);
    added++;
  }
  return added;
}

/**
 * Answers the cases of these requests, or all cases about these reports, in the write of a decision or a refusal.
 * Returns what records it, to be called when the work has all of its locks. The caller holds the reports' locks.
 */
export function* answerCases(
  answer: CaseAnswer | undefined,
  about: readonly (PersonRequest | { readonly reportId: string; readonly requestId?: undefined })[],
): SqlWork<(note: AuditNote | undefined) => SqlWork<void>> {
  const reportIds = [...new Set(about.map(({ reportId }) => reportId))];
  const links = answer ? yield* find(PERSON_CASE, 'reportId', reportIds) : [];
  const isMeant = (link: { readonly reportId: string; readonly requestId: string | null }): boolean =>
    about.some(
      ({ reportId, requestId = link.requestId }) => link.reportId === reportId && link.requestId === requestId,
    );
  const caseIds = links.filter(isMeant).map(({ caseId }) => caseId);
  const [only, ...others] = reportIds;
  const reportId = others.length === 0 ? only : undefined;
  // No answer to a decision or a refusal may be dropped: the operator does not see that it was.
  const message = { caseIds, fromOperator: true, reportId, most: Infinity };
  const amount = answer && caseIds.length > 0 ? yield* addMessage({ ...answer, ...message }) : 0;
  return function* (note) {
    if (amount > 0) yield* record(note, { action: 'person-answered', subject: reportId ?? null, amount });
  };
}

/** Links a case with the reports that took its request or have an open dispute. The caller holds their locks. */
export function* putCases(
  { caseId, endedBefore }: { readonly caseId: string; readonly endedBefore: number },
  links: readonly CaseLink[],
  receivedAt: number,
): SqlWork<void> {
  if (links.length === 0) return;
  const known = yield* find(
    PERSON_CASE,
    'reportId',
    links.map(({ reportId }) => reportId),
  );
  yield CASES;
  yield* removeEnded(endedBefore);
  for (const { reportId, requestId } of links) {
    const ofReport = known.filter((one) => one.reportId === reportId);
    if (ofReport.some((one) => one.caseId === caseId)) continue;
    const most = requestId === null ? MAX_FOLLOWING : MAX_NUMBERS;
    if (ofReport.filter((one) => one.requestId === requestId).length >= most) continue;
    yield* put(PERSON_CASE, [{ reportId, caseId, requestId, receivedAt }]);
  }
}

/** A dispute is open about this report: from now on, its cases have the state of its disputes. */
export function* openCases(reportId: string): SqlWork<void> {
  for (const { caseId, requestId } of yield* find(PERSON_CASE, 'reportId', [reportId]))
    if (requestId !== null) yield* change(PERSON_CASE, { reportId, caseId }, { requestId: [requestId, null] });
}

/**
 * Removes these requests from their cases. If they were refused with an answer, their cases keep the report. Otherwise
 * the person's page says what it says without the report. In an older journal and the older calls, the answer came
 * before: then a case with an answer keeps the report, unless the answer was about another one.
 */
export function* endCases(requests: readonly PersonRequest[], isAnswered: boolean): SqlWork<void> {
  for (const { reportId, requestId } of requests) {
    const cases = (yield* find(PERSON_CASE, 'reportId', [reportId])).filter((one) => one.requestId === requestId);
    if (cases.length === 0) continue;
    yield CASES;
    for (const { caseId } of cases) {
      const [id, report] = [toBytes(caseId), toBytes(reportId)];
      // Nobody may see that the case has a report that is not shown, so it does not count.
      const others = `person_case WHERE case_id = ? AND report_id <> ? AND ${SHOWN}`;
      if (
        isAnswered ||
        ((yield* exists('case_message WHERE case_id = ? AND from_operator = 1', id)) &&
          !(yield* exists(others, id, report)))
      )
        yield* change(PERSON_CASE, { reportId, caseId }, { requestId: [requestId, null] });
      else {
        yield* sql('DELETE FROM person_case WHERE report_id = ? AND case_id = ?', report, id);
        yield* sql(`DELETE FROM case_message WHERE case_id = ? AND ${WITHOUT_CASE}`, id);
      }
    }
  }
}

/**
 * Deletes what the cases of a deleted report say, in an older journal. A case keeps it while one of
 * its requests waits, or another of its reports is live. Keeps that a dispute was opened. The caller holds the report's
 * lock, and has deleted the requests that do not stay. Reads no row, so damaged ones do not matter.
 */
export function* emptyCases(reportId: string): SqlWork<void> {
  const id = toBytes(reportId);
  if (!(yield* exists('person_case WHERE report_id = ?', id))) return;
  yield CASES;
  yield* sql(
    `DELETE FROM case_message WHERE case_id IN (SELECT case_id FROM person_case WHERE report_id = ?) AND NOT EXISTS (
      SELECT 1 FROM person_case c JOIN report r ON r.report_id = c.report_id
        WHERE c.case_id = case_message.case_id AND ((c.report_id <> ? AND r.removed_at IS NULL) OR ${waits('c')}))`,
    id,
    id,
  );
  yield* sql(
    `DELETE FROM person_case WHERE report_id = ? AND NOT ${waits('person_case')}
      AND (request_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM dispute d
        WHERE d.report_id = person_case.report_id AND d.opened_at >= person_case.received_at))`,
    id,
  );
  yield* sql(`DELETE FROM case_message WHERE ${WITHOUT_CASE}`);
}

/**
 * Removes reports from their cases when their reporter is erased. A case loses what it says, unless it did not show
 * the report: then nobody may see that it had one. The caller holds the reports' locks.
 */
export function* unlinkCases(reportIds: readonly string[]): SqlWork<void> {
  for (const reportId of reportIds) {
    if (!(yield* isInCase(reportId))) continue;
    yield CASES;
    const id = toBytes(reportId);
    const shown = `SELECT case_id FROM person_case WHERE report_id = ? AND ${SHOWN}`;
    yield* sql(`DELETE FROM case_message WHERE case_id IN (${shown})`, id);
    yield* sql('DELETE FROM person_case WHERE report_id = ?', id);
    yield* sql(`DELETE FROM case_message WHERE ${WITHOUT_CASE}`);
  }
}

/**
 * Ends the cases about erased reports; `named` has what each of them named. A case stays without the report if each of
 * its other reports names a hash of it that was not erased: then the case is about somebody else. The caller holds the
 * reports' locks, and takes no other later.
 */
export function* eraseCases(
  named: ReadonlyMap<string, readonly string[]>,
  erased: ReadonlySet<string>,
  claimRules: number,
): SqlWork<void> {
  for (const [reportId, hashes] of named) {
    if (!(yield* isInCase(reportId))) continue;
    yield CASES;
    // Without other columns, which may be damaged.
    for (const { caseId } of yield* ask(
      CASE,
      'SELECT case_id FROM person_case WHERE report_id = ?',
      toBytes(reportId),
    )) {
      const id = toBytes(caseId);
      const links = yield* ask(REPORT_ID, 'SELECT report_id FROM person_case WHERE case_id = ?', id);
      const left = links.filter((link) => !named.has(link.reportId));
      const others = hashes.filter((hash) => !erased.has(hash));
      if (claimRules >= 5 && left.length > 0 && (yield* allName(left, others)))
        yield* sql('DELETE FROM person_case WHERE case_id = ? AND report_id = ?', id, toBytes(reportId));
      else {
        yield* sql('DELETE FROM case_message WHERE case_id = ?', id);
        yield* sql('DELETE FROM person_case WHERE case_id = ?', id);
        for (const link of links) yield* forgetClaim(link.reportId, CLAIM_RULES);
      }
    }
  }
}

/** True if each of these reports names one of the hashes. */
function* allName(reports: readonly { readonly reportId: string }[], hashes: readonly string[]): SqlWork<boolean> {
  for (const { reportId } of reports)
    if (!(yield* soundHashes(reportId)).some((hash) => hashes.includes(hash))) return false;
  return true;
}

/** Returns the hashes of a report, also of a deleted one, without damaged rows. */
export function* soundHashes(reportId: string): SqlWork<string[]> {
  const id = toBytes(reportId);
  const live = yield* readSound(HASH_OF_LIVE, 'WHERE report_id = ?', id);
  return [...live, ...(yield* readSound(HASH_OF_DELETED, 'WHERE report_id = ?', id))].map(({ hash }) => hash);
}

/** True for a report that the page of its case shows: since the request, the operator has acted on it. */
const SHOWN = `request_id IS NULL AND NOT EXISTS (SELECT 1 FROM dispute d
  WHERE d.report_id = person_case.report_id AND d.decided_at IS NULL AND d.opened_at < person_case.received_at)`;

const waits = (link: string): string =>
  `EXISTS (SELECT 1 FROM dispute_request q WHERE q.report_id = ${link}.report_id AND q.request_id = ${link}.request_id)`;

const WITHOUT_CASE = 'NOT EXISTS (SELECT 1 FROM person_case c WHERE c.case_id = case_message.case_id)';

/** Deletes cases whose last decision and answer were before a moment (ms, UTC). The caller holds {@link CASES}. */
function* removeEnded(beforeMs: number): SqlWork<void> {
  const ended = `person_case WHERE received_at < ? AND request_id IS NULL
    AND NOT EXISTS (SELECT 1 FROM dispute d
      WHERE d.report_id = person_case.report_id AND (d.decided_at IS NULL OR d.decided_at >= ?))
    AND NOT EXISTS (SELECT 1 FROM case_message m WHERE m.case_id = person_case.case_id AND m.at_ms >= ?)`;
  const values = [beforeMs, beforeMs, beforeMs];
  const links = yield* ask(REPORT_ID, `SELECT DISTINCT report_id FROM ${ended}`, ...values);
  if (links.length === 0) return;
  yield* sql(`DELETE FROM ${ended}`, ...values);
  yield* sql(`DELETE FROM case_message WHERE ${WITHOUT_CASE}`);
  for (const { reportId } of links) yield* forgetClaim(reportId, CLAIM_RULES);
}
