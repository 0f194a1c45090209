import { StoreDamagedError, StoreUnavailableError } from '../../core/store/errors.ts';
import type { SqlStep, SqlWork } from '../../core/store/sql/statement.ts';
import {
  askColumn,
  finish,
  keepStatements,
  runToPause,
  type KeptStatements,
  type SqliteDriver,
} from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';

/** Number of pages in the log at which it is written back. This is SQLite's default. */
const CHECKPOINT_PAGES = 1000;

const BUSY = 'check the disk, and whether another program locks the file, then retry';
const NOT_DURABLE = 'the write could not be made durable and was rolled back; check the disk, then retry';

/** Runs {@link SqlWork} on a database file. A commit waits for the disk, so several writers may share one. */
export class GroupRunner {
  readonly #driver: SqliteDriver;
  readonly #isShared: boolean;
  readonly #probe: () => void;
  readonly #statements: KeptStatements;
  /** False while a failed transaction may still be open. */
  #isIdle = true;
  #isFrozen = false;

  /**
   * `isShared`: other connections may use the file, so a work with several reads needs a transaction too. `probe`
   * throws if the file no longer has its name, because a commit would be lost.
   */
  constructor(driver: SqliteDriver, isShared: boolean, probe: () => void) {
    this.#driver = driver;
    this.#isShared = isShared;
    this.#probe = probe;
    this.#statements = keepStatements(driver);
  }

  /**
   * Continues a reading work to its next pause or its end. It reads committed data. For a fault, throws
   * StoreUnavailableError.
   */
  read<T>(work: SqlWork<T>): IteratorResult<SqlStep, T> {
    const isTransaction = this.#isShared || !this.#isIdle;
    if (isTransaction) this.#begin('BEGIN');
    try {
      const next = runToPause(work, this.#statements.step);
      if (isTransaction) this.#command('COMMIT', `the database could not be read; ${BUSY}`);
      return next;
    } catch (error) {
      if (isTransaction) this.#undo();
      throw rejected(error).reason;
    }
  }

  /**
   * Runs works as one transaction and returns when it is on disk. A work that throws is rolled back alone. For a fault,
   * throws StoreUnavailableError, and none of the works was written.
   */
  write(works: readonly SqlWork<unknown>[]): PromiseSettledResult<unknown>[] {
    // IMMEDIATE: what a work reads must still be true when it writes. `exec` prepares the statement again: libsql
    // leaves a statement that met a lock unfinished.
    this.#begin('BEGIN IMMEDIATE', (text) => this.#driver.exec(text));
    try {
      // A single work is rolled back with its transaction.
      const results = works.map((work) => (works.length === 1 ? this.#finish(work) : this.#inSavepoint(work)));
      this.#command('COMMIT', NOT_DURABLE, this.#probe);
      this.#commit();
      return results;
    } catch (error) {
      this.#undo();
      return [rejected(error)];
    }
  }

  /**
   * Writes the log back and truncates it. Throws StoreUnavailableError for a fault, while the file is frozen, or while
   * another connection uses the log.
   */
  checkpoint(): void {
    if (this.#isFrozen)
      throw new StoreUnavailableError('the write-ahead log cannot be truncated while the database is copied; retry');
    try {
      const [busy] = askColumn(this.#driver, 'PRAGMA wal_checkpoint(TRUNCATE)');
      if (busy !== 0) throw new Error('the write-ahead log is in use');
    } catch (error) {
      throw new StoreUnavailableError(
        'the write-ahead log could not be truncated; close other programs that use the file, or free disk space',
        { cause: error },
      );
    }
  }

  /**
   * Writes the log back, then leaves the file unchanged until you call the returned function. Later commits stay in the
   * log. Use it once at a time, and only without other connections. Throws StoreUnavailableError if the log cannot be
   * written back.
   */
  freeze(): () => void {
    this.checkpoint();
    this.#driver.exec('PRAGMA wal_autocheckpoint = 0');
    this.#isFrozen = true;
    return () => {
      this.#isFrozen = false;
      this.#driver.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    };
  }

  close(): void {
    this.#statements.free();
    this.#driver.close();
  }

  #begin(text: string, run?: (text: string) => void): void {
    if (!this.#isIdle) this.#undo();
    if (!this.#isIdle)
      throw new StoreUnavailableError(
        `the last transaction could not be rolled back, so the store refuses requests; ${BUSY}`,
      );
    this.#command(text, `the database cannot begin a transaction; ${BUSY}`, run);
  }

  #commit(): void {
    try {
      this.#command('COMMIT', NOT_DURABLE);
    } catch (error) {
      this.#undo();
      try {
        // Empty the log: after a crash, a failed commit at its end could look like a successful one.
        this.checkpoint();
      } catch {
        // The next write overwrites the end of the log.
      }
      throw error;
    }
  }

  /** Ends a failed transaction. SQLite may have ended it already, or may be unable to end it. */
  #undo(): void {
    for (const commands of [['ROLLBACK'], ['BEGIN', 'ROLLBACK']]) {
      try {
        commands.forEach((command) => this.#statements.command(command));
        this.#isIdle = true;
        return;
      } catch {
        this.#isIdle = false;
      }
    }
  }

  #finish(work: SqlWork<unknown>): PromiseFulfilledResult<unknown> {
    return { status: 'fulfilled', value: finish(work, this.#statements.step) };
  }

  #inSavepoint(work: SqlWork<unknown>): PromiseSettledResult<unknown> {
    this.#command('SAVEPOINT work', 'a part of a transaction could not begin');
    try {
      const result = this.#finish(work);
      this.#statements.command('RELEASE work');
      return result;
    } catch (error) {
      const result = rejected(error);
      this.#command('ROLLBACK TO work', 'a part of a transaction could not be rolled back');
      this.#command('RELEASE work', 'a part of a transaction could not be rolled back');
      return result;
    }
  }

  /** Runs a command. Any error counts as a fault of the disk or of a lock. */
  #command(text: string, failed: string, run: (text: string) => void = this.#statements.command): void {
    try {
      run(text);
    } catch (error) {
      throw new StoreUnavailableError(failed, { cause: error });
    }
  }
}

/** Returns the result of a work that threw. Rethrows a fault, because it affects all works. */
function rejected(reason: unknown): PromiseRejectedResult {
  // A damaged row affects only the work that read it.
  if (reason instanceof StoreDamagedError) return { status: 'rejected', reason };
  if (reason instanceof StoreUnavailableError) throw reason;
  if (faultOf(reason))
    throw new StoreUnavailableError('the database failed, and nothing was changed', { cause: reason });
  return { status: 'rejected', reason };
}
