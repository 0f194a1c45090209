import type { Hasher } from './hasher.ts';
import { assertRounds } from './rounds.ts';

/**
 * The chain written as the definition reads (spec 2.3, step 4; SHA-1 by FIPS 180-4). It is the reference that the fast
 * modules are compared with, and what runs where WebAssembly is forbidden.
 */
export function createPlainHasher(): Hasher {
  return { name: 'plain', hash: hashPlainly };
}

const BLOCK_BYTES = 64;
const HEX_BYTES = 40;
/** The 0x80 that ends a message and the 64-bit length after it. */
const LEAST_PADDING_BYTES = 9;
const HEX_DIGITS = new TextEncoder().encode('0123456789abcdef');

function hashPlainly(value: Uint8Array, prefix: Uint8Array, rounds: number): string {
  assertRounds(rounds);
  const state = new Int32Array(5);
  const schedule = new Int32Array(80);
  const first = padded(prefix, value.length);
  const later = padded(prefix, HEX_BYTES);
  try {
    first.set(value, prefix.length);
    digest(first, state, schedule);
    // The value is always 40 digits from here on, so one padded message serves every round.
    const message = new DataView(later.buffer);
    for (let round = 1; round < rounds; round++) {
      writeHex(state, later, prefix.length);
      digestWords(message, state, schedule);
    }
    writeHex(state, later, prefix.length);
    return String.fromCharCode(...later.subarray(prefix.length, prefix.length + HEX_BYTES));
  } finally {
    for (const secret of [first, later, state, schedule]) secret.fill(0);
  }
}

/** The padded message (FIPS 180-4, 5.1.1) of the prefix and `valueBytes` bytes that are still zero. */
function padded(prefix: Uint8Array, valueBytes: number): Uint8Array<ArrayBuffer> {
  const messageBytes = prefix.length + valueBytes;
  const bytes = new Uint8Array(Math.ceil((messageBytes + LEAST_PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.set(prefix);
  bytes[messageBytes] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(messageBytes) * 8n);
  return bytes;
}

function digest(bytes: Uint8Array<ArrayBuffer>, state: Int32Array, schedule: Int32Array): void {
  digestWords(new DataView(bytes.buffer), state, schedule);
}

/** SHA-1 of a padded message into `state` (FIPS 180-4, 6.1.2). */
function digestWords(message: DataView, state: Int32Array, schedule: Int32Array): void {
  let h0 = 0x67452301 | 0;
  let h1 = 0xefcdab89 | 0;
  let h2 = 0x98badcfe | 0;
  let h3 = 0x10325476 | 0;
  let h4 = 0xc3d2e1f0 | 0;
  for (let block = 0; block < message.byteLength; block += BLOCK_BYTES) {
    for (let t = 0; t < 16; t++) schedule[t] = message.getInt32(block + t * 4);
    for (let t = 16; t < 80; t++) {
      const word = schedule[t - 3]! ^ schedule[t - 8]! ^ schedule[t - 14]! ^ schedule[t - 16]!;
      schedule[t] = (word << 1) | (word >>> 31);
    }

    let a = h0;
    let b = h1;
    let c = h2;
    let d = h3;
    let e = h4;
    for (let t = 0; t < 80; t++) {
      const mixed =
        t < 20 ? (d ^ (b & (c ^ d))) + 0x5a827999
        : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
        : t < 60 ? ((b & c) | (d & (b | c))) + 0x8f1bbcdc
        : (b ^ c ^ d) + 0xca62c1d6;
      const next = (((a << 5) | (a >>> 27)) + mixed + e + schedule[t]!) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
  }
  state[0] = h0;
  state[1] = h1;
  state[2] = h2;
  state[3] = h3;
  state[4] = h4;
}

/** Writes the digest as 40 lowercase hex digits into `bytes` from `at`. */
function writeHex(state: Int32Array, bytes: Uint8Array, at: number): void {
  for (let digit = 0; digit < HEX_BYTES; digit++) {
    bytes[at + digit] = HEX_DIGITS[(state[digit >>> 3]! >>> (28 - (digit & 7) * 4)) & 15]!;
  }
}
