import { HASHES, type ByteHashes } from '../crypto/byte-hashes.ts';
import { toHex } from './encoding.ts';
import { SealedFormatError } from './errors.ts';

/** Returns the SHA-256 in lowercase hex: what a manifest states for a snapshot, index, reporters' table or delta. */
export function checksum(bytes: Uint8Array, hashes: ByteHashes = HASHES): string {
  return toHex(hashes.sha256(bytes));
}

/** Throws `wrong-checksum` unless the bytes have this checksum. `what` names them in the message, e.g. `snapshot`. */
export function requireChecksum(bytes: Uint8Array, expected: string, what: string, hashes?: ByteHashes): void {
  if (checksum(bytes, hashes) !== expected)
    throw new SealedFormatError('wrong-checksum', `the ${what} has another SHA-256 than stated; fetch it again`);
}
