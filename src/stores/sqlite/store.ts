import { createNotifier } from '../../core/domain/notices.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import { StoreUnavailableError } from '../../core/store/errors.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { collectRows, snapshotOf } from '../../core/store/sql/transfer.ts';
import { Cache } from '../../core/store/sql/cache.ts';
import { createSqlStore } from '../../core/store/sql/store.ts';
import type { Store } from '../../core/store/store.ts';
import { later, requireEraseWithin } from '../../core/store/timers.ts';
import type { StoreProblem } from '../../core/store/upkeep.ts';
import { findProblems } from './check.ts';
import { finishInTurns, type SqliteDriver } from '../../core/store/sqlite/driver.ts';
import { createGroupRunner } from './group.ts';
import { prepareDatabase } from './open.ts';
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
  const notice = createNotifier(options.onNotice);
  prepareDatabase(driver, exclusive);
  const runner = createGroupRunner(driver, !exclusive, probe);
  const state: {
    waiting: Waiting[];
    erasure: ReturnType<typeof setTimeout> | undefined;
    closing: Promise<void> | undefined;
  } = { waiting: [], erasure: undefined, closing: undefined };
  // `queue`: waiting calls of `freeze`. `thaw`: ends the current one.
  const frozen: { queue: Promise<void>; thaw: (() => void) | undefined } = {
    queue: Promise.resolve(),
    thaw: undefined,
  };

  const erase = (): void => {
    clearTimeout(state.erasure);
    state.erasure = undefined;
    // While frozen, do nothing: `thaw` schedules the erasure again.
    if (frozen.thaw) return;
    try {
      runner.checkpoint();
    } catch (error) {
      notice({ event: 'erasure-failed', error });
      if (!state.closing) scheduleErasure(Math.max(1, eraseWithinSeconds));
    }
  };

  const scheduleErasure = (seconds: number): void => {
    state.erasure ??= later(seconds, erase);
  };

  const flush = (): void => {
    const batch = state.waiting.splice(0, WRITES_A_COMMIT);
    if (batch.length === 0) return;
    if (state.waiting.length > 0) setImmediate(flush);
    try {
      const results = runner.write(batch.map(({ work }) => work));
      for (const [at, result] of results.entries()) batch[at]?.settle(result);
      if (batch.some(({ erases }) => erases)) scheduleErasure(eraseWithinSeconds);
    } catch (reason) {
      for (const { settle } of batch) settle({ status: 'rejected', reason });
      notice({ event: 'write-failed', error: reason });
    }
  };

  const write = <T>(work: SqlWork<T>, erases: boolean): Promise<T> =>
    new Promise((resolve, reject) => {
      // Flush at the end of this turn: work that arrives until then shares the commit.
      if (state.waiting.length === 0) setImmediate(flush);
      state.waiting.push({
        work,
        erases,
        settle: (result) =>
          result.status === 'fulfilled' ? resolve(result.value as T) : reject(result.reason as Error),
      });
    });

  const opened = (): void => {
    if (state.closing) throw new StoreUnavailableError('the store is closed');
  };

  const freeze: StoreOn['freeze'] = async () => {
    opened();
    const before = frozen.queue;
    const turn: { end: () => void } = { end: () => undefined };
    frozen.queue = new Promise((resolve) => (turn.end = resolve));
    await before;
    try {
      opened();
      const thaw = runner.freeze();
      frozen.thaw = () => {
        frozen.thaw = undefined;
        turn.end();
        thaw();
        // Erase what was deleted while the file was frozen.
        if (!state.closing) scheduleErasure(0);
      };
    } catch (error) {
      turn.end();
      throw error;
    }
    const mine = frozen.thaw;
    return { stillOpen: opened, thaw: () => void (frozen.thaw === mine && mine()) };
  };

  // A crash may have prevented the erasure of deleted data from the log.
  erase();
  const store: SqliteStore = {
    ...createSqlStore(
      {
        async read(start) {
          const work = start();
          return finishInTurns(() => {
            opened();
            return runner.read(work);
          });
        },
        async write(start, { isRemoval }) {
          opened();
          return write(start(), isRemoval);
        },
      },
      exclusive ? new Cache() : undefined,
    ),
    async check() {
      opened();
      return findProblems(driver, opened);
    },
    async snapshot() {
      opened();
      return snapshotOf(await finishInTurns(() => runner.read(collectRows())));
    },
    async erased() {
      opened();
      while (frozen.thaw) await frozen.queue;
      opened();
      try {
        runner.checkpoint();
      } catch (error) {
        notice({ event: 'erasure-failed', error });
        scheduleErasure(Math.max(1, eraseWithinSeconds));
        throw error;
      }
    },
    close() {
      state.closing ??= (async () => {
        frozen.thaw?.();
        while (state.waiting.length > 0) flush();
        erase();
        runner.close();
      })();
      return state.closing;
    },
  };
  return { store, freeze };
}

/** A write that waits for its commit. */
interface Waiting {
  readonly work: SqlWork<unknown>;
  readonly erases: boolean;
  settle(result: PromiseSettledResult<unknown>): void;
}
