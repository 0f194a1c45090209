import { createNotifier } from '../../core/domain/notices.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import { StoreError, StoreFormatError, StoreUnavailableError } from '../../core/store/errors.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { collectRows, snapshotOf } from '../../core/store/sql/transfer.ts';
import { Cache, createSqlStore, type Executor, type Write } from '../../core/store/sql/store.ts';
import type { Store } from '../../core/store/store.ts';
import { later, requireEraseWithin } from '../../core/store/timers.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import { findProblems } from './check.ts';
import { askColumn, finishInTurns, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import { faultOf } from '../../core/store/sqlite/faults.ts';
import { checkedVersion, migrate } from '../../core/store/sqlite/migrate.ts';
import { GroupRunner } from './group.ts';
import { createOpenedDriver, type OpenedDatabase } from './opened.ts';

/** Options of every store on a SQLite file. */
export interface SqliteFileOptions {
  /**
   * Seconds within which deleted data is erased from the write-ahead log. No file contains it then. Deleted data
   * includes texts, identifiers, and hashes that moved to another pepper. Default 60.
   */
  readonly eraseWithinSeconds?: number;
  /** Receives events that an operator should know. None needs action at once. */
  readonly onNotice?: (notice: SqliteNotice) => void;
}

/** An event that the store has handled. */
export type SqliteNotice =
  /** Writes could not be made durable. They were rejected and rolled back. */
  | { readonly event: 'write-failed'; readonly error: unknown }
  /** Deleted data is still in the write-ahead log, because of the disk or other readers. The store retries. */
  | { readonly event: 'erasure-failed'; readonly error: unknown };

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions extends SqliteFileOptions {
  /** An open database. The store closes it. Its own `timeout` limits the wait for other processes. */
  readonly database: OpenedDatabase;
}

/** A store on a SQLite file. */
export interface SqliteStore extends Store {
  /**
   * Reads the whole file and returns its problems: broken pages, inconsistent tables, and rows that do not match their
   * checksum. Empty if the file is sound. Other calls are answered between statements; the longest statement reads the
   * whole file.
   *
   * Without this check, an altered row is still never returned (StoreDamagedError). But only this check detects a key
   * that changed or that a damaged page hides: a search for that key finds nothing.
   */
  check(): Promise<StoreProblem[]>;
}

/** A store, and what its adapters also need. */
export interface StoreOn {
  readonly store: SqliteStore;
  /**
   * Keeps the database file unchanged until `thaw` is called. The file then contains every acknowledged write; later
   * writes stay in the log. One at a time: the next call waits. `stillOpen` throws if the store was closed meanwhile.
   * Rejects with StoreUnavailableError if the store is closed or the log cannot be written back.
   */
  freeze(): Promise<{ readonly stillOpen: () => void; readonly thaw: () => void }>;
}

interface StoreOnOptions {
  /** True if no other connection uses the file. */
  readonly exclusive: boolean;
  /** Runs before each commit. Throws if the commit would be lost. */
  readonly probe?: () => void;
}

/** The names of {@link SqliteFileOptions}. */
export const FILE_OPTIONS = ['eraseWithinSeconds', 'onNotice'];
const ERASE_WITHIN_SECONDS = 60;
/** Maximum writes per commit. Other work runs between two commits. */
const WRITES_A_COMMIT = 256;

/**
 * Creates a store on an open database of `node:sqlite` or better-sqlite3, which must be empty or a store already. The
 * file uses WAL mode and is flushed at each commit. Other processes may use it in the same way. If the file is locked
 * for longer than the database's `timeout`, a write rejects as unavailable.
 *
 * If this program cannot use the database, rejects with StoreFormatError and changes nothing. For a fault, rejects with
 * StoreUnavailableError. In both cases, the database stays open. Rejects with TypeError or RangeError for a wrong
 * option.
 */
export async function createSqliteStore({ database, ...options }: SqliteStoreOptions): Promise<SqliteStore> {
  refuseUnknown(options, FILE_OPTIONS);
  return createStoreOn(createOpenedDriver(database), { ...options, exclusive: false }).store;
}

/**
 * Creates the store on any driver. Writes that arrive in one turn of the event loop share a commit and are acknowledged
 * when it is on disk. Reads run between commits, so no answer contains data that could still be lost.
 *
 * Deleted data is overwritten in its page at once (`secure_delete`). The write-ahead log contains older copies of the
 * page. It is truncated within `eraseWithinSeconds`, at close, and at the next start after a crash.
 */
export function createStoreOn(driver: SqliteDriver, options: SqliteFileOptions & StoreOnOptions): StoreOn {
  const { eraseWithinSeconds = ERASE_WITHIN_SECONDS, exclusive, probe = () => undefined } = options;
  requireEraseWithin(eraseWithinSeconds);
  prepareDatabase(driver, exclusive);
  const runner = new GroupRunner(driver, !exclusive, probe);
  const database = new GroupedDatabase(runner, eraseWithinSeconds, createNotifier(options.onNotice));
  // A crash may have prevented the erasure of deleted data from the log.
  database.erase();
  const opened = (): void => database.requireOpen();
  const store: SqliteStore = {
    ...createSqlStore(database, exclusive ? new Cache() : undefined),
    async check() {
      opened();
      return findProblems(driver, opened);
    },
    snapshot: async () => snapshotOf(await database.read(collectRows)),
    erased: () => database.erased(),
    close: () => database.close(),
  };
  return { store, freeze: () => database.freeze() };
}

/**
 * Prepares a newly opened database: each commit is durable, deleted data is overwritten, and the schema is up to date.
 * `exclusive` locks every other connection out until this one is closed. Throws {@link StoreFormatError}, having
 * changed nothing, if this program cannot use the database. Throws StoreUnavailableError for a fault.
 */
function prepareDatabase(driver: SqliteDriver, exclusive: boolean): void {
  try {
    // Do this first: without shared memory, a file with a write-ahead log can be read only in exclusive mode. A single
    // user may keep up to 64 MiB of pages in memory: a disk read costs as much as the rest of a query.
    if (exclusive) driver.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536;');
    checkedVersion(driver);
    const [mode] = askColumn(driver, 'PRAGMA journal_mode = WAL');
    // A database in memory has no log.
    if (mode !== 'wal' && mode !== 'memory')
      throw new StoreUnavailableError('the file system does not support a write-ahead log: use a local disk');
    // FULL: each commit flushes the log. Deleted data is overwritten, and rollback data stays in memory. A cell that
    // does not fit its page is an error at once.
    driver.exec(
      'PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;',
    );
    migrate(driver);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const fault = faultOf(error);
    if (fault === 'corrupt')
      throw new StoreFormatError('the file is not a SQLite database, or it is damaged', { cause: error });
    throw fault
      ? new StoreUnavailableError(
          'the database cannot be opened now; check the disk and whether another program locks the file, then retry',
          { cause: error },
        )
      : error;
  }
}

/** Gathers the writes of one turn of the event loop into one commit, and erases deleted data from the log. */
class GroupedDatabase implements Executor {
  readonly #runner: GroupRunner;
  readonly #eraseWithinSeconds: number;
  readonly #notice: (notice: SqliteNotice) => void;
  readonly #waiting: Waiting[] = [];
  /** Cancels the erasure that is scheduled. */
  #erasure: (() => void) | undefined;
  #closing: Promise<void> | undefined;
  /** Resolves when all calls of `freeze` until now have thawed. */
  #freezing: Promise<void> = Promise.resolve();
  /** Ends the current freeze. */
  #thaw: (() => void) | undefined;

  constructor(runner: GroupRunner, eraseWithinSeconds: number, notice: (notice: SqliteNotice) => void) {
    this.#runner = runner;
    this.#eraseWithinSeconds = eraseWithinSeconds;
    this.#notice = notice;
  }

  /** Throws StoreUnavailableError if the store is closed. */
  requireOpen(): void {
    if (this.#closing) throw new StoreUnavailableError('the store is closed');
  }

  async read<T>(start: () => SqlWork<T>): Promise<T> {
    const work = start();
    return finishInTurns(() => {
      this.requireOpen();
      return this.#runner.read(work);
    });
  }

  async write<A extends readonly unknown[], T>(start: () => SqlWork<T>, { isRemoval }: Write<A, T>): Promise<T> {
    this.requireOpen();
    const work = start();
    return new Promise((resolve, reject) => {
      // Flush at the end of this turn: work that arrives until then shares the commit.
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({
        work,
        erases: isRemoval,
        settle: (result) =>
          result.status === 'fulfilled' ? resolve(result.value as T) : reject(result.reason as Error),
      });
    });
  }

  #flush(): void {
    const batch = this.#waiting.splice(0, WRITES_A_COMMIT);
    if (batch.length === 0) return;
    if (this.#waiting.length > 0) setImmediate(() => this.#flush());
    try {
      const results = this.#runner.write(batch.map(({ work }) => work));
      for (const [at, result] of results.entries()) batch[at]?.settle(result);
      if (batch.some(({ erases }) => erases)) this.#scheduleErasure(this.#eraseWithinSeconds);
    } catch (reason) {
      for (const { settle } of batch) settle({ status: 'rejected', reason });
      this.#notice({ event: 'write-failed', error: reason });
    }
  }

  /** Erases deleted data from the log. If that fails, retries later. */
  erase(): void {
    this.#erasure?.();
    this.#erasure = undefined;
    // While frozen, do nothing: thawing schedules the erasure again.
    if (this.#thaw) return;
    try {
      this.#runner.checkpoint();
    } catch (error) {
      this.#notice({ event: 'erasure-failed', error });
      if (!this.#closing) this.#scheduleErasure(Math.max(1, this.#eraseWithinSeconds));
    }
  }

  async erased(): Promise<void> {
    this.requireOpen();
    while (this.#thaw) await this.#freezing;
    this.requireOpen();
    try {
      this.#runner.checkpoint();
    } catch (error) {
      this.#notice({ event: 'erasure-failed', error });
      this.#scheduleErasure(Math.max(1, this.#eraseWithinSeconds));
      throw error;
    }
  }

  #scheduleErasure(seconds: number): void {
    this.#erasure ??= later(1000 * seconds, () => this.erase());
  }

  /** As {@link StoreOn.freeze}. */
  async freeze(): ReturnType<StoreOn['freeze']> {
    this.requireOpen();
    const before = this.#freezing;
    const turn: { end: () => void } = { end: () => undefined };
    this.#freezing = new Promise((resolve) => (turn.end = resolve));
    await before;
    try {
      this.requireOpen();
      const thawFile = this.#runner.freeze();
      const thaw = (): void => {
        this.#thaw = undefined;
        turn.end();
        thawFile();
        // Erase what was deleted while the file was frozen.
        if (!this.#closing) this.#scheduleErasure(0);
      };
      this.#thaw = thaw;
      return { stillOpen: () => this.requireOpen(), thaw: () => void (this.#thaw === thaw && thaw()) };
    } catch (error) {
      turn.end();
      throw error;
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#thaw?.();
    while (this.#waiting.length > 0) this.#flush();
    this.erase();
    this.#erasure?.();
    this.#runner.close();
  }
}

/** A write that waits for its commit. */
interface Waiting {
  readonly work: SqlWork<unknown>;
  readonly erases: boolean;
  settle(result: PromiseSettledResult<unknown>): void;
}
