const DIGITS = '0123456789abcdef';
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => DIGITS[byte >> 4]! + DIGITS[byte & 15]!);

/** Lowercase hex text to the bytes that the database keeps. The text was proved to be hex of even length before. */
export function toBytes(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = digit(hex.charCodeAt(2 * i)) * 16 + digit(hex.charCodeAt(2 * i + 1));
  return bytes;
}

/** A column's bytes to lowercase hex text. */
export function toHex(column: unknown): string {
  let hex = '';
  for (const byte of column as Uint8Array) hex += PAIRS[byte];
  return hex;
}

function digit(charCode: number): number {
  return charCode <= 57 ? charCode - 48 : charCode - 87;
}
