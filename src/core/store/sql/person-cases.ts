import { record } from './audit.ts';
import { CASE_MESSAGE, PERSON_CASE } from './catalogue.ts';
import { toBytes } from './columns.ts';
import { change, exists, find, put } from './rows.ts';
import { sql, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';

// What a person with a case number may ask about: the reports that took its request, and what was written. Rows of a
// report change under the report's lock. Work that deletes or adds messages takes this lock after all others.
const CASES = { lock: ['cases'] };

/** Numbers of one request: a person who lost the first one sends the same request again. */
const MAX_NUMBERS = 3;

/** A report that took a person's request. */
export interface PersonRequest {
  readonly reportId: string;
  readonly requestId: string;
}

export const PERSON_CASE_WORK = {
  *addCaseMessage({ caseIds, fromOperator, text, atMs, most, endedBefore, reportId }, note) {
    yield CASES;
    yield* removeEnded(endedBefore);
    let added = 0;
    for (const caseId of [...new Set(caseIds)].sort()) {
      if ((yield* find(PERSON_CASE, 'caseId', [caseId])).length === 0) continue;
      const messages = yield* find(CASE_MESSAGE, 'caseId', [caseId]);
      const own = messages.filter((one) => one.fromOperator === fromOperator);
      // A form that is sent twice is one message.
      if (own.length >= most || own.some((one) => one.text === text)) continue;
      const position = Math.max(-1, ...messages.map((one) => one.position)) + 1;
      yield* put(CASE_MESSAGE, [{ caseId, position, atMs, fromOperator, text }]);
      added++;
    }
    if (added > 0) yield* record(note, { action: 'person-answered', subject: reportId ?? null, amount: added });
    return added;
  },
} satisfies Partial<StoreWork>;

/** Links a case with the reports that took its request. The caller holds their locks. */
export function* putCases(
  { caseId, endedBefore }: { readonly caseId: string; readonly endedBefore: number },
  requests: readonly PersonRequest[],
  receivedAt: number,
): SqlWork<void> {
  if (requests.length === 0) return;
  const known = yield* find(
    PERSON_CASE,
    'reportId',
    requests.map(({ reportId }) => reportId),
  );
  yield CASES;
  yield* removeEnded(endedBefore);
  for (const { reportId, requestId } of requests) {
    const ofReport = known.filter((one) => one.reportId === reportId);
    if (ofReport.some((one) => one.caseId === caseId)) continue;
    if (ofReport.filter((one) => one.requestId === requestId).length >= MAX_NUMBERS) continue;
    yield* put(PERSON_CASE, [{ reportId, caseId, requestId, receivedAt }]);
  }
}

/** A dispute is open about this report: from now on, its cases have the state of its disputes. */
export function* openCases(reportId: string): SqlWork<void> {
  for (const { caseId, requestId } of yield* find(PERSON_CASE, 'reportId', [reportId]))
    if (requestId !== null) yield* change(PERSON_CASE, { reportId, caseId }, { requestId: [requestId, null] });
}

/**
 * Removes these requests from their cases. A case that the operator has answered keeps its report: it was refused with
 * an answer. Otherwise the person's page says what it says without a case. If the requests gave way to others, a report
 * stays only to keep the answer.
 */
export function* endCases(requests: readonly PersonRequest[], gaveWay: boolean): SqlWork<void> {
  for (const { reportId, requestId } of requests) {
    const cases = (yield* find(PERSON_CASE, 'reportId', [reportId])).filter((one) => one.requestId === requestId);
    if (cases.length === 0) continue;
    yield CASES;
    for (const { caseId } of cases) {
      const others = 'person_case WHERE case_id = ? AND report_id <> ?';
      if (
        (yield* exists('case_message WHERE case_id = ? AND from_operator = 1', toBytes(caseId))) &&
        !(gaveWay && (yield* exists(others, toBytes(caseId), toBytes(reportId))))
      )
        yield* change(PERSON_CASE, { reportId, caseId }, { requestId: [requestId, null] });
      else {
        yield* sql('DELETE FROM person_case WHERE report_id = ? AND case_id = ?', toBytes(reportId), toBytes(caseId));
        yield* sql(`DELETE FROM case_message WHERE case_id = ? AND ${WITHOUT_CASE}`, toBytes(caseId));
      }
    }
  }
}

/**
 * Deletes what the cases of a deleted report say, because it could describe the person. A case keeps it while one of
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

/** Deletes all cases about one of these reports. Call it before you erase a person or a claim. */
export function* eraseCases(reportIds: readonly string[]): SqlWork<void> {
  yield { lock: reportIds.map((reportId) => `report/${reportId}`) };
  for (const reportId of reportIds) {
    const id = toBytes(reportId);
    if (!(yield* exists('person_case WHERE report_id = ?', id))) continue;
    yield CASES;
    const ofReport = 'case_id IN (SELECT case_id FROM person_case WHERE report_id = ?)';
    yield* sql(`DELETE FROM case_message WHERE ${ofReport}`, id);
    yield* sql(`DELETE FROM person_case WHERE ${ofReport}`, id);
  }
}

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
  if (!(yield* exists(ended, ...values))) return;
  yield* sql(`DELETE FROM ${ended}`, ...values);
  yield* sql(`DELETE FROM case_message WHERE ${WITHOUT_CASE}`);
}
