import { assertWhole, DIGEST_WORDS, type Hasher } from './hasher.ts';

const BLOCK_BYTES = 64;
const HEX_BYTES = 40;
/** The byte 0x80 after the message, and the 64-bit length at the end of the last block. */
const MIN_PADDING_BYTES = 9;

/** Initial hash value (FIPS 180-4, 5.3.1). */
const INITIAL_STATE = /* @__PURE__ */ Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
/** Round constants (FIPS 180-4, 4.2.1) as signed 32-bit words. */
const K0 = 0x5a827999;
const K20 = 0x6ed9eba1;
const K40 = 0x8f1bbcdc | 0;
const K60 = 0xca62c1d6 | 0;

/**
 * Returns a hasher in plain TypeScript that follows the definition (protocol 2.3, step 4; SHA-1 by FIPS 180-4). It is
 * the reference for the fast hashers, and is used if WebAssembly is forbidden.
 */
export function createPlainHasher(): Hasher {
  // Captured, not passed as arguments: V8 then knows the lengths and reads the arrays faster.
  const state = new Int32Array(5);
  // 80 words and 16 unused ones: each round prepares the word that is needed 16 rounds later.
  const schedule = new Int32Array(96);
  /** The two hex digits of each byte value, in ASCII. The first digit is in bits 8 to 15. */
  const hexPairs = Int32Array.from({ length: 256 }, (_, byte) => {
    const digits = byte.toString(16).padStart(2, '0');
    return (digits.charCodeAt(0) << 8) | digits.charCodeAt(1);
  });

  /** Writes the SHA-1 of a padded message to `state` (FIPS 180-4, 6.1.2). */
  function digest(message: DataView): void {
    for (let i = 0; i < 5; i++) state[i] = INITIAL_STATE[i]!;
    for (let block = 0; block < message.byteLength; block += BLOCK_BYTES) {
      for (let t = 0; t < 16; t++) schedule[t] = message.getInt32(block + t * 4);
      compress();
    }
  }

  /** Returns word `t` of the schedule and prepares word `t + 16`. */
  function takeWord(t: number): number {
    const word = schedule[t]!;
    const due = word ^ schedule[t + 2]! ^ schedule[t + 8]! ^ schedule[t + 13]!;
    schedule[t + 16] = (due << 1) | (due >>> 31);
    return word;
  }

  /** Adds the block in the first 16 words of `schedule` to `state`. */
  function compress(): void {
    let a = state[0]!;
    let b = state[1]!;
    let c = state[2]!;
    let d = state[3]!;
    let e = state[4]!;
    let t = 0;
    // Convert each sum of two numbers to 32 bits. Otherwise V8 adds in floating point, at half the speed.
    for (; t < 20; t++) {
      const word = takeWord(t);
      const mixed = ((d ^ (b & (c ^ d))) + K0) | 0;
      const next = (((((a << 5) | (a >>> 27)) + mixed) | 0) + ((e + word) | 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; t < 40; t++) {
      const word = takeWord(t);
      const mixed = ((b ^ c ^ d) + K20) | 0;
      const next = (((((a << 5) | (a >>> 27)) + mixed) | 0) + ((e + word) | 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; t < 60; t++) {
      const word = takeWord(t);
      const mixed = (((b & c) | (d & (b | c))) + K40) | 0;
      const next = (((((a << 5) | (a >>> 27)) + mixed) | 0) + ((e + word) | 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    for (; t < 80; t++) {
      const word = takeWord(t);
      const mixed = ((b ^ c ^ d) + K60) | 0;
      const next = (((((a << 5) | (a >>> 27)) + mixed) | 0) + ((e + word) | 0)) | 0;
      e = d;
      d = c;
      c = (b << 30) | (b >>> 2);
      b = a;
      a = next;
    }
    state[0] = state[0]! + a;
    state[1] = state[1]! + b;
    state[2] = state[2]! + c;
    state[3] = state[3]! + d;
    state[4] = state[4]! + e;
  }

  /** Writes the digest as 40 lowercase hex digits into `message` from byte `at`. */
  function writeHex(message: DataView, at: number): void {
    for (let i = 0; i < 5; i++) {
      const word = state[i]!;
      message.setInt32(at + i * 8, (hexPairs[word >>> 24]! << 16) | hexPairs[(word >>> 16) & 255]!);
      message.setInt32(at + i * 8 + 4, (hexPairs[(word >>> 8) & 255]! << 16) | hexPairs[word & 255]!);
    }
  }

  return {
    name: 'plain',
    warmUp: () => undefined,
    nextPass: () => 1,

    digest(prefix, value, digests, at) {
      const message = padded(prefix, value.length);
      try {
        message.set(value, prefix.length);
        digest(new DataView(message.buffer));
        digests.set(state, at);
      } finally {
        wipe(message);
      }
    },

    advance(digests, prefix, rounds) {
      assertWhole('rounds', rounds, 0);
      // From the second round on, the value has 40 digits. So all rounds reuse one padded message.
      const message = padded(prefix, HEX_BYTES);
      const view = new DataView(message.buffer);
      try {
        for (let at = 0; at < digests.length; at += DIGEST_WORDS) {
          state.set(digests.subarray(at, at + DIGEST_WORDS));
          for (let round = 0; round < rounds; round++) {
            writeHex(view, prefix.length);
            digest(view);
          }
          digests.set(state, at);
        }
      } finally {
        wipe(message);
      }
    },
  };

  function wipe(message: Uint8Array): void {
    for (const secret of [message, state, schedule]) secret.fill(0);
  }
}

/** Returns the padded message (FIPS 180-4, 5.1.1) of the prefix and `valueBytes` zero bytes. */
function padded(prefix: Uint8Array, valueBytes: number): Uint8Array<ArrayBuffer> {
  const messageBytes = prefix.length + valueBytes;
  const bytes = new Uint8Array(Math.ceil((messageBytes + MIN_PADDING_BYTES) / BLOCK_BYTES) * BLOCK_BYTES);
  bytes.set(prefix);
  bytes[messageBytes] = 0x80;
  new DataView(bytes.buffer).setBigUint64(bytes.length - 8, BigInt(messageBytes) * 8n);
  return bytes;
}
