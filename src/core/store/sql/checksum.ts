import type { SqlRow, SqlValue } from './statement.ts';

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
