/**
 * The chain (spec 2.3, step 4), one value at a time. For the first round the host calls `begin`, `absorb` for the prefix and
 * for the value, `finish`, and reads the digest's five words at `STATE`. For the others it calls `begin`, `absorb` for the
 * prefix, `endPrefix`, writes a digest into `STATE`, calls `advance`, and reads it there. At the end of either, `wipe`.
 */
import { compress } from './block';
import { fillHexTables, writeHex } from './hex';
import { BLOCK, PREFIX_STATE, SECRETS, SECRETS_END, STATE, TAIL } from './memory';
import { filledBytes, forgetLength, toWords, totalBytes } from './message';

export { INPUT, INPUT_BYTES, STATE } from './memory';
export { absorb, begin, finish } from './message';

/** Where in `TAIL` the word with the first hex digit is, and how many bits into it they start (0, 8, 16 or 24). */
export let hexAt: usize = TAIL;
export let hexBits: u32 = 0;
/** What else stands in the first and the last word that hold hex digits. */
export let beforeHex: u32 = 0;
export let afterHex: u32 = 0;
/** True when the rest of the prefix, 40 digits and the padding do not fit one block: 16 to 63 bytes of rest. */
export let twoBlocks: bool = false;

fillHexTables();

/**
 * Remembers the message so far as the prefix. From the second round on a message is prefix + 40 hex digits, whatever the
 * value was, so its whole blocks are taken in once, here, and the rest is laid out with its padding: a round then writes
 * the digits and compresses one block (two when the rest is longer than 15 bytes).
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

/** `rounds` more rounds on the digest in `STATE`. Called in slices: V8 does not replace the baseline code of a running call. */
export function advance(rounds: u32): void {
  for (; rounds > 0; rounds--) {
    writeHex(hexAt, hexBits, beforeHex, afterHex);
    compress(TAIL, PREFIX_STATE);
    if (twoBlocks) compress(TAIL + 64, STATE);
  }
}

/** Zeroes everything that told something of the value. */
export function wipe(): void {
  memory.fill(SECRETS, 0, SECRETS_END - SECRETS);
  forgetLength();
  beforeHex = 0;
  afterHex = 0;
}
