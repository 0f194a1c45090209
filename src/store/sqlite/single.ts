import type { SqlWork } from '../sql/statement.ts';
import { StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { finish, keepStatements } from './statements.ts';

/** Runs {@link SqlWork} on a database that nobody else has, in memory: wholly, at once, with nothing in between. */
export interface SingleRunner {
  /** Runs the work as one transaction. `changed` is false when it wrote nothing. */
  run<T>(work: SqlWork<T>): { readonly value: T; readonly changed: boolean };
  /** Everything that runs until {@link endBulk} is one transaction: for replay, where a commit each would cost more than the work. */
  beginBulk(): void;
  endBulk(): void;
  close(): void;
}

export function createSingleRunner(driver: SqliteDriver): SingleRunner {
  const statements = keepStatements(driver);
  // Lives as long as the database; true from the first writing statement of a transaction until its end.
  const state = { writing: false, bulk: false };

  const beforeWrite = (): void => {
    if (state.writing) return;
    // A transaction starts with the first write: work that finds nothing to do costs no commit.
    if (!state.bulk) statements.command('BEGIN');
    state.writing = true;
  };

  const undo = (): void => {
    try {
      statements.command('ROLLBACK');
    } catch {
      // SQLite undid it already, as it does without memory.
    }
  };

  return {
    run(work) {
      try {
        const value = finish(work, (text, values) => statements.step(text, values, beforeWrite));
        const changed = state.writing;
        if (changed && !state.bulk) statements.command('COMMIT');
        return { value, changed };
      } catch (error) {
        if (state.writing && !state.bulk) undo();
        if (error instanceof StoreUnavailableError || !faultOf(error)) throw error;
        throw new StoreUnavailableError('the database failed', { cause: error });
      } finally {
        state.writing = false;
      }
    },
    beginBulk() {
      driver.exec('BEGIN');
      state.bulk = true;
    },
    endBulk() {
      state.bulk = false;
      driver.exec('COMMIT');
    },
    close() {
      statements.free();
      driver.close();
    },
  };
}
