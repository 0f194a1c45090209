import { HASHES, type ByteHashes } from './byte-hashes.ts';
import { toHex } from './encoding.ts';
import { SealedFormatError } from './errors.ts';

/** Returns the SHA-256 in lowercase hex: what a manifest states for a snapshot, reporters' table or delta. */
export function checksum(bytes: Uint8Array, hashes: ByteHashes = HASHES): string {
  return toHex(hashes.sha256(bytes));
}

const NAMES = { snapshot: 'snapshot', reporters: "reporters' table", delta: 'delta' };

/** Throws `wrong-snapshot`, `wrong-delta` and so on, by `what`, unless the bytes have this checksum. */
export function requireChecksum(
  bytes: Uint8Array,
  expected: string,
  what: keyof typeof NAMES,
  hashes?: ByteHashes,
): void {
  if (checksum(bytes, hashes) !== expected)
    throw new SealedFormatError(`wrong-${what}`, `the ${NAMES[what]} has another SHA-256 than stated; fetch it again`);
}
