import { PAIR, PAIR_HIGH, STATE } from './memory';

/** Fills the two tables. Runs once, when the module is instantiated. */
export function fillHexTables(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    const pair = (digit(byte >> 4) << 8) | digit(byte & 15);
    store<u32>(PAIR + (byte << 2), pair);
    store<u32>(PAIR_HIGH + (byte << 2), pair << 16);
  }
}

function digit(nibble: u32): u32 {
  return nibble < 10 ? 0x30 + nibble : 0x61 + nibble - 10;
}

/** The four hex digits of the upper half of a digest word, as one big-endian message word. */
// @ts-ignore: decorator
@inline
export function upper(word: u32): u32 {
  return load<u32>(PAIR_HIGH + ((word >> 24) << 2)) | load<u32>(PAIR + (((word >> 16) & 255) << 2));
}

/** The four hex digits of the lower half, in the same form. */
// @ts-ignore: decorator
@inline
export function lower(word: u32): u32 {
  return load<u32>(PAIR_HIGH + (((word >> 8) & 255) << 2)) | load<u32>(PAIR + ((word & 255) << 2));
}

/**
 * Writes the digest in `STATE` as 40 hex digits to the message words from `at`. The digits begin at bit `bits` (0, 8,
 * 16 or 24) of the first word. `first` holds the other bits of the first word, the end of the prefix. `last` holds
 * those of the eleventh word, the start of the padding.
 */
export function writeHex(at: usize, bits: u32, first: u32, last: u32): void {
  let carry = first;
  for (let i: usize = 0; i < 5; i++) {
    const word = load<u32>(STATE + (i << 2));
    const high = upper(word);
    const low = lower(word);
    store<u32>(at + (i << 3), carry | (high >> bits));
    store<u32>(at + (i << 3), carried(high, bits) | (low >> bits), 4);
    carry = carried(low, bits);
  }
  store<u32>(at, carry | last, 40);
}

/** The bits of a word that belong to the next one. Two steps, because a shift by 32 is a shift by 0. */
// @ts-ignore: decorator
@inline
function carried(word: u32, bits: u32): u32 {
  return (word << (31 - bits)) << 1;
}
