import type { StoredColumn, StoredRow } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { proveOrder } from './order.ts';
import { put, read } from './rows.ts';
import { EVERYBODY, seenBy, type SqlValue, type SqlWork } from './statement.ts';
import { tableOf } from './tables.ts';
import type { StoreWork } from './work.ts';

/** Takes in rows as they were read from another store. Their checksums are made here: no export has any, for it has its own. */
export const TRANSFER_WORK: Pick<StoreWork, 'putRows'> = {
  *putRows(table, rows) {
    const { name, columns } = tableOf(table);
    // Of an older version's journal a row may have fewer columns than there are by now: whole numbers, whose default is 0, or what may be null.
    const valueOf = (column: StoredColumn, row: StoredRow): SqlValue =>
      Object.hasOwn(row, column.name)
        ? toValue(column, row[column.name]!)
        : column.type === 'whole' && !column.nullable
          ? 0
          : null;
    yield* put(
      name,
      rows.map((row) => columns.map((column) => valueOf(column, row))),
      ' ON CONFLICT DO NOTHING',
    );
    if (rows.length > 0) yield* seenBy(EVERYBODY);
  },
};

/**
 * Rows of a table in the order of its key, after the one given: for an adapter's snapshot. Throws RangeError for a table that is not in the catalogue, StoreDamagedError for a row
 * that is not as it was written: a copy of it would pass for sound.
 */
export function* readRows(table: string, after: StoredRow | undefined, limit: number): SqlWork<StoredRow[]> {
  const { name, columns, key } = tableOf(table);
  const order = key.join(', ');
  const from =
    after &&
    key.map((part) =>
      toValue(
        columns.find((column) => column.name === part)!,
        after[part]!,
      ),
    );
  const rows = from
    ? yield* read(
        name,
        `WHERE (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ?`,
        ...from,
        limit,
      )
    : yield* read(name, `ORDER BY ${order} LIMIT ?`, limit);
  proveOrder(name, rows, from);
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
