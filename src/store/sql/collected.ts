import type { StoredRow, StoreSnapshot } from '../store.ts';
import { MIGRATIONS } from './schema.ts';
import type { SqlWork } from './statement.ts';
import { TABLES, tableOf } from './tables.ts';
import { readRows } from './transfer.ts';

const PAGE = 1000;

export type CollectedRows = ReadonlyMap<string, readonly StoredRow[]>;

/** All rows of all tables, in one work. */
export function* collectRows(): SqlWork<CollectedRows> {
  const collected = new Map<string, StoredRow[]>();
  for (const { name } of TABLES) {
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

/** A snapshot of rows that were collected at one moment: for an engine on which no view stays open while others write. All of it is in memory until it is closed. */
export function snapshotOf(collected: CollectedRows): StoreSnapshot {
  const held = { tables: collected };
  const places = new Map<string, ReadonlyMap<string, number>>();
  const placesIn = (name: string): ReadonlyMap<string, number> => {
    const known = places.get(name) ?? new Map(held.tables.get(name)!.map((row, at) => [keyOf(name, row), at]));
    places.set(name, known);
    return known;
  };
  return {
    schema: MIGRATIONS.length,
    tables: TABLES,
    async readRows(table, after, limit) {
      const rows = held.tables.get(tableOf(table).name) ?? [];
      const from = after === undefined ? 0 : placesIn(table).get(keyOf(table, after))! + 1;
      return rows.slice(from, from + limit);
    },
    async close() {
      held.tables = new Map();
      places.clear();
    },
  };
}

function keyOf(table: string, row: StoredRow): string {
  return JSON.stringify(tableOf(table).key.map((part) => row[part]));
}
