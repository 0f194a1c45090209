import { StoreDamagedError } from '../store.ts';

const DIGITS = '0123456789abcdef';
// The character codes of a byte's two digits.
const HIGH = Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte >> 4));
const LOW = Array.from({ length: 256 }, (_, byte) => DIGITS.charCodeAt(byte & 15));

/** Lowercase hex text to the bytes that the database keeps. The text was proved to be hex of even length before. */
export function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = digit(hex.charCodeAt(2 * i)) * 16 + digit(hex.charCodeAt(2 * i + 1));
  return bytes;
}

/** A column's bytes to lowercase hex text. Throws StoreDamagedError for what is not bytes, as damage makes it of them. */
export function toHex(column: unknown): string {
  if (!(column instanceof Uint8Array)) throw new StoreDamagedError('a column of bytes has something else');
  const codes: number[] = [];
  for (const byte of column) codes.push(HIGH[byte]!, LOW[byte]!);
  // One flat string: pieces put together one by one stay a tree of pieces, which the garbage collector pays for.
  return String.fromCharCode(...codes);
}

function digit(charCode: number): number {
  return charCode <= 57 ? charCode - 48 : charCode - 87;
}
