import { StoreDamagedError } from '../errors.ts';
import type { SqlValue, SqlRow } from './statement.ts';

/** A column of a table or of an answer. `T` is its type in the program. */
export interface Column<T> {
  /** In the program, `bytes` are lowercase hex text and a `flag` is a boolean. In the table, a `flag` is 0 or 1. */
  readonly type: 'bytes' | 'whole' | 'flag' | 'real' | 'text';
  readonly nullable: boolean;
  /** Exact number of bytes. */
  readonly bytes?: number;
  /** The version of the schema that added the column. Only columns that are newer than checksums have it. */
  readonly since?: number;
  /** Exists only for the type `T`; never set. */
  readonly value?: T;
}

/** Columns by their name in the program: `reporterId` is `reporter_id` in SQL. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row as an object, by column name. */
export type RowOf<C extends Columns> = { readonly [N in keyof C]: C[N] extends Column<infer T> ? T : never };

/** A value of a row as the program sees it. */
export type Cell = string | number | boolean | null;

export const hex = (bytes: number): Column<string> => ({ type: 'bytes', nullable: false, bytes });
/** A whole number up to 2^53, such as milliseconds UTC. */
export const WHOLE: Column<number> = { type: 'whole', nullable: false };
export const FLAG: Column<boolean> = { type: 'flag', nullable: false };
export const REAL: Column<number> = { type: 'real', nullable: false };
export const TEXT: Column<string> = { type: 'text', nullable: false };
export const orNull = <T>(column: Column<T>): Column<T | null> => ({ ...column, nullable: true });
/** A column that a later version added to its table. It is nullable: NULL leaves checksums as they are. */
export const addedIn = <T>(since: number, column: Column<T>): Column<T | null> => ({ ...orNull(column), since });

/** Returns the name of a column in SQL. */
export function sqlName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the value to store. Hex text must have been validated. Throws TypeError for a missing value. */
export function toSql<T>({ type }: Column<T>, value: T): SqlValue {
  if (typeof value === 'string') return type === 'bytes' ? toBytes(value) : value;
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null) return null;
  throw new TypeError(`a column expected ${type}, got ${typeof value}`);
}

/** Converts a stored value for the program. Throws StoreDamagedError if the value has another type. */
export function fromSql({ type, nullable }: Column<unknown>, value: SqlValue | undefined): Cell {
  if (type === 'bytes' && value instanceof Uint8Array) return toHex(value);
  if (type === 'text' && typeof value === 'string') return value;
  if (typeof value === 'number' && type !== 'bytes' && type !== 'text') return type === 'flag' ? value === 1 : value;
  if (value === null && nullable) return null;
  throw new StoreDamagedError(`a stored value has the wrong type, expected ${type}`);
}

const DIGITS = '0123456789abcdef';
// The character codes of a byte's two hex digits.
const HIGH = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >> 4));
const LOW = Uint8Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15));

/** Returns the bytes of lowercase hex text of even length, which must have been validated. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const high = text.charCodeAt(2 * at);
    const low = text.charCodeAt(2 * at + 1);
    bytes[at] = (high <= 57 ? high - 48 : high - 87) * 16 + (low <= 57 ? low - 48 : low - 87);
  }
  return bytes;
}

/** Returns lowercase hex text. */
export function toHex(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (const byte of bytes) codes.push(HIGH[byte] ?? 0, LOW[byte] ?? 0);
  // Build one flat string: V8 keeps concatenated pieces as a tree, which costs garbage collection.
  return String.fromCharCode(...codes);
}

// The checksum of a row is the sum of one part per column, modulo 2^32 and signed. SQLite stores it in four bytes, and
// V8 needs no allocation. The part of a column is MurmurHash3 (x86, 32 bit) of its value, with the column's own seed.
//
// A change within one 32-bit word of one column is always detected. Any other change is missed with a probability of 1
// in 2^32.
//
// Because the checksum is a sum, a statement that changes one column adds the difference of that part, and reads no
// other column. So concurrent changes of different columns do not conflict. A row that is damaged elsewhere stays
// damaged.

/** In an UPDATE: adds its parameter, a {@link difference}, to the row's checksum. */
export const CHECKSUM_CHANGED = 'checksum = ((checksum + ?) & 4294967295) - 2147483648';

/** Returns the seed of a column, given by its SQL name. It depends on names only: a version may reorder columns. */
export function seedOf(table: string, column: string): number {
  return partOf(0, `${table}.${column}`);
}

/** Returns the sum of the parts of these values, plus `known`. Values after the last seed are ignored. */
export function checksumOf(seeds: readonly number[], values: SqlRow, known = 0): number {
  let sum = known;
  for (let at = 0; at < seeds.length; at++) sum += partOf(seeds[at]!, values[at]);
  return sum | 0;
}

/**
 * Returns the parameter of {@link CHECKSUM_CHANGED} for changed columns. Each is given by its seed, old value and new
 * value.
 */
export function difference(changes: readonly (readonly [seed: number, from: SqlValue, to: SqlValue])[]): number {
  let sum = 0;
  for (const [seed, from, to] of changes) sum += partOf(seed, to) - partOf(seed, from);
  // The statement subtracts 2^31 after its modulus, so add it here. SQL's modulus then never gets a negative number.
  return (sum + 2 ** 31) >>> 0;
}

/**
 * Returns the part of a value. A number is two words. Bytes are four to a word. Text is one word per UTF-16 unit. NULL
 * has the part 0.
 *
 * Values that no column holds share a special part: a fraction, a number past 2^53, fewer than four bytes. Otherwise,
 * such bytes would equal the text with the same words: in SQLite, one flipped bit turns text into bytes.
 */
export function partOf(seed: number, value: SqlValue | undefined): number {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) return end(seed, -1);
    return end(fold(fold(seed, value | 0), Math.floor(value / 4_294_967_296)), 8);
  }
  if (value === null) return 0;
  let sum = seed;
  if (typeof value === 'string') {
    // When SQLite for WebAssembly reads text, it drops a byte order mark at the beginning. So ignore it.
    let start = 0;
    while (value.charCodeAt(start) === 0xfeff) start++;
    for (let at = start; at < value.length; at++) sum = fold(sum, value.charCodeAt(at));
    return end(sum, value.length - start);
  }
  if (!(value instanceof Uint8Array) || value.length < 4) return end(seed, -1);
  const whole = value.length & ~3;
  for (let at = 0; at < whole; at += 4)
    sum = fold(sum, value[at]! | (value[at + 1]! << 8) | (value[at + 2]! << 16) | (value[at + 3]! << 24));
  for (let at = whole; at < value.length; at++) sum = fold(sum, value[at]!);
  return end(sum, value.length);
}

/** One round of MurmurHash3. It is one-to-one in the sum and in the word. */
function fold(sum: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = sum ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** The final mix of MurmurHash3. It is one-to-one. */
function end(sum: number, length: number): number {
  let h = sum ^ length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
