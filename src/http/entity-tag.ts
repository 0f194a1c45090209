import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const TAG_BYTES = 16;

/** The entity tag of a body: the same text gives the same tag on every machine, so several servers behind one address agree. */
export function entityTagOf(body: string): string {
  return `"${bytesToHex(sha256(utf8ToBytes(body)).subarray(0, TAG_BYTES))}"`;
}

/** True when an If-None-Match header names the tag: a list, weak or strong (RFC 9110, section 13.1.2), or `*`. */
export function namesEntityTag(ifNoneMatch: string | undefined, entityTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim();
    return candidate === '*' || candidate.replace(/^W\//, '') === entityTag;
  });
}
