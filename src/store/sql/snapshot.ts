import type { StoreSnapshot } from '../store.ts';
import { MIGRATIONS } from './schema.ts';
import type { SqlWork } from './statement.ts';
import { TABLES } from './tables.ts';
import { readRows } from './transfer.ts';

/** A snapshot that is a database of its own, which nobody writes to. `close` is called once. */
export function snapshotOver(run: <T>(work: SqlWork<T>) => T, close: () => void | Promise<void>): StoreSnapshot {
  const state: { closing: Promise<void> | undefined } = { closing: undefined };
  return {
    schema: MIGRATIONS.length,
    tables: TABLES,
    readRows: async (table, after, limit) => run(readRows(table, after, limit)),
    close: () => (state.closing ??= (async () => close())()),
  };
}
