import { StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { ask } from './statements.ts';

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
  const problems: string[] = [];
  const look = (text: string, describe: (rows: ReturnType<typeof ask>) => readonly string[]): void => {
    try {
      problems.push(...describe(ask(driver, text)));
    } catch (error) {
      const fault = faultOf(error);
      if (fault === 'unavailable') throw new StoreUnavailableError('the database could not be checked', { cause: error });
      if (fault === undefined) throw error;
      problems.push((error as Error).message);
    }
  };
  // Pages that are held in memory would hide what became of them on the disk.
  driver.exec('PRAGMA shrink_memory');
  look('PRAGMA integrity_check', (rows) => rows.map(([said]) => String(said)).filter((said) => said !== 'ok'));
  look('PRAGMA foreign_key_check', (rows) => rows.map(([table, , parent]) => `a row of ${String(table)} refers to a ${String(parent)} that is not there`));
  look(STRAY_IDENTIFIERS, ([row]) => (row![0] === 0 ? [] : [`${String(row![0])} identifiers differ from their reports`]));
  return [...new Set(problems)];
}
