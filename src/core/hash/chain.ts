import { WORK_A_TURN } from './event-loop.ts';
import { assertWhole, DIGEST_WORDS, type Hasher } from './hasher.ts';

/** Parameters of a chain (protocol 2.3, step 4; protocol 8). */
export interface ChainParameters {
  /** Bytes before the value in every round (UTF-8), of any length. */
  readonly prefix: Uint8Array;
  /** A whole number of at least 1. */
  readonly rounds: number;
}

/** Returns well-formed text as UTF-8. jsdom has no TextEncoder. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (typeof TextEncoder === 'function') return new TextEncoder().encode(text);
  const bytes = encodeURIComponent(text).match(/%..|./g) ?? [];
  return Uint8Array.from(bytes, (byte) =>
    byte.length === 1 ? byte.charCodeAt(0) : Number.parseInt(byte.slice(1), 16),
  );
}

/**
 * Runs the chain of each value. Returns 40 lowercase hex characters for each, in order. Yields every few milliseconds,
 * so that the caller can run the event loop. Each yield gives the number of rounds since the last one; parallel chains
 * count once. At the end, the hasher's memory holds no part of a value.
 *
 * The first `next` throws TypeError unless `rounds` is a number, and RangeError unless it is whole and at least 1.
 */
export function* runChains(
  hasher: Hasher,
  values: readonly string[],
  { prefix, rounds }: ChainParameters,
): Generator<number, string[]> {
  assertWhole('rounds', rounds, 1);
  const hashes: string[] = [];
  while (hashes.length < values.length) {
    const pass = values.slice(hashes.length, hashes.length + hasher.nextPass(values.length - hashes.length));
    const digests = new Uint32Array(pass.length * DIGEST_WORDS);
    try {
      let at = 0;
      for (const value of pass) {
        yield digestInto(digests, at, hasher, value, prefix);
        at += DIGEST_WORDS;
      }
      for (let left = rounds - 1; left > 0; left -= WORK_A_TURN) {
        const slice = Math.min(left, WORK_A_TURN);
        hasher.advance(digests, prefix, slice);
        yield slice;
      }
      for (at = 0; at < digests.length; at += DIGEST_WORDS) hashes.push(toHex(digests, at));
    } finally {
      digests.fill(0);
    }
  }
  return hashes;
}

/** {@link runChains} for one value, without yields. */
export function runChain(hasher: Hasher, value: string, { prefix, rounds }: ChainParameters): string {
  assertWhole('rounds', rounds, 1);
  const digests = new Uint32Array(DIGEST_WORDS);
  try {
    digestInto(digests, 0, hasher, value, prefix);
    hasher.advance(digests, prefix, rounds - 1);
    return toHex(digests, 0);
  } finally {
    digests.fill(0);
  }
}

/** Runs the first round of a chain. Returns the cost in rounds: each block of a long value costs about one round. */
function digestInto(digests: Uint32Array, at: number, hasher: Hasher, value: string, prefix: Uint8Array): number {
  const bytes = encodeUtf8(value);
  try {
    hasher.digest(prefix, bytes, digests, at);
  } finally {
    // Erase this copy of the value. The caller's string cannot be erased.
    bytes.fill(0);
  }
  return 1 + (bytes.length >>> 6);
}

/** Returns the five words that begin at `at` as 40 lowercase hex digits. */
export function toHex(digests: Uint32Array, at: number): string {
  let hex = '';
  for (const word of digests.subarray(at, at + DIGEST_WORDS)) hex += word.toString(16).padStart(8, '0');
  return hex;
}
