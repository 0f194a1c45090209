import { md5 as digest } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** MD5 as 32 lowercase hex characters, only to recognise what a client computed by mistake. */
export function md5(message: Uint8Array): string {
  return bytesToHex(digest(message));
}
