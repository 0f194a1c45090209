import type { MistakeCode } from './mistakes.ts';

/** The hex digits found in the text that a client sent. */
export interface SentHash {
  /** Mistakes in the form of the hash, in the order of their correction. */
  readonly codes: readonly MistakeCode[];
  /** Lowercase hex of any length; undefined if the text holds no digits. */
  readonly hex: string | undefined;
}

/** The likely mistake for each wrong number of hex digits. */
const BY_LENGTH: Readonly<Record<number, MistakeCode>> = {
  32: 'looks-like-md5',
  56: 'looks-like-sha-224',
  64: 'looks-like-sha-256',
  96: 'looks-like-sha-384',
  128: 'looks-like-sha-512',
};
/** Lengths in bytes of the digests that base64 may hold. */
const DIGEST_BYTES: readonly number[] = [16, 20, 28, 32, 48, 64];

/** Finds the hex digits in the sent text. Also finds digits among other characters, in upper case or in base64. */
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

/** Returns the mistake for a number of hex digits other than 40. */
export function mistakeOfLength(hexDigits: number): MistakeCode {
  return BY_LENGTH[hexDigits] ?? 'not-a-hash';
}

function lowered(hex: string, codes: readonly MistakeCode[]): SentHash {
  const lower = hex.toLowerCase();
  return { codes: lower === hex ? codes : [...codes, 'hash-in-upper-case'], hex: lower };
}

/** Decodes a digest in base64 to hex digits. The base64 may hold the digest's bytes or its hex digits. */
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
