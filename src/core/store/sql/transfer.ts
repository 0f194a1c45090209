import type { StoredRow, StoreSnapshot } from '../upkeep.ts';
import { EXPORTED_TABLES, exportedTable, STORED_TABLES } from './catalogue.ts';
import { sqlName, toBytes, toHex } from './columns.ts';
import { walkTable } from './pages.ts';
import { putValues } from './rows.ts';
import { EXPORT_SCHEMA } from './schema.ts';
import { EVERYBODY, type SqlRow, type SqlValue, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { damageError } from '../errors.ts';
import type { Table } from './table.ts';

/** Stores rows of another store. Computes their checksums, because exports have none. */
export const TRANSFER_WORK = {
  *putRows(table, rows) {
    const target = exportedTable(table);
    const values = rows.map((row) => toValues(target, row));
    yield* putValues(target, values, ' ON CONFLICT DO NOTHING');
    if (rows.length > 0) yield { seenBy: [EVERYBODY] };
  },
} satisfies Partial<StoreWork>;

/**
 * Returns rows of an exported table in key order, after the given row. Throws RangeError for another table. Throws
 * StoreDamagedError for a damaged row, because a copy would give it a right checksum.
 */
export function* readRows(name: string, after: StoredRow | undefined, limit: number): SqlWork<StoredRow[]> {
  const table = exportedTable(name);
  const { rows, damaged, isSorted } = yield* walkTable(table, limit, after && toValues(table, after));
  if (damaged > 0) throw damageError(`a row of ${name} is damaged: its checksum does not match`);
  if (!isSorted) throw damageError(`rows of ${name} are out of order: the table is damaged`);
  const columns = Object.keys(table.columns).map(sqlName);
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, toStored(row[at])])));
}

const PAGE = 1000;

export type CollectedRows = ReadonlyMap<string, readonly StoredRow[]>;

/** Reads all rows of all exported tables, in one work. */
export function* collectRows(): SqlWork<CollectedRows> {
  const collected = new Map<string, StoredRow[]>();
  for (const { name } of EXPORTED_TABLES) {
    const rows: StoredRow[] = [];
    for (let isMore = true; isMore;) {
      const page = yield* readRows(name, rows.at(-1), PAGE);
      rows.push(...page);
      isMore = page.length === PAGE;
    }
    collected.set(name, rows);
  }
  return collected;
}

/** Creates a snapshot that reads from its own view. `close` runs once. */
export function createSnapshot(
  run: <T>(start: () => SqlWork<T>) => T | Promise<T>,
  close: () => void | Promise<void>,
): StoreSnapshot {
  const state: { closing: Promise<void> | undefined } = { closing: undefined };
  return {
    schema: EXPORT_SCHEMA,
    tables: STORED_TABLES,
    readRows: async (table, after, limit) => run(() => readRows(table, after, limit)),
    close: () => (state.closing ??= (async () => close())()),
  };
}

/** Creates a snapshot of rows in memory, for an engine that cannot keep a view open while others write. */
export function snapshotOf(collected: CollectedRows): StoreSnapshot {
  const held = { tables: collected };
  const places = new Map<string, ReadonlyMap<string, number>>();
  const keyOf = (table: string, row: StoredRow): string =>
    JSON.stringify(exportedTable(table).key.map((part) => row[sqlName(part)]));
  return {
    schema: EXPORT_SCHEMA,
    tables: STORED_TABLES,
    async readRows(table, after, limit) {
      const rows = held.tables.get(exportedTable(table).name) ?? [];
      if (after === undefined) return rows.slice(0, limit);
      const known = places.get(table) ?? new Map(rows.map((row, at) => [keyOf(table, row), at]));
      places.set(table, known);
      const from = (known.get(keyOf(table, after)) ?? rows.length) + 1;
      return rows.slice(from, from + limit);
    },
    async close() {
      held.tables = new Map();
      places.clear();
    },
  };
}

/**
 * Returns a row's values in the order of the table's columns. Rows of older journals lack columns that were added
 * later. These columns are nullable, or whole numbers with the default 0.
 */
function toValues({ columns }: Table, row: StoredRow): SqlRow {
  return Object.entries(columns).map(([name, { type, nullable }]): SqlValue => {
    const value = row[sqlName(name)];
    if (value === undefined) return type === 'bytes' || type === 'text' || nullable ? null : 0;
    return type === 'bytes' && typeof value === 'string' ? toBytes(value) : value;
  });
}

function toStored(value: SqlValue | undefined): string | number | null {
  return value instanceof Uint8Array ? toHex(value) : (value ?? null);
}
