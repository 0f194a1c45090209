import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 and HMAC-SHA-256. Every implementation returns the same values. */
export interface Sha256 {
  /** Returns the SHA-256 of a text in UTF-8: 64 lowercase hex characters. */
  digest(text: string): string;
  /** Returns HMAC-SHA-256 under a key of any length. Prepares the key once. */
  keyed(key: string | Uint8Array): KeyedHash;
}

/** Returns the HMAC of a text in UTF-8, or of the bytes that lowercase hex spells: 64 lowercase hex characters. */
export type KeyedHash = (message: string, encoding?: 'utf8' | 'hex') => string;

/** Runs everywhere. About four times as slow as {@link nativeSha256}. */
export const PORTABLE_SHA256: Sha256 = {
  digest: (text) => bytesToHex(sha256(utf8ToBytes(text))),
  keyed(key) {
    const keyed = hmac.create(sha256, typeof key === 'string' ? utf8ToBytes(key) : key);
    return (message, encoding) =>
      bytesToHex(
        keyed
          .clone()
          .update(encoding === 'hex' ? hexToBytes(message) : utf8ToBytes(message))
          .digest(),
      );
  },
};

/** The part of `node:crypto` that is used. */
export type NodeCrypto = Pick<typeof import('node:crypto'), 'createHash' | 'createHmac' | 'createSecretKey'>;

/** Runs on OpenSSL. */
export function nativeSha256({ createHash, createHmac, createSecretKey }: NodeCrypto): Sha256 {
  return {
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    keyed(key) {
      const prepared = createSecretKey(typeof key === 'string' ? utf8ToBytes(key) : key);
      return (message, encoding = 'utf8') => createHmac('sha256', prepared).update(message, encoding).digest('hex');
    },
  };
}

/** Returns Node's module without an import, which would keep the package out of browsers. */
function nodeCrypto(): NodeCrypto | undefined {
  return globalThis.process?.getBuiltinModule?.('node:crypto');
}

function choose(): Sha256 {
  const crypto = nodeCrypto();
  return crypto ? nativeSha256(crypto) : PORTABLE_SHA256;
}

/** The fastest implementation here. */
export const SHA256: Sha256 = /* @__PURE__ */ choose();
