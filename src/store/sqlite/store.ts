import { collectRows, snapshotOf } from '../sql/collected.ts';
import { matchesInTurns } from '../sql/matches.ts';
import { createMethods, isRemoval, isWrite, workOf } from '../sql/methods.ts';
import type { SqlWork } from '../sql/statement.ts';
import { StoreUnavailableError, type Store, type StoreProblem } from '../store.ts';
import { findProblems } from './check.ts';
import type { SqliteDriver } from './driver.ts';
import { createGroupRunner } from './group.ts';
import { createOpenedDriver, type OpenedDatabase } from './opened.ts';
import { prepareDatabase } from './open.ts';

/** Options of every store on a SQLite file. */
export interface SqliteFileOptions {
  /** An erased text or identifier, and a hash that was put under another pepper, leaves the write-ahead log, its last place, within so many seconds; 60 unless given. */
  readonly eraseWithinSeconds?: number;
  /** Told about what an operator should know and need not act on at once. */
  readonly onNotice?: (notice: SqliteNotice) => void;
}

/** Something happened that was dealt with. */
export type SqliteNotice =
  /** Writes could not be made durable; their callers were told, and the store is as it was before them. */
  | { readonly event: 'write-failed'; readonly error: unknown }
  /** What was erased could not be taken out of the write-ahead log, because of the disk or of others who read; it is tried again after the same time. */
  | { readonly event: 'erasure-failed'; readonly error: unknown };

/** Options of {@link createSqliteStore}. */
export interface SqliteStoreOptions extends SqliteFileOptions {
  /** An open database, the store's until it is closed, which closes it. How long it waits for other processes (`timeout`) is its own setting. */
  readonly database: OpenedDatabase;
}

/** A store on a SQLite file. */
export interface SqliteStore extends Store {
  /**
   * Reads the whole file and says in words what is wrong with it, what does not fit together, and how many rows are not as they were written; nothing when it is sound. Others are
   * answered between its statements, the longest of which reads the whole file.
   *
   * An altered row is in no answer, checked or not (StoreDamagedError). But who asks for a key that changed, or that a damaged page hides, is told that there is none: only this finds that.
   */
  check(): Promise<StoreProblem[]>;
}

/** A store, and what only its composers know. */
export interface StoreOn {
  readonly store: SqliteStore;
  /**
   * Keeps the database file as it is, with all in it that was acknowledged, until the function that is resolved with is called. What is written meanwhile is in the log.
   * One at a time: the next waits. Closing the store ends it, which `stillOpen` tells by throwing. Rejects with StoreUnavailableError.
   */
  freeze(): Promise<{ readonly stillOpen: () => void; readonly thaw: () => void }>;
}

/** What only the composers of a store know. */
interface StoreOnOptions {
  /** No other connection uses the file. */
  readonly exclusive: boolean;
  /** Called before each commit; throws when it would be in vain. */
  readonly prove?: () => void;
}

const ERASE_WITHIN_SECONDS = 60;
/** The longest that a timer can wait. */
const ERASE_WITHIN_SECONDS_MOST = 2_147_483;
/** One commit takes so many writes, and others get a turn before the next. */
const WRITES_A_COMMIT = 256;

/**
 * A store on an open database of `node:sqlite` or better-sqlite3, empty or a store already: in the file that it was opened with, in WAL mode, flushed at each commit.
 * Other processes may use the file in the same way; a write that finds it locked for longer than the database waits is refused as unavailable.
 * Rejects with StoreFormatError, having changed nothing, or StoreUnavailableError; the database is then still open.
 */
export async function createSqliteStore({ database, ...options }: SqliteStoreOptions): Promise<SqliteStore> {
  return createStoreOn(createOpenedDriver(database), { ...options, exclusive: false }).store;
}

/**
 * The store on any driver. Writes that arrive in one turn of the event loop share a commit, and are acknowledged when it is on disk. Reads are answered between
 * commits, so nobody is told what could still be lost.
 *
 * What is removed is overwritten in its page at once (`secure_delete`). Older copies of the page are in the write-ahead log, which is written back and cut to
 * nothing within `eraseWithinSeconds`, at close, and at the next start after a crash.
 */
export function createStoreOn(driver: SqliteDriver, options: SqliteFileOptions & StoreOnOptions): StoreOn {
  const { eraseWithinSeconds = ERASE_WITHIN_SECONDS, exclusive, prove = () => undefined } = options;
  if (
    !Number.isSafeInteger(eraseWithinSeconds) ||
    eraseWithinSeconds < 0 ||
    eraseWithinSeconds > ERASE_WITHIN_SECONDS_MOST
  ) {
    throw new RangeError(
      `"eraseWithinSeconds" expected a whole number from 0 to ${ERASE_WITHIN_SECONDS_MOST}, got ${String(eraseWithinSeconds)}`,
    );
  }
  const notice = (told: SqliteNotice): void => {
    // Whoever is told has no say in what the store does: neither a throw nor a rejected promise gets any further.
    void (async () => options.onNotice?.(told))().catch(() => undefined);
  };
  prepareDatabase(driver, exclusive);
  const runner = createGroupRunner(driver, !exclusive, prove);
  const state: {
    waiting: Waiting[];
    erasure: ReturnType<typeof setTimeout> | undefined;
    closing: Promise<void> | undefined;
  } = { waiting: [], erasure: undefined, closing: undefined };
  // Those who want the file to stay as it is, in their order, and how the first of them is done with it.
  const frozen: { queue: Promise<void>; thaw: (() => void) | undefined } = {
    queue: Promise.resolve(),
    thaw: undefined,
  };

  const erase = (): void => {
    clearTimeout(state.erasure);
    state.erasure = undefined;
    // Whoever thaws the file sees to it.
    if (frozen.thaw) return;
    try {
      runner.checkpoint();
    } catch (error) {
      notice({ event: 'erasure-failed', error });
      if (!state.closing) scheduleErasure(Math.max(1, eraseWithinSeconds));
    }
  };

  const scheduleErasure = (seconds: number): void => {
    if (state.erasure !== undefined) return;
    state.erasure = setTimeout(erase, seconds * 1000);
    // Waiting to tidy up is no reason to keep a process alive.
    (state.erasure as { unref?: () => void }).unref?.();
  };

  const flush = (): void => {
    const batch = state.waiting.splice(0, WRITES_A_COMMIT);
    if (batch.length === 0) return;
    if (state.waiting.length > 0) setImmediate(flush);
    try {
      const results = runner.write(batch.map(({ work }) => work));
      batch.forEach(({ settle }, at) => settle(results[at]!));
      if (batch.some(({ erases }) => erases)) scheduleErasure(eraseWithinSeconds);
    } catch (reason) {
      for (const { settle } of batch) settle({ status: 'rejected', reason });
      notice({ event: 'write-failed', error: reason });
    }
  };

  const write = (work: SqlWork<unknown>, erases: boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      // After what has arrived by now: whoever comes in the same turn shares the commit, and nobody waits for more.
      if (state.waiting.length === 0) setImmediate(flush);
      state.waiting.push({
        work,
        erases,
        settle: (result) => (result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason as Error)),
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
        // What was written and erased meanwhile.
        if (!state.closing) scheduleErasure(0);
      };
    } catch (error) {
      turn.end();
      throw error;
    }
    const mine = frozen.thaw;
    return { stillOpen: opened, thaw: () => void (frozen.thaw === mine && mine()) };
  };

  // A crash may have come between a removal and its erasure from the log.
  erase();
  const store: SqliteStore = {
    ...createMethods(async (name, args) => {
      opened();
      const work = workOf(name, args);
      return isWrite(name) ? write(work, isRemoval(name)) : runner.read(work);
    }),
    findMatches: (hashes) =>
      matchesInTurns(hashes, (work) => {
        opened();
        return runner.read(work);
      }),
    async check() {
      opened();
      return findProblems(driver, opened);
    },
    async snapshot() {
      opened();
      return snapshotOf(runner.read(collectRows()));
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
