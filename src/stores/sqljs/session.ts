import type { SqlJsStatic } from 'sql.js';
import { StoreFormatError } from '../../core/store/errors.ts';
import { RECORDED_WRITES, type RecordedWrite } from '../../core/store/sql/store.ts';
import { openSqljsDatabase, type SqljsDatabase } from '../../core/store/sqljs/database.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalMedium } from '../journal/medium.ts';
import { openJournal, type JournalNotice } from '../journal/open.ts';

/** If the records are longer than this, and than the last rewrite's snapshot, the journal becomes one snapshot. */
export const COMPACT_BYTES = 16 * 1024 * 1024;

/** A database in memory and its journal. The database may be ahead by writes that are not durable yet. */
export interface Session {
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
export function holdsRemoved({ removals, erasedRemovals }: Session): boolean {
  return removals > erasedRemovals;
}

/** The record of a write in a journal: the name and the arguments as JSON, such as `["addReport",{…},0]`. */
export function encodeRecord(name: string, args: readonly unknown[]): Uint8Array {
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
export async function openSession(
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
