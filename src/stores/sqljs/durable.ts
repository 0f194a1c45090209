import { createNotifier } from '../../core/domain/notices.ts';
import { refuseUnknown } from '../../core/domain/options.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalMedium } from '../journal/medium.ts';
import { openJournal, type JournalNotice } from '../journal/open.ts';
import { StoreFormatError, StoreUnavailableError } from '../../core/store/errors.ts';
import { Cache } from '../../core/store/sql/cache.ts';
import { createSqlStore } from '../../core/store/sql/store.ts';
import { RECORDED_WRITES, type RecordedWrite } from '../../core/store/sql/writes.ts';
import { finishInTurns } from '../../core/store/sqlite/driver.ts';
import { later, requireEraseWithin } from '../../core/store/timers.ts';
import { openSqljsDatabase, openSqljsSnapshot, type SqljsDatabase } from '../../core/store/sqljs/database.ts';
import { startSqlJs, type SqljsStore, type SqljsStoreOptions } from '../../core/store/sqljs/store.ts';

/** Options of {@link openDurableStore}. */
export interface DurableStoreOptions extends Pick<SqljsStoreOptions, 'sqlJs' | 'locateFile'> {
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

/** If the records are longer than this, and than the last rewrite's snapshot, the journal becomes one snapshot. */
const COMPACT_BYTES = 16 * 1024 * 1024;
const ERASE_WITHIN_SECONDS = 3600;
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
  const { medium, eraseWithinSeconds = ERASE_WITHIN_SECONDS } = options;
  requireEraseWithin(eraseWithinSeconds);
  const notice = createNotifier(options.onNotice);
  const SQL = await startSqlJs(options);
  const cache = new Cache();

  const open = async (durableBytes?: number): Promise<Session> => {
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
        onNotice: (cut) => notice({ event: 'journal-cut', ...cut }),
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
  };

  const state: {
    session: Session | undefined;
    recovery: Promise<void> | undefined;
    durableBytes: number;
    erasure: ReturnType<typeof setTimeout> | undefined;
    closing: Promise<void> | undefined;
  } = { session: await open(), recovery: undefined, durableBytes: 0, erasure: undefined, closing: undefined };

  const recover = (): void => {
    state.recovery ??= open(state.durableBytes)
      .then(
        (session) => void (state.session = session),
        (error: unknown) => notice({ event: 'recovery-failed', error }),
      )
      .finally(() => (state.recovery = undefined));
  };

  /** Returns the open session. Throws StoreUnavailableError if there is none. */
  const working = (): Session => {
    if (state.closing) throw new StoreUnavailableError('the store is closed');
    if (state.session) return state.session;
    recover();
    throw new StoreUnavailableError('the store is recovering from a failed write; retry');
  };

  /** Probes the journal after a failed write. A second failed write would stop all answers until the next replay. */
  const probed = async (session: Session): Promise<Session> => {
    try {
      await session.journal.probe();
      session.isDoubtful = false;
    } catch (error) {
      if (session.journal.failure) leave(session, error);
      throw new StoreUnavailableError('the journal accepts no writes yet', { cause: error });
    }
    return working();
  };

  /** Discards a session whose journal failed. Only the first of the waiting writers does this. */
  const leave = (session: Session, error: unknown): void => {
    if (state.session !== session) return;
    state.session = undefined;
    cache.forgetAll();
    state.durableBytes = session.journal.durableBytes;
    session.db.close();
    notice({ event: 'write-failed', error });
    if (!state.closing) recover();
  };

  /** Rewrites the journal as one snapshot. Data that was deleted before this call is not in it. */
  const rewrite = async (session: Session): Promise<void> => {
    clearTimeout(state.erasure);
    state.erasure = undefined;
    // Set this even if rewriting fails: a full disk must not be tried again at each write.
    session.compactAtBytes = session.journal.bytesSinceSnapshot + COMPACT_BYTES;
    // The snapshot erases only removals before it. If this call joins a running one, it takes no snapshot and counts no
    // removals.
    const snapshot = { removals: 0 };
    try {
      await session.journal.compact(() => {
        snapshot.removals = session.removals;
        return session.db.export();
      });
      session.compactAtBytes = Math.max(COMPACT_BYTES, session.journal.snapshotBytes);
      session.erasedRemovals = Math.max(session.erasedRemovals, snapshot.removals);
    } finally {
      if (holdsRemoved(session)) scheduleErasure();
    }
  };

  const compact = (session: Session): Promise<void> =>
    rewrite(session).catch((error: unknown) => notice({ event: 'compaction-failed', error }));

  const scheduleErasure = (): void => {
    state.erasure ??= later(eraseWithinSeconds, () => {
      state.erasure = undefined;
      if (state.session) void compact(state.session);
    });
  };
  // Replayed deletions are not erased from the medium yet, and their time is unknown. Erase them at once.
  if (state.session && holdsRemoved(state.session)) void compact(state.session);

  const exportDurable = async (): Promise<Uint8Array> => {
    const session = working();
    const bytes = session.db.export();
    try {
      await session.journal.settled();
    } catch (error) {
      leave(session, error);
      throw new StoreUnavailableError(ROLLED_BACK, { cause: error });
    }
    return bytes;
  };

  return {
    ...createSqlStore(
      {
        async read(start, publishes) {
          const found = working();
          const work = start();
          const next = found.db.read(work);
          const value = next.done ? next.value : await finishInTurns(() => working().db.read(work));
          if (found.unsettled > 0 && publishes?.(value)) await found.journal.settled().catch(() => undefined);
          return value;
        },
        async write(start, { name, isRemoval }, args) {
          const found = working();
          const session = found.isDoubtful ? await probed(found) : found;
          // Encode before the commit: if a write cannot be encoded as a record, it must not be in memory either.
          let record: Uint8Array | undefined;
          const value = session.db.run(start(), () => {
            record = new TextEncoder().encode(JSON.stringify([name, ...args]));
          });
          // A write that changed nothing may have read writes that are not durable yet. It waits for them.
          if (!record && session.unsettled === 0) return value;
          if (record && isRemoval) session.removals++;
          session.unsettled++;
          try {
            // No await between the change and the append: the order of records is the order of changes.
            await (record ? session.journal.append(record) : session.journal.settled());
          } catch (error) {
            leave(session, error);
            throw new StoreUnavailableError(ROLLED_BACK, { cause: error });
          } finally {
            session.unsettled--;
          }
          if (!record) return value;
          if (session.journal.bytesSinceSnapshot >= session.compactAtBytes) void compact(session);
          else if (session.removals > session.erasedRemovals) scheduleErasure();
          return value;
        },
      },
      cache,
    ),
    export: () => working().db.export(),
    exportDurable,
    snapshot: async () => openSqljsSnapshot(SQL, await exportDurable()),
    async erased() {
      const session = working();
      // Rewrite even without a deletion: earlier records may contain what was deleted later.
      if (session.journal.bytesSinceSnapshot === 0) return;
      try {
        await rewrite(session);
      } catch (error) {
        notice({ event: 'compaction-failed', error });
        throw new StoreUnavailableError('deleted data could not be erased from the journal yet', { cause: error });
      }
    },
    close() {
      state.closing ??= (async () => {
        clearTimeout(state.erasure);
        await state.recovery;
        const { session } = state;
        if (!session) return medium.close();
        // A journal of one snapshot opens fastest and contains no deleted data.
        if (session.journal.bytesSinceSnapshot > 0) await compact(session);
        clearTimeout(state.erasure);
        state.session = undefined;
        await session.journal.close();
        session.db.close();
      })();
      return state.closing;
    },
  };
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

function holdsRemoved({ removals, erasedRemovals }: Session): boolean {
  return removals > erasedRemovals;
}

/**
 * Decodes a journal record: a writing method and its arguments as JSON, such as `["addReport",{…},0]`. Running a record
 * again on the same content has the same effect. If a method's meaning changes, give it a new name, so that old
 * journals keep their meaning. Throws StoreFormatError for an unknown method.
 */
function decodeRecord(bytes: Uint8Array): { readonly write: RecordedWrite; readonly args: readonly never[] } {
  const [name, ...sent]: readonly [string, ...unknown[]] = JSON.parse(new TextDecoder().decode(bytes));
  const write = RECORDED_WRITES.get(name);
  if (!write) throw new StoreFormatError('the journal has a record of an unknown kind: use a newer redflag');
  // JSON has no undefined: an argument that was left out is null.
  return { write, args: sent.map((argument) => argument ?? undefined) as never[] };
}
