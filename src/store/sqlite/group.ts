import type { SqlWork } from '../sql/statement.ts';
import { StoreDamagedError, StoreUnavailableError } from '../store.ts';
import type { SqliteDriver } from './driver.ts';
import { faultOf } from './faults.ts';
import { ask, finish, keepStatements } from './statements.ts';

/** The log is brought into the database when it has so many pages: SQLite's own default. */
const CHECKPOINT_PAGES = 1000;

/** Runs {@link SqlWork} on a database file, where a commit waits for the disk: writers may share one. */
export interface GroupRunner {
  /** Runs a work that only reads, on what is committed. Throws StoreUnavailableError for a fault, and what the work throws. */
  read<T>(work: SqlWork<T>): T;
  /**
   * Runs works as one transaction and returns when it is on disk. A work that throws is undone alone and the others stay. Throws
   * StoreUnavailableError for a fault: then none of them has happened.
   */
  write(works: readonly SqlWork<unknown>[]): PromiseSettledResult<unknown>[];
  /** Brings the write-ahead log into the database and cuts it to nothing. Throws StoreUnavailableError when it cannot, also while others read. */
  checkpoint(): void;
  /**
   * Brings the write-ahead log into the database and leaves the file as it is then: what is committed after that stays in the log until the function that is returned
   * is called. Only where no other connection uses the file, and one at a time. Throws StoreUnavailableError when the log cannot be brought in.
   */
  freeze(): () => void;
  /** Frees everything. */
  close(): void;
}

/**
 * `shared` says that other connections may use the file: then a work that reads with several statements needs a transaction too.
 * `prove` throws when what is committed would be in no file that anybody finds again.
 */
export function createGroupRunner(driver: SqliteDriver, shared: boolean, prove: () => void): GroupRunner {
  const statements = keepStatements(driver);
  // Lives as long as the connection; false while a transaction that failed may still be open.
  const state = { idle: true, frozen: false };

  /** Leaves a transaction that failed. SQLite may have left it by itself, or be unable to. */
  const undo = (): void => {
    for (const commands of [['ROLLBACK'], ['BEGIN', 'ROLLBACK']]) {
      try {
        commands.forEach((command) => statements.command(command));
        state.idle = true;
        return;
      } catch {
        state.idle = false;
      }
    }
  };

  /** Commands whose failure is the disk's or a lock's, whatever the error says. */
  const command = (text: string, failed: string, run = statements.command): void => {
    try {
      run(text);
    } catch (error) {
      throw new StoreUnavailableError(failed, { cause: error });
    }
  };

  const begin = (text: string, run = statements.command): void => {
    if (!state.idle) undo();
    if (!state.idle) throw new StoreUnavailableError('the database is still in a transaction that failed');
    command(text, 'the database takes no transaction now', run);
  };

  const done = (work: SqlWork<unknown>): PromiseFulfilledResult<unknown> => ({
    status: 'fulfilled',
    value: finish(work, statements.step),
  });

  /** What became of a work that threw; a fault is thrown on, since it is about all of them. */
  const thrown = (reason: unknown): PromiseRejectedResult => {
    // A row that is damaged is of no concern to the others.
    if (reason instanceof StoreDamagedError) return { status: 'rejected', reason };
    if (reason instanceof StoreUnavailableError) throw reason;
    if (faultOf(reason))
      throw new StoreUnavailableError('the database failed, and nothing was changed', { cause: reason });
    return { status: 'rejected', reason };
  };

  const inSavepoint = (work: SqlWork<unknown>): PromiseSettledResult<unknown> => {
    command('SAVEPOINT work', 'a part of a transaction could not begin');
    try {
      const result = done(work);
      statements.command('RELEASE work');
      return result;
    } catch (error) {
      const result = thrown(error);
      command('ROLLBACK TO work', 'a part of a transaction could not be undone');
      command('RELEASE work', 'a part of a transaction could not be undone');
      return result;
    }
  };

  const checkpoint = (): void => {
    if (state.frozen) throw new StoreUnavailableError('the write-ahead log is held back while the database is copied');
    try {
      const [row] = ask(driver, 'PRAGMA wal_checkpoint(TRUNCATE)');
      if (row?.[0] !== 0) throw new Error('the write-ahead log is in use');
    } catch (error) {
      throw new StoreUnavailableError('the write-ahead log could not be emptied', { cause: error });
    }
  };

  /** What a failed commit left at the end of the log could be taken for a commit after a crash: it goes, if it can. */
  const commit = (): void => {
    try {
      command('COMMIT', 'the write could not be made durable and was undone');
    } catch (error) {
      undo();
      try {
        checkpoint();
      } catch {
        // The next write goes over it.
      }
      throw error;
    }
  };

  return {
    read(work) {
      const own = shared || !state.idle;
      if (own) begin('BEGIN');
      try {
        const value = finish(work, statements.step);
        if (own) command('COMMIT', 'the database could not be read');
        return value;
      } catch (error) {
        if (own) undo();
        throw thrown(error).reason;
      }
    },
    write(works) {
      // At once a writer: what a work reads before it writes must still hold then. Not a kept statement: libsql leaves one that found a lock in the middle.
      begin('BEGIN IMMEDIATE', driver.exec);
      try {
        // One alone is undone with its transaction.
        const results = works.length === 1 ? [done(works[0]!)] : works.map(inSavepoint);
        command('COMMIT', 'the write could not be made durable and was undone', prove);
        commit();
        return results;
      } catch (error) {
        undo();
        return [thrown(error)];
      }
    },
    checkpoint,
    freeze() {
      checkpoint();
      driver.exec('PRAGMA wal_autocheckpoint = 0');
      state.frozen = true;
      return () => {
        state.frozen = false;
        driver.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      };
    },
    close() {
      statements.free();
      driver.close();
    },
  };
}
