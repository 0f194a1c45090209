import type { MistakeCode } from './mistakes.ts';

/** What a client sent, read kindly. */
export interface SentHash {
  /** Mistakes of writing, in the order in which they are mended. */
  readonly codes: readonly MistakeCode[];
  /** Lowercase hex of any length; undefined when what was sent holds none. */
  readonly hex: string | undefined;
}

/** What a length in hex digits speaks for. 40 is right, and is not here. */
const BY_LENGTH: Readonly<Record<number, MistakeCode>> = {
  32: 'looks-like-md5',
  56: 'looks-like-sha-224',
  64: 'looks-like-sha-256',
  96: 'looks-like-sha-384',
  128: 'looks-like-sha-512',
};
/** Bytes of the digests that base64 may hold. */
const DIGEST_BYTES: readonly number[] = [16, 20, 28, 32, 48, 64];

/** Finds the hex digits in what was sent: below other characters, in upper case, in base64. */
export function readSentHash(sent: string): SentHash {
  if (sent.trim() === '') return { codes: ['hash-empty'], hex: undefined };
  if (/^[0-9a-f]+$/i.test(sent)) return lowered(sent, []);
  const inside = /^[^]{0,80}?(?<![0-9a-z])(?:0x)?([0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{64})(?![0-9a-z])[^]{0,80}$/i.exec(
    sent,
  )?.[1];
  if (inside !== undefined) return lowered(inside, ['characters-around-hash']);
  const decoded = fromBase64(sent.trim());
  if (decoded !== undefined) return lowered(decoded, ['hash-in-base64']);
  return { codes: ['not-a-hash'], hex: undefined };
}

/** The mistake of a number of hex digits other than 40. */
export function mistakeOfLength(hexDigits: number): MistakeCode {
  return BY_LENGTH[hexDigits] ?? 'not-a-hash';
}

function lowered(hex: string, codes: readonly MistakeCode[]): SentHash {
  const lower = hex.toLowerCase();
  return { codes: lower === hex ? codes : [...codes, 'hash-in-upper-case'], hex: lower };
}

/** The hex of a digest that is written in base64, of its bytes or of its hex digits. */
function fromBase64(text: string): string | undefined {
  if (!/^[\w+/-]{22,}={0,2}$/.test(text)) return undefined;
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    if (/^[0-9a-f]{32,}$/i.test(bytes)) return bytes;
    if (!DIGEST_BYTES.includes(bytes.length)) return undefined;
    return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return undefined;
  }
}
