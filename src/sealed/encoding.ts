import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { isHash } from '../core/domain/identifier.ts';
import { SealedError } from './errors.ts';

const BASE64URL = /^[A-Za-z0-9_-]*$/;
const HEX = /^(?:[0-9a-f]{2})*$/;

/** Returns base64url without padding (RFC 4648, section 5): 43 characters for an element, 86 for a proof. */
export function toBase64Url(bytes: Uint8Array): string {
  // No spread: a call has a bound of arguments, and a text from outside may be longer.
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Returns the bytes of base64url without padding. Undefined for any other text, and if the bits after the last byte
 * are not zero: each list of bytes has one text.
 */
export function fromBase64Url(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !BASE64URL.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64Url(bytes) === text ? bytes : undefined;
}

/** Returns the 32 bytes of base64url. Throws TypeError for any other value. */
export function read32(text: unknown): Uint8Array {
  const bytes = fromBase64Url(text);
  if (bytes?.length === 32) return bytes;
  throw new TypeError('expected 43 characters of base64url');
}

/** Returns lowercase hex. */
export const toHex: (bytes: Uint8Array) => string = bytesToHex;

/** Returns the bytes of lowercase hex; undefined for any other text. */
export function fromHex(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string' || !HEX.test(text)) return undefined;
  return hexToBytes(text);
}

/**
 * Returns the 20 bytes of an identifier's hash: the input of the VOPRF. Throws `SealedError` with `invalid-input`
 * unless the hash is 40 lowercase hex characters.
 */
export function toInput(hash: string): Uint8Array {
  if (!isHash(hash))
    throw new SealedError('invalid-input', 'a hash expected 40 lowercase hex characters, got another text');
  return fromHex(hash)!;
}
