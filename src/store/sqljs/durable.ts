import type { Journal } from '../../journal/journal.ts';
import type { JournalMedium } from '../../journal/medium.ts';
import { openJournal, type JournalNotice } from '../../journal/open.ts';
import { checkInTurns } from '../sql/check.ts';
import { matchesInTurns } from '../sql/matches.ts';
import { createMethods, isRemoval, isWrite, workOf } from '../sql/methods.ts';
import { StoreUnavailableError } from '../store.ts';
import { openSqljsDatabase, type SqljsDatabase } from './database.ts';
import { decodeRecord, encodeRecord } from './record.ts';
import { openSqljsSnapshot } from './snapshot.ts';
import { startSqlJs, type SqljsStore, type SqljsStoreOptions } from './store.ts';

/** Options of {@link openDurableStore}. */
export interface DurableStoreOptions extends Pick<SqljsStoreOptions, 'sqlJs' | 'locateFile'> {
  /** Where the journal lives; the store's until it is closed. */
  readonly medium: JournalMedium;
  /** An erased text or identifier, and a hash that was put under another pepper, leaves the medium within so many seconds, when the journal is next rewritten; 3,600 unless given. */
  readonly eraseWithinSeconds?: number;
  /** Told about what an operator should know and need not act on at once. */
  readonly onNotice?: (notice: StoreNotice) => void;
}

/** sql.js on a journal. */
export interface DurableStore extends SqljsStore {
  /** The same as `export`, once all that is in it is on the medium: no write that was refused in the end. */
  exportDurable(): Promise<Uint8Array>;
}

/** Something happened that was dealt with. */
export type StoreNotice =
  | ({ readonly event: 'journal-cut' } & JournalNotice)
  /** A write could not be made durable; its caller was told, and the store went back to what is durable. */
  | { readonly event: 'write-failed'; readonly error: unknown }
  /** The store could not read its journal again; it tries at the next request. */
  | { readonly event: 'recovery-failed'; readonly error: unknown }
  /** The journal could not be rewritten; it stays as it is and grows. */
  | { readonly event: 'compaction-failed'; readonly error: unknown };

/** The journal is rewritten as one snapshot when its records outgrow the snapshot, but not for less than this. */
const COMPACT_BYTES = 16 * 1024 * 1024;
const ERASE_WITHIN_SECONDS = 3600;
/** The longest that a timer can wait. */
const ERASE_WITHIN_SECONDS_MOST = 2_147_483;

/**
 * sql.js made durable: the database is in memory, and each write is in the journal before it is acknowledged. Many writers share one flush.
 *
 * When the journal fails (disk full, disk gone), the writers that waited are told so and the memory, which is ahead of the disk, is thrown away and read
 * anew; until that is done every operation is refused with StoreUnavailableError. Nothing that was acknowledged is lost, nothing else stays. From then on
 * reads are answered, and each write first tries whether the journal takes one again.
 *
 * Rejects with JournalDamagedError, JournalVersionError or StoreFormatError, having written nothing.
 */
export async function openDurableStore(options: DurableStoreOptions): Promise<DurableStore> {
  const { medium, eraseWithinSeconds = ERASE_WITHIN_SECONDS } = options;
  if (
    !Number.isSafeInteger(eraseWithinSeconds) ||
    eraseWithinSeconds < 0 ||
    eraseWithinSeconds > ERASE_WITHIN_SECONDS_MOST
  ) {
    throw new RangeError(
      `"eraseWithinSeconds" expected a whole number from 0 to ${ERASE_WITHIN_SECONDS_MOST}, got ${String(eraseWithinSeconds)}`,
    );
  }
  const notice = (told: StoreNotice): void => {
    // Whoever is told has no say in what the store does: neither a throw nor a rejected promise gets any further.
    void (async () => options.onNotice?.(told))().catch(() => undefined);
  };
  const SQL = await startSqlJs(options);

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
          const { name, work } = decodeRecord(bytes);
          replaying().run(work);
          if (isRemoval(name)) opened.removals++;
        },
        onNotice: (cut) => notice({ event: 'journal-cut', ...cut }),
      });
      const db = replaying();
      db.endBulk();
      return {
        db,
        journal,
        isDoubtful: durableBytes !== undefined,
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

  /** The session that works, or StoreUnavailableError. */
  const working = (): Session => {
    if (state.closing) throw new StoreUnavailableError('the store is closed');
    if (state.session) return state.session;
    recover();
    throw new StoreUnavailableError('the store is being read again after a failed write');
  };

  /** The session for a write. After a failed write the journal is tried out first: another failure would make everything be read again, and nobody be answered meanwhile. */
  const proven = async (session: Session): Promise<Session> => {
    try {
      await session.journal.prove();
      session.isDoubtful = false;
    } catch (error) {
      if (session.journal.failure) leave(session, error);
      throw new StoreUnavailableError('the journal takes no writes yet', { cause: error });
    }
    return working();
  };

  /** Leaves a session whose journal failed, once, however many writers were waiting. */
  const leave = (session: Session, error: unknown): void => {
    if (state.session !== session) return;
    state.session = undefined;
    state.durableBytes = session.journal.durableBytes;
    session.db.close();
    notice({ event: 'write-failed', error });
    if (!state.closing) recover();
  };

  /** Rewrites the journal as one snapshot that holds nothing of what was removed before the call. */
  const rewrite = async (session: Session): Promise<void> => {
    clearTimeout(state.erasure);
    state.erasure = undefined;
    // Counted from here whether it works or not: a disk that is full is not asked again for each write.
    session.compactAtBytes = session.journal.bytesSinceSnapshot + COMPACT_BYTES;
    // What is removed while the snapshot is being written is still in it. A call that joined another one's has none of its own.
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
    if (state.erasure !== undefined) return;
    state.erasure = setTimeout(() => {
      state.erasure = undefined;
      if (state.session) void compact(state.session);
    }, eraseWithinSeconds * 1000);
    // Waiting to tidy up is no reason to keep a process alive (a browser's timer is a number and never does).
    (state.erasure as { unref?: () => void }).unref?.();
  };
  // A crash came between a removal and its erasure from the medium; how long ago nobody knows, so it is made good now.
  if (holdsRemoved(state.session!)) void compact(state.session!);

  const tidy = (session: Session): void => {
    if (session.journal.bytesSinceSnapshot >= session.compactAtBytes) void compact(session);
    else if (holdsRemoved(session)) scheduleErasure();
  };

  const exportDurable = async (): Promise<Uint8Array> => {
    const session = working();
    const bytes = session.db.export();
    try {
      await session.journal.settled();
    } catch (error) {
      leave(session, error);
      throw new StoreUnavailableError('what was being written could not be made durable and was undone', {
        cause: error,
      });
    }
    return bytes;
  };

  return {
    ...createMethods(async (name, args) => {
      const found = working();
      if (!isWrite(name)) return found.db.run(workOf(name, args)).value;
      const session = found.isDoubtful ? await proven(found) : found;
      // Before the change: what cannot be a record must not be in memory either.
      const record = encodeRecord(name, args);
      const { value, changed } = session.db.run(workOf(name, args));
      if (changed && isRemoval(name)) session.removals++;
      // No await between the change and the append: the order of records is the order of changes.
      const durable = changed ? session.journal.append(record) : session.journal.settled();
      try {
        await durable;
      } catch (error) {
        leave(session, error);
        throw new StoreUnavailableError('the write could not be made durable and was undone', { cause: error });
      }
      if (changed) tidy(session);
      return value;
    }),
    findMatches: (hashes) => matchesInTurns(hashes, (work) => working().db.run(work).value),
    export: () => working().db.export(),
    exportDurable,
    check: () => checkInTurns((work) => working().db.run(work).value),
    snapshot: async () => openSqljsSnapshot(SQL, await exportDurable()),
    async erased() {
      const session = working();
      // Also where nothing was removed: records before it may name what is gone by now.
      if (session.journal.bytesSinceSnapshot === 0) return;
      try {
        await rewrite(session);
      } catch (error) {
        notice({ event: 'compaction-failed', error });
        throw new StoreUnavailableError('what was removed could not be taken out of the journal yet', { cause: error });
      }
    },
    close() {
      state.closing ??= (async () => {
        clearTimeout(state.erasure);
        await state.recovery;
        const { session } = state;
        if (!session) return medium.close();
        // A journal of one snapshot opens fastest and holds nothing that was erased.
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

/** A database in memory and the journal that it is ahead of by what is still being written. */
interface Session {
  readonly db: SqljsDatabase;
  readonly journal: Journal;
  /** It follows one whose journal failed, and nothing was written since. */
  isDoubtful: boolean;
  compactAtBytes: number;
  /** Counted since the session began; the medium still holds what the latest ones took away, … */
  removals: number;
  /** … all but so many, which were done before the snapshot that is on it. */
  erasedRemovals: number;
}

function holdsRemoved({ removals, erasedRemovals }: Session): boolean {
  return removals > erasedRemovals;
}
