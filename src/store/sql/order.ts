import { StoreDamagedError } from '../store.ts';
import type { SqlRow, SqlValue } from './statement.ts';
import { TABLES } from './tables.ts';

/** The values of a whole row's key. */
export function keyOf(table: string, row: SqlRow): readonly SqlValue[] {
  return PLACES.get(table)!.map((place) => row[place]!);
}

/** The first of these whole rows that does not come after the one before it, the first row after `after`, which is a key; -1 when they are in their order. */
export function firstAstray(table: string, rows: readonly SqlRow[], after?: readonly SqlValue[]): number {
  return firstUnsorted(
    rows.map((row) => keyOf(table, row)),
    after,
  );
}

/** Throws StoreDamagedError when whole rows are not in the order of their keys: in a damaged tree some come twice, and a walk over pages might never end. */
export function proveOrder(table: string, rows: readonly SqlRow[], after?: readonly SqlValue[]): void {
  if (firstAstray(table, rows, after) >= 0)
    throw new StoreDamagedError(`rows of ${table} are not in the order of their keys`);
}

/** The same of rows in another order, of which these are the columns that they are sorted by. */
export function proveSorted(
  table: string,
  sortedBy: readonly (readonly SqlValue[])[],
  after?: readonly SqlValue[],
): void {
  if (firstUnsorted(sortedBy, after) >= 0)
    throw new StoreDamagedError(`rows of ${table} are not in the order that was asked for: an index is damaged`);
}

function firstUnsorted(keys: readonly (readonly SqlValue[])[], after: readonly SqlValue[] | undefined): number {
  return keys.findIndex((key, at) => {
    const last = at === 0 ? after : keys[at - 1];
    return last !== undefined && compareKeys(last, key) >= 0;
  });
}

function compareKeys(a: readonly SqlValue[], b: readonly SqlValue[]): number {
  for (const [at, one] of a.entries()) {
    const order = compareValues(one, b[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(a: SqlValue, b: SqlValue): number {
  // Most texts of a key are that of the row before.
  if (a === b) return 0;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [bytesOf(a), bytesOf(b)];
  for (let at = 0; at < one.length && at < other.length; at++) if (one[at] !== other[at]) return one[at]! - other[at]!;
  return one.length - other.length;
}

/** What no key can be is before everything else. */
function bytesOf(value: SqlValue): Uint8Array {
  if (typeof value === 'string') return UTF8.encode(value);
  return value instanceof Uint8Array ? value : NO_KEY;
}

const UTF8 = /* @__PURE__ */ new TextEncoder();
const NO_KEY = /* @__PURE__ */ new Uint8Array();

const PLACES: ReadonlyMap<string, readonly number[]> = new Map(
  TABLES.map(({ name, columns, key }) => [
    name,
    key.map((part) => columns.findIndex((column) => column.name === part)),
  ]),
);
