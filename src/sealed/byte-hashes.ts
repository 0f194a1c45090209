import { toHex } from './encoding.ts';
import { SealedError } from './errors.ts';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import type { NodeCrypto } from '../core/crypto/crypto.ts';

/** Hashes of bytes. Every implementation returns the same values. */
export interface ByteHashes {
  /** Returns the SHA-256: 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** Returns the first `length` bytes of the SHA-512: 0 to 64, by default all. */
  sha512(bytes: Uint8Array, length?: number): Uint8Array;
}

/** Runs everywhere. */
export const PORTABLE_HASHES: ByteHashes = {
  sha256: (bytes) => sha256(bytes),
  sha512: (bytes, length) => sha512(bytes).slice(0, length),
};

/** Runs on OpenSSL. */
export function nativeHashes({ createHash, hash }: NodeCrypto): ByteHashes {
  const digest = (name: 'sha256' | 'sha512', bytes: Uint8Array, length?: number): Uint8Array => {
    // A text of one character per byte takes half the time of a Buffer.
    const text = hash ? hash(name, bytes, 'binary') : createHash(name).update(bytes).digest('binary');
    const digested = new Uint8Array(length ?? text.length);
    for (let at = 0; at < digested.length; at++) digested[at] = text.charCodeAt(at);
    return digested;
  };
  return { sha256: (bytes) => digest('sha256', bytes), sha512: (bytes, length) => digest('sha512', bytes, length) };
}

function choose(): ByteHashes {
  // Do not import this module: browsers could not load the package.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto ? nativeHashes(crypto) : PORTABLE_HASHES;
}

/** The fastest implementation on this platform. */
export const HASHES: ByteHashes = /* @__PURE__ */ choose();

/** Returns the SHA-256 in lowercase hex. */
export function checksum(bytes: Uint8Array): string {
  return toHex(HASHES.sha256(bytes));
}

/** Throws `wrong-snapshot` unless the bytes have this checksum. */
export function requireChecksum(bytes: Uint8Array, expected: string): void {
  if (checksum(bytes) !== expected)
    throw new SealedError('wrong-snapshot', 'the snapshot has another SHA-256 than stated; fetch it again');
}
