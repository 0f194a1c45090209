import type { SqlStep, SqlWork } from '../../core/store/sql/statement.ts';
import { StoreDamagedError, StoreUnavailableError } from '../../core/store/errors.ts';
import { askColumn, finish, keepStatements, runToPause, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';

/** Number of pages in the log at which it is written back. This is SQLite's default. */
const CHECKPOINT_PAGES = 1000;

/** Runs {@link SqlWork} on a database file. A commit waits for the disk, so several writers may share one. */
export interface GroupRunner {
  /**
   * Continues a reading work to its next pause or its end. It reads committed data. For a fault, throws
   * StoreUnavailableError.
   */
  read<T>(work: SqlWork<T>): IteratorResult<SqlStep, T>;
  /**
   * Runs works as one transaction and returns when it is on disk. A work that throws is rolled back alone. For a fault,
   * throws StoreUnavailableError, and none of the works was written.
   */
  write(works: readonly SqlWork<unknown>[]): PromiseSettledResult<unknown>[];
  /**
   * Writes the log back and truncates it. Throws StoreUnavailableError for a fault, while the file is frozen, or while
   * another connection uses the log.
   */
  checkpoint(): void;
  /**
   * Writes the log back, then leaves the file unchanged until you call the returned function. Later commits stay in the
   * log. Use it once at a time, and only without other connections. Throws StoreUnavailableError if the log cannot be
   * written back.
   */
  freeze(): () => void;
  close(): void;
}

/**
 * Creates a runner. `shared`: other connections may use the file, so a work with several reads needs a transaction too.
 * `probe` throws if the file no longer has its name, because a commit would be lost.
 */
export function createGroupRunner(driver: SqliteDriver, shared: boolean, probe: () => void): GroupRunner {
  const statements = keepStatements(driver);
  // `idle` is false while a failed transaction may still be open.
  const state = { idle: true, frozen: false };

  /** Ends a failed transaction. SQLite may have ended it already, or may be unable to end it. */
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

  /** Runs a command. Any error counts as a fault of the disk or of a lock. */
  const command = (text: string, failed: string, run = statements.command): void => {
    try {
      run(text);
    } catch (error) {
      throw new StoreUnavailableError(failed, { cause: error });
    }
  };

  const begin = (text: string, run = statements.command): void => {
    if (!state.idle) undo();
    if (!state.idle)
      throw new StoreUnavailableError(
        'the last transaction could not be rolled back, so the store refuses requests; check the disk, and whether another program locks the file, then retry',
      );
    command(
      text,
      'the database cannot begin a transaction; check the disk, and whether another program locks the file, then retry',
      run,
    );
  };

  const done = (work: SqlWork<unknown>): PromiseFulfilledResult<unknown> => ({
    status: 'fulfilled',
    value: finish(work, statements.step),
  });

  /** Returns the result of a work that threw. Rethrows a fault, because it affects all works. */
  const thrown = (reason: unknown): PromiseRejectedResult => {
    // A damaged row affects only the work that read it.
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
      command('ROLLBACK TO work', 'a part of a transaction could not be rolled back');
      command('RELEASE work', 'a part of a transaction could not be rolled back');
      return result;
    }
  };

  const checkpoint = (): void => {
    if (state.frozen)
      throw new StoreUnavailableError('the write-ahead log cannot be truncated while the database is copied; retry');
    try {
      const [busy] = askColumn(driver, 'PRAGMA wal_checkpoint(TRUNCATE)');
      if (busy !== 0) throw new Error('the write-ahead log is in use');
    } catch (error) {
      throw new StoreUnavailableError(
        'the write-ahead log could not be truncated; close other programs that use the file, or free disk space',
        { cause: error },
      );
    }
  };

  const commit = (): void => {
    try {
      command('COMMIT', 'the write could not be made durable and was rolled back; check the disk, then retry');
    } catch (error) {
      undo();
      try {
        // Empty the log: after a crash, a failed commit at its end could look like a successful one.
        checkpoint();
      } catch {
        // The next write overwrites the end of the log.
      }
      throw error;
    }
  };

  return {
    read(work) {
      const own = shared || !state.idle;
      if (own) begin('BEGIN');
      try {
        const next = runToPause(work, statements.step);
        if (own)
          command(
            'COMMIT',
            'the database could not be read; check the disk, and whether another program locks the file, then retry',
          );
        return next;
      } catch (error) {
        if (own) undo();
        throw thrown(error).reason;
      }
    },
    write(works) {
      // IMMEDIATE: what a work reads must still be true when it writes. `exec` prepares the statement again: libsql
      // leaves a statement that met a lock unfinished.
      begin('BEGIN IMMEDIATE', driver.exec);
      try {
        // A single work is rolled back with its transaction.
        const results = works.length === 1 ? works.map(done) : works.map(inSavepoint);
        command('COMMIT', 'the write could not be made durable and was rolled back; check the disk, then retry', probe);
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
