import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isMoment, isStorable, type StoredColumn, type StoredRow, type StoredTable } from '../../core/store/upkeep.ts';

/** Most UTF-16 units of a text. Texts of today have 2,000 characters, and a service may allow itself more. */
const MAX_TEXT = 1_000_000;

/** Returns why a row does not fit its table, without the row's values; undefined for a valid row. */
export function problemOf({ name, columns }: StoredTable, row: StoredRow): string | undefined {
  if (Object.keys(row).length !== columns.length || !columns.every((column) => Object.hasOwn(row, column.name)))
    return `the row does not have the columns of ${name}`;
  const wrong = columns.find((column) => !isValue(column, row[column.name]));
  return wrong && `${name}.${wrong.name} is not ${describe(wrong)}`;
}

/** Returns a row of an older export with the columns that were added since: they are null. */
export function completeRow({ columns }: StoredTable, row: StoredRow, schema: number): StoredRow {
  const added = columns.filter(({ since = 0 }) => since > schema);
  return added.length === 0 ? row : { ...row, ...Object.fromEntries(added.map(({ name }) => [name, null])) };
}

/** Returns the table as an export of an older version has it. */
export function tableOf(table: StoredTable, schema: number): StoredTable {
  return { ...table, columns: table.columns.filter(({ since = 0 }) => since <= schema) };
}

/** Returns a row as text. Equal values give equal text, even if the row's properties have another order. */
export function textOf({ columns }: StoredTable, row: StoredRow): string {
  return JSON.stringify(columns.map(({ name }) => row[name]));
}

/** Compares two valid rows by the key of their table: below 0 if `a` sorts before `b`, 0 if their keys are equal. */
export function compareRows({ columns, key }: StoredTable, a: StoredRow, b: StoredRow): number {
  for (const part of key) {
    if (a[part] === b[part]) continue;
    const isText = columns.some(({ name, type }) => name === part && type === 'text');
    return sortKey(a[part], isText) < sortKey(b[part], isText) ? -1 : 1;
  }
  return 0;
}

/** Text sorts by its UTF-8 bytes. JavaScript compares UTF-16 units, which gives another order beyond U+FFFF. */
function sortKey(value: StoredRow[string] | undefined, isText: boolean): string | number {
  if (typeof value === 'number') return value;
  return isText ? bytesToHex(utf8ToBytes(String(value))) : String(value);
}

function isValue({ name, type, nullable, bytes }: StoredColumn, value: unknown): boolean {
  if (value === null) return nullable;
  if (type === 'whole') return Number.isSafeInteger(value) && isStorable(name, value);
  if (typeof value !== 'string') return false;
  if (type === 'text') return value.length <= MAX_TEXT && isStorable(name, value);
  return value.length / 2 === bytes && /^[0-9a-f]*$/.test(value);
}

function describe({ name, type, nullable, bytes }: StoredColumn): string {
  const whole = isMoment(name) ? 'milliseconds of a date' : 'a whole number';
  const words = {
    bytes: `${bytes} bytes as lowercase hex`,
    whole,
    text: 'text without control characters, of a million characters at most',
  }[type];
  return nullable ? `${words} or null` : words;
}
