import { concatBytes } from '@noble/hashes/utils.js';
import { HASHES } from '../byte-hashes.ts';

/** Bytes of one output of {@link expandMessage}: what ristretto255 and its scalars take (RFC 9497, section 4.1). */
export const UNIFORM_BYTES = 64;
/** Bytes of a block of SHA-512. */
const BLOCK_BYTES = 128;

/**
 * Returns 64 uniform bytes of a message and a domain separation tag of at most 255 bytes: `expand_message_xmd` with
 * SHA-512 (RFC 9380, section 5.3.1). 64 bytes are one block of output, so `ell` is 1.
 */
export function expandMessage(message: Uint8Array, tag: Uint8Array): Uint8Array {
  const tagAndLength = joinBytes([tag, Uint8Array.of(tag.length)]);
  const head = [new Uint8Array(BLOCK_BYTES), message, Uint8Array.of(0, UNIFORM_BYTES, 0), tagAndLength];
  return HASHES.sha512(joinBytes([HASHES.sha512(joinBytes(head)), Uint8Array.of(1), tagAndLength]));
}

/** Returns the parts, one after the other. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...parts);
}

/** Returns each part after its length in two bytes, big-endian (the transcripts of RFC 9497, section 2.2). */
export function withLengths(parts: readonly Uint8Array[]): Uint8Array {
  return joinBytes(parts.flatMap((part) => [twoBytes(part.length), part]));
}

/** Returns a number from 0 to 65,535 in two bytes, big-endian. */
export function twoBytes(value: number): Uint8Array {
  return Uint8Array.of(value >> 8, value & 0xff);
}

/** Returns the bytes of an ASCII text. */
export function toAscii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
