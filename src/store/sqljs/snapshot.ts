import type { SqlJsStatic } from 'sql.js';
import { MIGRATIONS } from '../sql/schema.ts';
import { TABLES } from '../sql/tables.ts';
import { readRows } from '../sql/transfer.ts';
import type { StoreSnapshot } from '../store.ts';
import { openSqljsDatabase } from './database.ts';

/** A snapshot of its own: a second database in memory, opened from the bytes of the first. */
export function openSqljsSnapshot(SQL: SqlJsStatic, bytes: Uint8Array): StoreSnapshot {
  const copy = openSqljsDatabase(SQL, bytes);
  const state = { open: true };
  return {
    schema: MIGRATIONS.length,
    tables: TABLES,
    async readRows(table, after, limit) {
      return copy.run(readRows(table, after, limit)).value;
    },
    async close() {
      if (state.open) copy.close();
      state.open = false;
    },
  };
}
