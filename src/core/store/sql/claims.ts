import { ENGINE } from '../../domain/audit.ts';
import { FLAG, orNull, toBytes } from './columns.ts';
import { ask, exists } from './rows.ts';
import { sql, type SqlWork } from './statement.ts';
import { shape } from './table.ts';

// Who needs what is kept of a deleted report: a dispute of people that is open or upheld, a request, or a case, whose
// messages an erasure must find.

const UPHELD = shape({ upheld: orNull(FLAG) });
const LAST_OF_PEOPLE = `SELECT upheld FROM dispute
  WHERE report_id = ? AND coalesce(decided_by, opened_by) <> '${ENGINE}' ORDER BY opened_at DESC LIMIT 1`;
const UNUSED = `claim WHERE report_id = ?
  AND NOT EXISTS (SELECT 1 FROM dispute_request q WHERE q.report_id = claim.report_id)
  AND NOT EXISTS (SELECT 1 FROM (${LAST_OF_PEOPLE}) last WHERE coalesce(last.upheld, 1) = 1)`;
const WITHOUT_CASE = 'NOT EXISTS (SELECT 1 FROM person_case c WHERE c.report_id = claim.report_id)';

/** True if the newest dispute of people about a report is open or upheld. */
export function* isHeldWrong(reportId: string): SqlWork<boolean> {
  const [last] = yield* ask(UPHELD, LAST_OF_PEOPLE, toBytes(reportId));
  return last !== undefined && last.upheld !== false;
}

/** True if a request about a report waits. */
export function hasWaitingRequest(reportId: string): SqlWork<boolean> {
  return exists('dispute_request WHERE report_id = ?', toBytes(reportId));
}

/** True if a person's case is about a report. */
export function isInCase(reportId: string): SqlWork<boolean> {
  return exists('person_case WHERE report_id = ?', toBytes(reportId));
}

/** Deletes what is kept of a deleted report if nothing needs it. `claimRules`: see `CLAIM_RULES`. */
export function* forgetClaim(reportId: string, claimRules = 0): SqlWork<void> {
  const id = toBytes(reportId);
  yield* sql(`DELETE FROM ${UNUSED}${claimRules < 4 ? '' : ` AND ${WITHOUT_CASE}`}`, id, id);
}
