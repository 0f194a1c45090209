import { AUDIT_WORK } from '../../core/store/sql/audit.ts';
import { checkParts } from '../../core/store/sql/check.ts';
import { toBytes } from '../../core/store/sql/columns.ts';
import { MODERATION_WORK } from '../../core/store/sql/moderation.ts';
import { PEPPER_WORK } from '../../core/store/sql/pepper.ts';
import { QUERY_WORK } from '../../core/store/sql/queries.ts';
import { REPORTER_WORK } from '../../core/store/sql/reporters.ts';
import { REPORT_WORK } from '../../core/store/sql/reports.ts';
import { countOf } from '../../core/store/sql/rows.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { TRUST_WORK } from '../../core/store/sql/trust.ts';
import { WEBHOOK_WORK } from '../../core/store/sql/webhooks.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../core/store/errors.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import {
  askColumn,
  finishInTurns,
  keepStatements,
  runToPause,
  type SqliteDriver,
} from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';

/** The pragmas of a check that a build of SQLite allows. */
export interface CheckPragmas {
  readonly before: string | undefined;
  readonly pages: string;
}

/** Frees cached pages first: they would hide damage on the disk. */
const FULL_CHECK: CheckPragmas = { before: 'PRAGMA shrink_memory', pages: 'PRAGMA integrity_check' };
/** A Durable Object does not allow the others. */
export const DURABLE_OBJECT_CHECK: CheckPragmas = { before: undefined, pages: 'PRAGMA quick_check' };

/**
 * Reads the whole database and returns its problems; empty if it is sound. Detects broken pages, indexes and
 * references, inconsistent tables, and every row that does not match its checksum. Only this check detects a row whose
 * key changed: a search for that key finds nothing.
 *
 * Other work runs between the statements of the check. `opened` runs before each statement and throws if the database
 * was closed. Rejects with StoreUnavailableError if the disk cannot be read.
 */
export async function findProblems(
  driver: SqliteDriver,
  opened: () => void,
  pragmas: CheckPragmas = FULL_CHECK,
): Promise<StoreProblem[]> {
  const statements = keepStatements(driver);
  const problems: StoreProblem[] = [];
  const describe = (text: string): void => {
    if (!problems.some(({ problem }) => problem === text)) problems.push({ problem: text, count: 1 });
  };
  /**
   * Runs one part of the check. If it meets damage, it ends, and the other parts still run. `areRowsCounted`: another
   * part already counts the damaged rows.
   */
  const run = async (work: SqlWork<unknown>, areRowsCounted = true): Promise<void> => {
    try {
      await finishInTurns(() => {
        opened();
        return runToPause(work, statements.step);
      });
    } catch (error) {
      const isDamage = error instanceof StoreDamagedError;
      const fault = faultOf(error);
      if (fault === 'unavailable')
        throw new StoreUnavailableError('the database cannot be read now (disk, memory or lock); retry the check', {
          cause: error,
        });
      if (fault === undefined && !isDamage) throw error;
      if (error instanceof Error && (!isDamage || !areRowsCounted)) describe(error.message);
    }
  };
  /** Returns a part of the check: a statement whose rows describe problems. */
  const texts = function* (text: string): SqlWork<void> {
    yield { pause: true };
    for (const problem of askColumn(driver, text)) if (problem !== 'ok') describe(String(problem));
  };
  try {
    if (pragmas.before !== undefined) driver.exec(pragmas.before);
    await run(texts(pragmas.pages));
    await run(
      texts(
        "SELECT 'a row of ' || \"table\" || ' refers to a ' || parent || ' that is missing' FROM pragma_foreign_key_check",
      ),
    );
    for (const part of checkParts(problems)) await run(part);
    for (const work of everyTable()) await run(work);
    // Learnt tables have no checksums, so no other part counts their damaged rows.
    await run(TRUST_WORK.findTrust(), false);
    return problems;
  } finally {
    statements.free();
  }
}

/** Reads that together use every table and index. They detect damage in the stored schema, such as a changed letter. */
function everyTable(): readonly SqlWork<unknown>[] {
  const [hash, reportId] = ['0'.repeat(40), '0'.repeat(16)];
  return [
    REPORTER_WORK.listReporters(),
    REPORTER_WORK.listKeys({}),
    REPORT_WORK.findReports([reportId]),
    QUERY_WORK.findMatches([hash]),
    TRUST_WORK.readIdentifiers(undefined, 1),
    QUERY_WORK.findLink(hash),
    MODERATION_WORK.listDisputes({}),
    MODERATION_WORK.listProtections(),
    AUDIT_WORK.listAudit({ after: 0, limit: 1 }),
    countOf('reporter_usage WHERE day_at > ?', 0),
    countOf('audit WHERE subject = ?', toBytes(reportId)),
    WEBHOOK_WORK.listWebhooks(),
    TRUST_WORK.countRemovedAfter(0),
    PEPPER_WORK.findSecretFingerprint(),
  ];
}
