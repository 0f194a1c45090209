/**
 * The chain (protocol 2.3, step 4), one value at a time.
 *
 * First round: the host calls `begin`, `absorb` for the prefix and for the value, and `finish`; then it reads the five
 * words of the digest at `STATE`. Later rounds: it calls `begin`, `absorb` for the prefix and `endPrefix`, writes a
 * digest to `STATE`, calls `advance`, and reads the new digest there. In both cases it calls `wipe` at the end.
 */
import { compress } from './block';
import { fillHexTables, writeHex } from './hex';
import { BLOCK, PREFIX_STATE, SECRETS, SECRETS_END, STATE, TAIL } from './memory';
import { filledBytes, forgetLength, toWords, totalBytes } from './message';

export { INPUT, INPUT_BYTES, STATE } from './memory';
export { absorb, begin, finish } from './message';

/**
 * Address in `TAIL` of the word with the first hex digit, and the bit in it at which the digits start (0, 8, 16 or 24).
 */
export let hexAt: usize = TAIL;
export let hexBits: u32 = 0;
/** The other bits of the first and the last word that hold hex digits. */
export let beforeHex: u32 = 0;
export let afterHex: u32 = 0;
/** True when the rest of the prefix, 40 digits and the padding need two blocks: a rest of 16 to 63 bytes. */
export let twoBlocks: bool = false;

fillHexTables();

/**
 * Keeps the message so far as the prefix. From the second round on, each message is the prefix and 40 hex digits. So
 * the whole blocks of the prefix are compressed here, once, and the rest is laid out with its padding. A round then
 * writes the digits and compresses one block, or two if the rest is longer than 15 bytes.
 */
export function endPrefix(): void {
  const rest = filledBytes();
  memory.copy(PREFIX_STATE, STATE, 20);

  twoBlocks = rest > 15;
  memory.fill(TAIL, 0, 128);
  memory.copy(TAIL, BLOCK, rest);
  store<u8>(TAIL + rest + 40, 0x80);
  store<u64>(TAIL + (twoBlocks ? 120 : 56), bswap<u64>((totalBytes() + 40) << 3));
  toWords(TAIL, 32);

  hexAt = TAIL + (rest & ~3);
  hexBits = (rest & 3) << 3;
  beforeHex = load<u32>(hexAt);
  afterHex = load<u32>(hexAt, 40);
}

/**
 * `rounds` more rounds on the digest in `STATE`. The host calls it in slices, because V8 replaces code only between
 * calls.
 */
export function advance(rounds: u32): void {
  for (; rounds > 0; rounds--) {
    writeHex(hexAt, hexBits, beforeHex, afterHex);
    compress(TAIL, PREFIX_STATE);
    if (twoBlocks) compress(TAIL + 64, STATE);
  }
}

/** Zeroes all memory and variables that depend on the value. */
export function wipe(): void {
  memory.fill(SECRETS, 0, SECRETS_END - SECRETS);
  forgetLength();
  beforeHex = 0;
  afterHex = 0;
}
