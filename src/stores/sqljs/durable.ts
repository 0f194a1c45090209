import type { SqlJsStatic } from 'sql.js';
import { createNotifier } from '../../core/domain/notices.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import { StoreFormatError, StoreUnavailableError } from '../../core/store/errors.ts';
import {
  Cache,
  createSqlStore,
  RECORDED_WRITES,
  type Executor,
  type RecordedWrite,
  type Write,
} from '../../core/store/sql/store.ts';
import type { SqlWork } from '../../core/store/sql/statement.ts';
import { finishInTurns } from '../../core/store/sqlite/driver.ts';
import {
  openSqljsDatabase,
  openSqljsSnapshot,
  type SqljsDatabase,
  type SqljsStore,
} from '../../core/store/sqljs/store.ts';
import { startSqlJs, type StartOptions } from '../../core/store/sqljs/start.ts';
import { later, requireEraseWithin } from '../../core/store/timers.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalMedium } from '../journal/medium.ts';
import { openJournal, type JournalNotice } from '../journal/open.ts';

/** Options of {@link openDurableStore}. */
export interface DurableStoreOptions extends StartOptions {
  /** Where the journal is kept. The store closes it. */
  readonly medium: JournalMedium;
  /**
   * Seconds within which deleted data is erased from the medium: the journal is rewritten without it. Deleted data
   * includes texts, identifiers, and hashes that moved to another pepper. Default 3,600.
   */
  readonly eraseWithinSeconds?: number;
  /** Receives events that an operator should know. None needs action at once. */
  readonly onNotice?: (notice: StoreNotice) => void;
}

/** sql.js on a journal. */
export interface DurableStore extends SqljsStore {
  /** Returns the bytes of `export` when all their data is on the medium: none of their writes is rejected later. */
  exportDurable(): Promise<Uint8Array>;
}

/** An event that the store has handled. */
export type StoreNotice =
  | ({ readonly event: 'journal-cut' } & JournalNotice)
  /** A write could not be made durable. It was rejected, and the store returned to its durable state. */
  | { readonly event: 'write-failed'; readonly error: unknown }
  /** The store could not read its journal again. It retries at the next call. */
  | { readonly event: 'recovery-failed'; readonly error: unknown }
  /** The journal could not be rewritten. It is unchanged and keeps growing. */
  | { readonly event: 'compaction-failed'; readonly error: unknown };

const ERASE_WITHIN_SECONDS = 3600;
/** If the records are longer than this, and than the last rewrite's snapshot, the journal becomes one snapshot. */
const COMPACT_BYTES = 16 * 1024 * 1024;
const ROLLED_BACK = 'the write could not be made durable and was rolled back; check the disk, then retry';
const OPTIONS = ['medium', 'sqlJs', 'locateFile', 'eraseWithinSeconds', 'onNotice'];

/**
 * Opens sql.js with a journal: the database is in memory, and each write is in the journal before it is acknowledged.
 * Many writers share one flush.
 *
 * If the journal fails (disk full or missing), the waiting writes are rejected. The memory is then ahead of the disk,
 * so it is discarded and read again. Until then, every call rejects with StoreUnavailableError. No acknowledged write
 * is lost, and no other write stays. After that, reads are answered. Each write first probes whether the journal
 * accepts one.
 *
 * If this program cannot use the journal, rejects with JournalDamagedError, JournalVersionError or StoreFormatError,
 * and writes nothing. Rejects with TypeError or RangeError for a wrong option.
 */
export async function openDurableStore(options: DurableStoreOptions): Promise<DurableStore> {
  refuseUnknown(options, OPTIONS);
  const { eraseWithinSeconds = ERASE_WITHIN_SECONDS } = options;
  requireEraseWithin(eraseWithinSeconds);
  const SQL = await startSqlJs(options);
  const cache = new Cache();
  const database = new JournaledDatabase(SQL, { ...options, eraseWithinSeconds }, cache);
  await database.open();
  return {
    ...createSqlStore(database, cache),
    export: () => database.export(),
    exportDurable: () => database.exportDurable(),
    snapshot: async () => openSqljsSnapshot(SQL, await database.exportDurable()),
    erased: () => database.erased(),
    close: () => database.close(),
  };
}

/**
 * Opens a durable store under a lock that the caller already holds. Closing the store releases the lock. If opening
 * fails, the medium is closed and the lock is released.
 */
export async function openHeldStore(
  lock: { release(): Promise<void> },
  openMedium: () => Promise<JournalMedium>,
  options: Omit<DurableStoreOptions, 'medium'>,
): Promise<DurableStore> {
  try {
    const medium = await openMedium();
    try {
      const store = await openDurableStore({ ...options, medium });
      return { ...store, close: () => store.close().finally(() => lock.release()) };
    } catch (error) {
      await medium.close();
      throw error;
    }
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Runs work in memory, and each write also in the journal. After a failed write, it replays the journal. */
class JournaledDatabase implements Executor {
  readonly #SQL: SqlJsStatic;
  readonly #medium: JournalMedium;
  readonly #eraseWithinSeconds: number;
  readonly #notice: (notice: StoreNotice) => void;
  readonly #cache: Cache;
  /** Undefined after a failed write, until the journal is replayed. */
  #session: Session | undefined;
  #recovery: Promise<void> | undefined;
  /** Length of the journal on the medium when the last session failed. */
  #durableBytes: number | undefined;
  /** Cancels the erasure that is scheduled. */
  #erasure: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    SQL: SqlJsStatic,
    { medium, eraseWithinSeconds, onNotice }: DurableStoreOptions & { readonly eraseWithinSeconds: number },
    cache: Cache,
  ) {
    this.#SQL = SQL;
    this.#medium = medium;
    this.#eraseWithinSeconds = eraseWithinSeconds;
    this.#notice = createNotifier(onNotice);
    this.#cache = cache;
  }

  async open(): Promise<void> {
    this.#session = await this.#replay();
    // Replayed deletions are not erased from the medium yet, and their time is unknown. Erase them at once.
    if (holdsRemoved(this.#session)) void this.#compact(this.#session);
  }

  async read<T>(start: () => SqlWork<T>, publishes?: (value: T) => boolean): Promise<T> {
    const session = this.#working();
    const work = start();
    const next = session.db.read(work);
    const value = next.done ? next.value : await finishInTurns(() => this.#working().db.read(work));
    if (session.unsettled > 0 && publishes?.(value)) await session.journal.settled().catch(() => undefined);
    return value;
  }

  async write<A extends readonly unknown[], T>(
    start: () => SqlWork<T>,
    { name, isRemoval }: Write<A, T>,
    args: A,
  ): Promise<T> {
    const found = this.#working();
    const session = found.isDoubtful ? await this.#probed(found) : found;
    // Encode before the commit: if a write cannot be encoded as a record, it must not be in memory either.
    let record: Uint8Array | undefined;
    const value = session.db.run(start(), () => (record = encodeRecord(name, args)));
    // A write that changed nothing may have read writes that are not durable yet. It waits for them.
    if (!record && session.unsettled === 0) return value;
    if (record && isRemoval) session.removals++;
    session.unsettled++;
    try {
      // No await between the change and the append: the order of records is the order of changes.
      await (record ? session.journal.append(record) : session.journal.settled());
    } catch (error) {
      this.#leave(session, error);
      throw new StoreUnavailableError(ROLLED_BACK, { cause: error });
    } finally {
      session.unsettled--;
    }
    if (!record) return value;
    if (session.journal.bytesSinceSnapshot >= session.compactAtBytes) void this.#compact(session);
    else if (holdsRemoved(session)) this.#scheduleErasure();
    return value;
  }

  export(): Uint8Array {
    return this.#working().db.export();
  }

  async exportDurable(): Promise<Uint8Array> {
    const session = this.#working();
    const bytes = session.db.export();
    try {
      await session.journal.settled();
    } catch (error) {
      this.#leave(session, error);
      throw new StoreUnavailableError(ROLLED_BACK, { cause: error });
    }
    return bytes;
  }

  async erased(): Promise<void> {
    const session = this.#working();
    // Rewrite even without a deletion: earlier records may contain what was deleted later.
    if (session.journal.bytesSinceSnapshot === 0) return;
    try {
      await this.#rewrite(session);
    } catch (error) {
      this.#notice({ event: 'compaction-failed', error });
      throw new StoreUnavailableError('deleted data could not be erased from the journal yet', { cause: error });
    }
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#erasure?.();
    await this.#recovery;
    const session = this.#session;
    if (!session) return this.#medium.close();
    // A journal of one snapshot opens fastest and contains no deleted data.
    if (session.journal.bytesSinceSnapshot > 0) await this.#compact(session);
    this.#erasure?.();
    this.#session = undefined;
    await session.journal.close();
    session.db.close();
  }

  #replay(): Promise<Session> {
    const onCut = (cut: JournalNotice): void => this.#notice({ event: 'journal-cut', ...cut });
    return openSession(this.#SQL, this.#medium, onCut, this.#durableBytes);
  }

  #recover(): void {
    this.#recovery ??= this.#replay()
      .then(
        (session) => void (this.#session = session),
        (error: unknown) => this.#notice({ event: 'recovery-failed', error }),
      )
      .finally(() => (this.#recovery = undefined));
  }

  /** Returns the open session. Throws StoreUnavailableError if there is none. */
  #working(): Session {
    if (this.#closing) throw new StoreUnavailableError('the store is closed');
    if (this.#session) return this.#session;
    this.#recover();
    throw new StoreUnavailableError('the store is recovering from a failed write; retry');
  }

  /** Probes the journal after a failed write. A second failed write would stop all answers until the next replay. */
  async #probed(session: Session): Promise<Session> {
    try {
      await session.journal.probe();
      session.isDoubtful = false;
    } catch (error) {
      if (session.journal.failure) this.#leave(session, error);
      throw new StoreUnavailableError('the journal accepts no writes yet', { cause: error });
    }
    return this.#working();
  }

  /** Discards a session whose journal failed. Only the first of the waiting writers does this. */
  #leave(session: Session, error: unknown): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#cache.forgetAll();
    this.#durableBytes = session.journal.durableBytes;
    session.db.close();
    this.#notice({ event: 'write-failed', error });
    if (!this.#closing) this.#recover();
  }

  #compact(session: Session): Promise<void> {
    return this.#rewrite(session).catch((error: unknown) => this.#notice({ event: 'compaction-failed', error }));
  }

  /** Rewrites the journal as one snapshot. Data that was deleted before this call is not in it. */
  async #rewrite(session: Session): Promise<void> {
    this.#erasure?.();
    this.#erasure = undefined;
    // Set this even if rewriting fails: a full disk must not be tried again at each write.
    session.compactAtBytes = session.journal.bytesSinceSnapshot + COMPACT_BYTES;
    // The snapshot erases only removals before it. If this call joins a running one, it takes no snapshot and counts no
    // removals.
    let removals = 0;
    try {
      await session.journal.compact(() => {
        removals = session.removals;
        return session.db.export();
      });
      session.compactAtBytes = Math.max(COMPACT_BYTES, session.journal.snapshotBytes);
      session.erasedRemovals = Math.max(session.erasedRemovals, removals);
    } finally {
      if (holdsRemoved(session)) this.#scheduleErasure();
    }
  }

  #scheduleErasure(): void {
    this.#erasure ??= later(1000 * this.#eraseWithinSeconds, () => {
      this.#erasure = undefined;
      if (this.#session) void this.#compact(this.#session);
    });
  }
}

/** A database in memory and its journal. The database may be ahead by writes that are not durable yet. */
interface Session {
  readonly db: SqljsDatabase;
  readonly journal: Journal;
  /** True after a failed write, until a probe of the journal succeeds. */
  isDoubtful: boolean;
  /** Calls that wait for the journal. */
  unsettled: number;
  compactAtBytes: number;
  /** Number of deletions that this session has replayed or run. */
  removals: number;
  /** Number of these deletions whose data is no longer in the snapshot on the medium. */
  erasedRemovals: number;
}

/** True if the medium still contains deleted data. */
function holdsRemoved({ removals, erasedRemovals }: Session): boolean {
  return removals > erasedRemovals;
}

/** The record of a write in a journal: the name and the arguments as JSON, such as `["addReport",{…},0]`. */
function encodeRecord(name: string, args: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([name, ...args]));
}

/** Throws StoreFormatError for an unknown write. */
function decodeRecord(bytes: Uint8Array): { readonly write: RecordedWrite; readonly args: readonly never[] } {
  const [name, ...sent]: readonly [string, ...unknown[]] = JSON.parse(new TextDecoder().decode(bytes));
  const write = RECORDED_WRITES.get(name);
  if (!write) throw new StoreFormatError('the journal has a record of an unknown kind: use a newer redflag');
  // JSON has no undefined: an argument that was left out is null.
  return { write, args: sent.map((argument) => argument ?? undefined) as never[] };
}

/**
 * Replays a journal into a new database. Running a record again on the same content has the same effect. After a failed
 * write, `durableBytes` is the length of the journal that is on the medium.
 */
async function openSession(
  SQL: SqlJsStatic,
  medium: JournalMedium,
  onCut: (notice: JournalNotice) => void,
  durableBytes?: number,
): Promise<Session> {
  const opened: { db?: SqljsDatabase; removals: number } = { removals: 0 };
  const replaying = (): SqljsDatabase => {
    if (!opened.db) (opened.db = openSqljsDatabase(SQL)).beginBulk();
    return opened.db;
  };
  try {
    const journal = await openJournal({
      medium,
      ...(durableBytes === undefined ? {} : { durableBytes }),
      onSnapshot: (bytes) => (opened.db = openSqljsDatabase(SQL, bytes)).beginBulk(),
      onRecord: (bytes) => {
        const { write, args } = decodeRecord(bytes);
        replaying().run(write.work(...args));
        if (write.isRemoval) opened.removals++;
      },
      onNotice: onCut,
    });
    const db = replaying();
    db.endBulk();
    return {
      db,
      journal,
      isDoubtful: durableBytes !== undefined,
      unsettled: 0,
      compactAtBytes: COMPACT_BYTES,
      removals: opened.removals,
      erasedRemovals: 0,
    };
  } catch (error) {
    opened.db?.close();
    throw error;
  }
}
