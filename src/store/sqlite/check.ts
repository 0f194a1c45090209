import { checkParts, giveTurn } from '../sql/check.ts';
import { problemsOf, rowWalks, walkOn } from '../sql/check-rows.ts';
import type { SqlWork } from '../sql/statement.ts';
import { STORE_WORK } from '../sql/work.ts';
import { StoreDamagedError, StoreUnavailableError, type StoreProblem } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { ask, finish, keepStatements } from './statements.ts';

/**
 * Reads the whole database and says what is wrong with it, in words; nothing when it is sound. It sees whatever breaks the structure of a page or makes an
 * index, a reference or an identifier differ from what it stands for, and by their checksums every row that is not as it was written. A row whose key changed is found here alone:
 * who asks for the key is told that there is none.
 * `opened` is called before each of its statements, after others have had their turn, and throws when the database is no longer to be used.
 * Rejects with StoreUnavailableError when the disk cannot be read.
 */
export async function findProblems(driver: SqliteDriver, opened: () => void): Promise<StoreProblem[]> {
  const statements = keepStatements(driver);
  const problems: StoreProblem[] = [];
  const add = (found: readonly (string | StoreProblem)[]): void => {
    for (const one of found) {
      const known = problems.find(({ problem }) => problem === one);
      if (typeof one !== 'string') problems.push(one);
      else if (!known) problems.push({ problem: one, count: 1 });
    }
  };
  const look = async (find: () => readonly (string | StoreProblem)[], areCounted = true): Promise<void> => {
    await giveTurn();
    opened();
    try {
      add(find());
    } catch (error) {
      const fault = faultOf(error);
      if (fault === 'unavailable')
        throw new StoreUnavailableError('the database could not be checked', { cause: error });
      if (fault === undefined && !(error instanceof StoreDamagedError) && !(error instanceof TypeError)) throw error;
      // Rows that are not as they were written are counted, table by table.
      if (error instanceof StoreDamagedError && areCounted) return;
      add([(error as Error).message]);
    }
  };
  try {
    // Pages that are held in memory would hide what became of them on the disk.
    driver.exec('PRAGMA shrink_memory');
    await look(() =>
      ask(driver, 'PRAGMA integrity_check')
        .map(([said]) => String(said))
        .filter((said) => said !== 'ok'),
    );
    await look(() =>
      ask(driver, 'PRAGMA foreign_key_check').map(
        ([table, , parent]) => `a row of ${String(table)} refers to a ${String(parent)} that is not there`,
      ),
    );
    for (const work of checkParts()) await look(() => finish(work, statements.step));
    for (let walk of rowWalks()) {
      for (let from; !walk.isDone && walk !== from;) {
        from = walk;
        // One that gets no further has met a page that cannot be read, which was said.
        await look(() => {
          walk = finish(walkOn(walk), statements.step);
          return [];
        });
      }
      add(problemsOf(walk));
    }
    for (const work of everyTable()) await look(() => (finish(work, statements.step), []));
    // What is learnt has no checksums.
    await look(() => (finish(STORE_WORK.findTrust(), statements.step), []), false);
    return problems;
  } finally {
    statements.free();
  }
}

/** Reads that between them name every table of the catalogue: a letter of the schema may have changed too. */
function everyTable(): readonly SqlWork<unknown>[] {
  const [hash, reportId] = ['0'.repeat(40), '0'.repeat(16)];
  return [
    STORE_WORK.listReporters(),
    STORE_WORK.listKeys(),
    STORE_WORK.findReports([reportId]),
    STORE_WORK.findMatches([hash]),
    STORE_WORK.readIdentifiers(undefined, 1),
    STORE_WORK.findLink(hash),
    STORE_WORK.listDisputes(),
    STORE_WORK.listProtections(),
    STORE_WORK.countRemovedAfter(0),
  ];
}
