import type { SqlJsStatic } from 'sql.js';
import { snapshotOver } from '../sql/snapshot.ts';
import type { StoreSnapshot } from '../store.ts';
import { openSqljsDatabase } from './database.ts';

/** A snapshot of its own: a second database in memory, opened from the bytes of the first. */
export function openSqljsSnapshot(SQL: SqlJsStatic, bytes: Uint8Array): StoreSnapshot {
  const copy = openSqljsDatabase(SQL, bytes);
  return snapshotOver(
    (work) => copy.run(work).value,
    () => copy.close(),
  );
}
