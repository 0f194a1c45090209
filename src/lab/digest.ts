import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isHash, type Identifier } from '../domain/identifier.ts';

/**
 * An identifier as the lab takes it: 40 lowercase hex characters as they are, anything else by one SHA-1 of kind and text. The chain would make the same
 * matches and a million times the work. Not for anything that leaves the lab.
 */
export function toLabIdentifier(kind: string, value: string): Identifier {
  return { kind, hash: isHash(value) ? value : bytesToHex(sha1(utf8ToBytes(`${kind}\n${value}`))) };
}
