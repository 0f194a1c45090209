import type { StoredColumn, StoredRow } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { EVERYBODY, seenBy, sql, type SqlValue, type SqlWork } from './statement.ts';
import { tableOf } from './tables.ts';
import type { StoreWork } from './work.ts';

/** Takes in rows as they were read from another store. */
export const TRANSFER_WORK: Pick<StoreWork, 'putRows'> = {
  *putRows(table, rows) {
    const { name, columns } = tableOf(table);
    for (const row of rows) {
      // Of an older version's journal a row may have fewer columns than there are by now.
      const given = columns.filter((column) => Object.hasOwn(row, column.name));
      yield* sql(
        `INSERT INTO ${name} (${given.map((column) => column.name).join(', ')}) VALUES (${given.map(() => '?').join(', ')}) ON CONFLICT DO NOTHING`,
        ...given.map((column) => toValue(column, row[column.name]!)),
      );
    }
    if (rows.length > 0) yield* seenBy(EVERYBODY);
  },
};

/** Rows of a table in the order of its key, after the one given: for an adapter's snapshot. Throws RangeError for a table that is not in the catalogue. */
export function* readRows(table: string, after: StoredRow | undefined, limit: number): SqlWork<StoredRow[]> {
  const { name, columns, key } = tableOf(table);
  const order = key.join(', ');
  const select = `SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name}`;
  const rows = after
    ? yield* sql(
        `${select} WHERE (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ?`,
        ...key.map((part) => toValue(columns.find((column) => column.name === part)!, after[part]!)), limit,
      )
    : yield* sql(`${select} ORDER BY ${order} LIMIT ?`, limit);
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column.name, fromValue(column, row[at]!)])));
}

function toValue({ type }: StoredColumn, value: string | number | null): SqlValue {
  return type === 'bytes' && typeof value === 'string' ? toBytes(value) : value;
}

function fromValue({ type }: StoredColumn, value: SqlValue): string | number | null {
  if (value === null) return null;
  if (type === 'bytes') return toHex(value);
  return type === 'whole' ? Number(value) : (value as string);
}
