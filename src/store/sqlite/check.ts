import type { SqlWork } from '../sql/statement.ts';
import { STORE_WORK } from '../sql/work.ts';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { ask, finish, keepStatements } from './statements.ts';

/** What an identifier carries of its report must be what the report says. */
const STRAY_IDENTIFIERS = `
  SELECT count(*) FROM identifier i LEFT JOIN report r ON r.report_id = i.report_id
  WHERE r.report_id IS NULL OR r.removed_at IS NOT NULL OR i.reporter_id <> r.reporter_id OR i.type <> r.type OR i.severity <> r.severity OR i.created_at <> r.created_at`;

/**
 * Reads the whole database and says what is wrong with it, in words; nothing when it is sound. It sees whatever breaks the structure of a page or makes an
 * index, a reference or an identifier differ from what it stands for. SQLite keeps no checksums of pages: a changed letter within a text is seen by nobody.
 * Throws StoreUnavailableError when the disk cannot be read.
 */
export function findProblems(driver: SqliteDriver): string[] {
  const statements = keepStatements(driver);
  const problems: string[] = [];
  const look = (find: () => readonly string[]): void => {
    try {
      problems.push(...find());
    } catch (error) {
      const fault = faultOf(error);
      if (fault === 'unavailable') throw new StoreUnavailableError('the database could not be checked', { cause: error });
      if (fault === undefined && !(error instanceof TypeError)) throw error;
      problems.push((error as Error).message);
    }
  };
  try {
    // Pages that are held in memory would hide what became of them on the disk.
    driver.exec('PRAGMA shrink_memory');
    look(() => ask(driver, 'PRAGMA integrity_check').map(([said]) => String(said)).filter((said) => said !== 'ok'));
    look(() => ask(driver, 'PRAGMA foreign_key_check').map(([table, , parent]) => `a row of ${String(table)} refers to a ${String(parent)} that is not there`));
    look(() => ask(driver, STRAY_IDENTIFIERS).flatMap(([count]) => (count === 0 ? [] : [`${String(count)} identifiers differ from their reports`])));
    for (const work of everyTable()) look(() => (finish(work, statements.step), []));
    return [...new Set(problems)];
  } finally {
    statements.free();
  }
}

/** Reads that between them name every table: a letter of the schema may have changed too. */
function everyTable(): readonly SqlWork<unknown>[] {
  const [hash, reportId] = ['0'.repeat(40), '0'.repeat(16)];
  return [
    STORE_WORK.listReporters(), STORE_WORK.listKeys(), STORE_WORK.findReports([reportId]), STORE_WORK.findMatches([hash]), STORE_WORK.readIdentifiers(undefined, 1),
    STORE_WORK.findLink(hash), STORE_WORK.listDisputes(), STORE_WORK.listProtections(), STORE_WORK.findTrust(), STORE_WORK.countRemovedAfter(0),
  ];
}
