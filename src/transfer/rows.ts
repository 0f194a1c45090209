import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { StoredColumn, StoredRow, StoredTable } from '../store/store.ts';

/** Why a row is none of its table, in words without what is in it; undefined for one that is. */
export function problemOf({ name, columns }: StoredTable, row: StoredRow): string | undefined {
  if (Object.keys(row).length !== columns.length || !columns.every((column) => Object.hasOwn(row, column.name)))
    return `the row has not the columns of ${name}`;
  const wrong = columns.find((column) => !isValue(column, row[column.name]));
  return wrong && `${name}.${wrong.name} is not ${wordsFor(wrong)}`;
}

/** A row as text: the same for the same values, whatever the order in which they came. */
export function textOf({ columns }: StoredTable, row: StoredRow): string {
  return JSON.stringify(columns.map(({ name }) => row[name]));
}

/** Below 0 when `a` comes before `b` in the order of the table's key, 0 when they have the same key. Both are rows of the table. */
export function compareRows({ columns, key }: StoredTable, a: StoredRow, b: StoredRow): number {
  for (const part of key) {
    const [one, other] = [a[part]!, b[part]!];
    if (one === other) continue;
    if (columns.find(({ name }) => name === part)!.type === 'text') return bytesOf(one) < bytesOf(other) ? -1 : 1;
    return one < other ? -1 : 1;
  }
  return 0;
}

/** Sorts as the bytes of its UTF-8 do; a string of JavaScript does not where there are signs beyond 16 bits. */
function bytesOf(text: string | number): string {
  return bytesToHex(utf8ToBytes(String(text)));
}

function isValue({ type, nullable, bytes }: StoredColumn, value: unknown): boolean {
  if (value === null) return nullable;
  if (type === 'whole') return Number.isSafeInteger(value);
  if (typeof value !== 'string') return false;
  // Half a surrogate pair cannot be stored: it would be read again as something else.
  return type === 'text' ? !/\p{Surrogate}/u.test(value) : value.length === 2 * bytes! && /^[0-9a-f]*$/.test(value);
}

function wordsFor({ type, nullable, bytes }: StoredColumn): string {
  const words = { bytes: `${bytes} bytes as lowercase hex`, whole: 'a whole number', text: 'text' }[type];
  return nullable ? `${words} or null` : words;
}
