import { compress } from './block';
import { BLOCK, INPUT, STATE } from './memory';

/** Bytes waiting in `BLOCK`, 0 to 63. */
let filled: u32 = 0;
/** Bytes of the message so far. */
let total: u64 = 0;

export function filledBytes(): u32 {
  return filled;
}

export function totalBytes(): u64 {
  return total;
}

/** Erases the length, which also depends on the value. */
export function forgetLength(): void {
  filled = 0;
  total = 0;
}

/** Starts a message: the initial state of FIPS 180-4, 5.3.1. */
export function begin(): void {
  store<u32>(STATE, 0x67452301);
  store<u32>(STATE, 0xefcdab89, 4);
  store<u32>(STATE, 0x98badcfe, 8);
  store<u32>(STATE, 0x10325476, 12);
  store<u32>(STATE, 0xc3d2e1f0, 16);
  forgetLength();
}

/** Adds the first `bytes` bytes of `INPUT` to the message. The host calls it for each part of a long message. */
export function absorb(bytes: u32): void {
  total += bytes;
  let at: u32 = 0;
  while (at < bytes) {
    const taken = min(64 - filled, bytes - at);
    memory.copy(BLOCK + filled, INPUT + at, taken);
    filled += taken;
    at += taken;
    if (filled == 64) {
      compressBlock();
      filled = 0;
    }
  }
}

/** Pads the message (FIPS 180-4, 5.1.1) and writes the digest to `STATE`. */
export function finish(): void {
  store<u8>(BLOCK + filled, 0x80);
  memory.fill(BLOCK + filled + 1, 0, 63 - filled);
  if (filled >= 56) {
    compressBlock();
    memory.fill(BLOCK, 0, 56);
  }
  store<u64>(BLOCK, bswap<u64>(total << 3), 56);
  compressBlock();
}

/** Converts `count` big-endian words at `at` to the machine's byte order, in place. */
export function toWords(at: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const word = at + (i << 2);
    store<u32>(word, bswap<u32>(load<u32>(word)));
  }
}

function compressBlock(): void {
  toWords(BLOCK, 16);
  compress(BLOCK, STATE);
}
