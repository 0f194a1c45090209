import { md5 as md5Digest } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { encodeUtf8 } from '../../core/hash/chain.ts';
import { WORK_A_TURN } from '../../core/hash/event-loop.ts';
import { DIGEST_WORDS, type Hasher } from '../../core/hash/hasher.ts';
import type { ClientText } from './client-texts.ts';
import type { MistakeCode } from './mistakes.ts';
import { withoutTrailing } from '../../core/domain/text.ts';

/** A number of rounds that a client may have run. */
export interface Stop {
  readonly rounds: number;
  readonly codes: readonly MistakeCode[];
}

/** A chain that a client may have computed. */
export interface ClientChain {
  /** Mistakes in the chain; empty for the right chain. */
  readonly codes: readonly MistakeCode[];
  /**
   * Runs the chain on a text. Returns the first stop where the digest equals `digits`, if any. `stops` must be in
   * ascending order. Yields regularly, so that the caller can run the event loop. Each yield gives the rounds since the
   * last one.
   */
  run(hasher: Hasher, text: ClientText, stops: readonly Stop[], digits: string): Generator<number, Stop | undefined>;
}

/** Rounds between two yields of the slow chains in this file. */
const SLOW_SLICE_ROUNDS = 1_000;
/** Cost of one slow round, in rounds of a fast chain. */
const SLOW_ROUND_WEIGHT = WORK_A_TURN / SLOW_SLICE_ROUNDS;

/** Returns the defined chain with two prefixes: `first` for the first round, `later` for all others. */
export function chainWithPrefixes(codes: readonly MistakeCode[], first: string, later = first): ClientChain {
  return {
    codes,
    *run(hasher, { text, encode }, stops, digits) {
      const value = encode(text);
      const laterPrefix = encode(later);
      const sought = toWords(digits);
      const digest = new Uint32Array(DIGEST_WORDS);
      try {
        hasher.digest(encode(first), value, digest, 0);
        yield 1 + (value.length >>> 6);
        let done = 1;
        let unseen = 0;
        for (const stop of stops) {
          while (done < stop.rounds) {
            const slice = Math.min(stop.rounds - done, WORK_A_TURN);
            hasher.advance(digest, laterPrefix, slice);
            done += slice;
            unseen += slice;
            if (unseen < WORK_A_TURN) continue;
            yield unseen;
            unseen = 0;
          }
          if (sought.every((word, at) => word === digest[at])) return stop;
        }
        return undefined;
      } finally {
        value.fill(0);
        digest.fill(0);
      }
    },
  };
}

/** Differences of a client's round from the definition. */
interface Round {
  /** Encodes prefix and text; default: the text's own encoding. */
  readonly encode?: (text: string) => Uint8Array;
  /** Form of the digest in the next round; default: lowercase hex digits. */
  readonly link?: 'raw' | 'upper';
  /** Bytes after the value in every round. */
  readonly ending?: readonly number[];
  /** Bytes per hex digit; default: 1. */
  readonly digitBytes?: number;
  readonly prefixBehind?: boolean;
}

/** Returns a chain that differs from the definition in every round. It is about ten times slower. */
function slowChain(codes: readonly MistakeCode[], prefix: string, round: Round): ClientChain {
  return {
    codes,
    *run(hasher, client, stops, digits) {
      const { ending = [], link, digitBytes = 1, prefixBehind = false } = round;
      const encode = round.encode ?? client.encode;
      const prefixBytes = encode(prefix);
      const sought = toWords(digits);
      const digest = new Uint32Array(DIGEST_WORDS);
      const first = Uint8Array.from([...encode(client.text), ...ending]);
      const linkBytes = link === 'raw' ? DIGEST_WORDS * 4 : DIGEST_WORDS * 8 * digitBytes;
      const later = new Uint8Array(linkBytes + ending.length);
      later.set(ending, linkBytes);
      const hash = (value: Uint8Array): void =>
        prefixBehind ? hasher.digest(value, prefixBytes, digest, 0) : hasher.digest(prefixBytes, value, digest, 0);
      try {
        hash(first);
        yield SLOW_ROUND_WEIGHT + (first.length >>> 6);
        let done = 1;
        for (const stop of stops) {
          for (; done < stop.rounds; done++) {
            if (link === 'raw') writeRaw(digest, later);
            else writeDigits(digest, later, digitBytes, link === 'upper' ? 0x37 : 0x57);
            hash(later);
            if (done % SLOW_SLICE_ROUNDS === 0) yield WORK_A_TURN;
          }
          if (sought.every((word, at) => word === digest[at])) return stop;
        }
        return undefined;
      } finally {
        for (const secret of [first, later, digest]) secret.fill(0);
      }
    },
  };
}

function writeRaw(digest: Uint32Array, into: Uint8Array): void {
  for (let at = 0; at < DIGEST_WORDS * 4; at++) into[at] = digest[at >> 2]! >>> (24 - (at & 3) * 8);
}

/** Writes a digest as hex digits. `letterBase` is the character code of the digit 10, minus 10. */
function writeDigits(digest: Uint32Array, into: Uint8Array, digitBytes: number, letterBase: number): void {
  for (let at = 0; at < DIGEST_WORDS * 8; at++) {
    const digit = (digest[at >> 3]! >>> (28 - (at & 7) * 4)) & 15;
    into[at * digitBytes] = digit + (digit < 10 ? 0x30 : letterBase);
  }
}

/** Returns the MD5 as 32 lowercase hex characters, to recognise clients that use MD5 by mistake. */
export function md5(message: Uint8Array): string {
  return bytesToHex(md5Digest(message));
}

/** Returns a chain that uses MD5. Its `digits` are 32 hex digits. */
export function md5Chain(codes: readonly MistakeCode[], prefix: string): ClientChain {
  return {
    codes: ['md5', ...codes],
    *run(_hasher, { text, encode }, stops, digits) {
      const prefixBytes = encode(prefix);
      const hash = (value: Uint8Array): string => {
        const message = new Uint8Array(prefixBytes.length + value.length);
        message.set(prefixBytes);
        message.set(value, prefixBytes.length);
        const hex = md5(message);
        message.fill(0);
        value.fill(0);
        return hex;
      };
      let hex = hash(encode(text));
      let done = 1;
      yield SLOW_ROUND_WEIGHT + (text.length >>> 6);
      for (const stop of stops) {
        for (; done < stop.rounds; done++) {
          hex = hash(encodeUtf8(hex));
          if (done % SLOW_SLICE_ROUNDS === 0) yield WORK_A_TURN;
        }
        if (hex === digits) return stop;
      }
      return undefined;
    },
  };
}

/** Returns the chains of clients with a wrong prefix, without duplicates. */
export function chainsWithOtherPrefixes(prefix: string, defaultPrefix: string): ClientChain[] {
  // If the right prefix is empty, the client can only use the default prefix by mistake.
  if (prefix === '') return defaultPrefix === '' ? [] : [chainWithPrefixes(['default-prefix'], defaultPrefix)];
  const bare = withoutTrailing(prefix, '-_\u2010\u2011\u2012\u2013\u2014\u2015');
  const trimmed = prefix.trim();
  const inOtherCase = [prefix.toUpperCase(), prefix.toLowerCase(), prefix.charAt(0).toUpperCase() + prefix.slice(1)];
  const others: (readonly [MistakeCode, string])[] = [
    ['no-prefix', ''],
    ['prefix-without-hyphen', bare],
    ['default-prefix', defaultPrefix],
    ...['\n', '\r\n', ' ', '\t'].map((end) => ['prefix-with-white-space', prefix + end] as const),
    ['prefix-with-white-space', ` ${prefix}`],
    ['prefix-without-white-space', trimmed],
    ['prefix-without-white-space', prefix.trimEnd()],
    ['prefix-with-hyphen', `${prefix}-`],
    ['prefix-with-underscore', `${bare}_`],
    ...inOtherCase.map((other) => ['prefix-in-other-case', other] as const),
  ];
  const seen = new Set([prefix]);
  const chains = others
    .filter(([, other]) => !seen.has(other) && seen.add(other))
    .map(([code, other]) => chainWithPrefixes([code], other));
  return [
    ...chains,
    chainWithPrefixes(['prefix-in-first-round-only'], prefix, ''),
    chainWithPrefixes(['prefix-missing-in-first-round'], '', prefix),
  ];
}

/**
 * Returns the chains with a mistake in every round. Each mistake except `prefix-behind-value` also occurs without the
 * prefix.
 */
export function slowChains(prefix: string): ClientChain[] {
  const rounds: (readonly [MistakeCode, Round])[] = [
    ['raw-bytes-between-rounds', { link: 'raw' }],
    ['upper-case-between-rounds', { link: 'upper' }],
    ['newline-in-every-round', { ending: [10] }],
    ['utf-16', { encode: encodeUtf16, digitBytes: 2 }],
  ];
  const chains = rounds.map(([code, round]) => slowChain([code], prefix, round));
  if (prefix === '') return chains;
  return [
    ...chains,
    slowChain(['prefix-behind-value'], prefix, { prefixBehind: true }),
    ...rounds.map(([code, round]) => slowChain([code, 'no-prefix'], '', round)),
  ];
}

/** Little-endian without a byte order mark: the native encoding of strings in .NET and Windows. */
function encodeUtf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), true);
  return bytes;
}

function toWords(digits: string): number[] {
  return Array.from({ length: DIGEST_WORDS }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16));
}
