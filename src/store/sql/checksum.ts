import type { SqlRow, SqlValue } from './statement.ts';
import { TABLES, tableOf } from './tables.ts';

/**
 * The checksum of a row: for each of its columns a part, MurmurHash3 (x86, 32 bit) of the value under a seed of the column's own, and the sum of the parts modulo 2^32,
 * signed: so it takes four bytes in SQLite, and none on V8's heap.
 *
 * One column that changed in one place of 32 bits is always seen, anything else but one time in 2^32. Because it is a sum, whoever changes a column adds the difference of its
 * part and need not know the rest: two that change different columns of a row at once do not undo each other, and a row that is damaged elsewhere stays so.
 */
export interface RowSum {
  /** The columns whose parts `of` takes, in the order of the catalogue, then the checksum: for SELECT. */
  readonly columns: string;
  /** The sum of the parts of these values: one for each column, in their order; what follows them is not looked at. `known` is added to it. */
  of(values: SqlRow, known?: number): number;
}

/** Adds to a row's checksum, in an UPDATE; its parameter is what {@link difference} gives. */
export const CHECKSUM_CHANGED = 'checksum = ((checksum + ?) & 4294967295) - 2147483648';

/** The checksum of a table's rows, or of what is left of them without one of their columns. */
export function rowSum(table: string, without?: string): RowSum {
  const names = tableOf(table)
    .columns.map(({ name }) => name)
    .filter((name) => name !== without);
  const seeds = names.map((name) => seedOf(table, name));
  return {
    columns: [...names, 'checksum'].join(', '),
    of(values, known = 0) {
      let sum = known;
      for (let at = 0; at < seeds.length; at++) sum += partOf(seeds[at]!, values[at]!);
      return sum | 0;
    },
  };
}

/** What the values of a column add to the checksum. */
export function columnParts(table: string, column: string): (value: SqlValue) => number {
  const seed = seedOf(table, column);
  return (value) => partOf(seed, value);
}

/** What a row's checksum grows by when columns change: each by its old and new value. */
export function difference(
  table: string,
  changes: Readonly<Record<string, readonly [from: SqlValue, to: SqlValue]>>,
): number {
  let sum = 0;
  for (const [column, [from, to]] of Object.entries(changes))
    sum += partOf(seedOf(table, column), to) - partOf(seedOf(table, column), from);
  // What makes it whole again comes after the modulus, where there are no negative numbers.
  return (sum + 2 ** 31) >>> 0;
}

/** By name, so that a column may stand elsewhere in a later catalogue. */
const SEEDS: ReadonlyMap<string, number> = new Map(
  TABLES.flatMap(({ name, columns }) =>
    columns.map((column) => [`${name}.${column.name}`, partOf(0, `${name}.${column.name}`)]),
  ),
);

function seedOf(table: string, column: string): number {
  return SEEDS.get(`${table}.${column}`)!;
}

/**
 * A value as words: a number as two, bytes as four a word, text as one word a UTF-16 unit. NULL has no part. What no column can hold (a fraction, a
 * whole number past 2^53, bytes of less than a word, as damage makes them) has one that says so. Such bytes would else be words as those of the text
 * that they spell, and in SQLite one bit makes bytes of a text.
 */
function partOf(seed: number, value: SqlValue): number {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) return end(seed, -1);
    return end(fold(fold(seed, value | 0), Math.floor(value / 4_294_967_296)), 8);
  }
  if (value === null) return 0;
  if (typeof value === 'string') return partOfText(seed, value);
  if (!(value instanceof Uint8Array) || value.length < 4) return end(seed, -1);
  let sum = seed;
  let at = 0;
  for (; at + 3 < value.length; at += 4)
    sum = fold(sum, value[at]! | (value[at + 1]! << 8) | (value[at + 2]! << 16) | (value[at + 3]! << 24));
  for (; at < value.length; at++) sum = fold(sum, value[at]!);
  return end(sum, value.length);
}

function partOfText(seed: number, text: string): number {
  // Builds of SQLite for WebAssembly leave out a byte order mark at the beginning when they read.
  let at = 0;
  while (text.charCodeAt(at) === 0xfeff) at++;
  const start = at;
  let sum = seed;
  for (; at < text.length; at++) sum = fold(sum, text.charCodeAt(at));
  return end(sum, text.length - start);
}

/** One round of MurmurHash3: for one word another sum gives another result, and for one sum another word. */
function fold(sum: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = sum ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Its end, which is one to one. */
function end(sum: number, length: number): number {
  let h = sum ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
