import { sha256 } from '@noble/hashes/sha2.js';

/** SHA-256 and HMAC-SHA-256. Every implementation returns the same values. */
export interface Sha256 {
  /**
   * Returns the SHA-256 of a text in UTF-8, or of the bytes that lowercase hex spells: 64 lowercase hex characters.
   */
  digest(text: string, encoding?: 'utf8' | 'hex'): string;
  /** Returns HMAC-SHA-256 under a key of any length. Prepares the key once. */
  keyed(key: string | Uint8Array): KeyedHash;
}

/** Returns the HMAC of a text in UTF-8, or of the bytes that lowercase hex spells: 64 lowercase hex characters. */
export type KeyedHash = (message: string, encoding?: 'utf8' | 'hex') => string;

// Shorter than those of the library, whose checks a value of this package does not need.
export function utf8ToBytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function hexToBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function toBytes(text: string, encoding?: 'utf8' | 'hex'): Uint8Array<ArrayBuffer> {
  return encoding === 'hex' ? hexToBytes(text) : utf8ToBytes(text);
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** What RFC 2104 combines with the key, in the inner and the outer hash. */
const IPAD = 0x36;
const OPAD = 0x5c;

/** Returns `length` bytes: the key of at most one block, then zeros, each combined with `pad`. */
function padKey(key: Uint8Array, pad: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length).fill(pad);
  for (const [at, byte] of key.entries()) bytes[at] = byte ^ pad;
  return bytes;
}

/** Runs everywhere. About four times as slow as {@link nativeSha256}. */
export const PORTABLE_SHA256: Sha256 = {
  digest: (text, encoding) => toHex(sha256(toBytes(text, encoding))),
  keyed(key) {
    const bytes = typeof key === 'string' ? utf8ToBytes(key) : key;
    const block = bytes.length > BLOCK_BYTES ? sha256(bytes) : bytes;
    const begin = (pad: number) => sha256.create().update(padKey(block, pad, BLOCK_BYTES));
    const inner = begin(IPAD);
    const outer = begin(OPAD);
    return (message, encoding) => {
      const hash = inner.clone().update(toBytes(message, encoding)).digest();
      return toHex(outer.clone().update(hash).digest());
    };
  },
};

/** The parts of Node that are used. `hash` exists since Node 20.12. */
export interface NodeCrypto extends Pick<typeof import('node:crypto'), 'createHash' | 'createHmac'> {
  readonly hash?: typeof import('node:crypto').hash | undefined;
}
type NodeBuffer = typeof import('node:buffer').Buffer;

/** Runs on OpenSSL. */
export function nativeSha256({ createHash, createHmac, hash }: NodeCrypto, buffer: NodeBuffer): Sha256 {
  return {
    digest(text, encoding = 'utf8') {
      if (hash) return hash('sha256', encoding === 'hex' ? buffer.from(text, 'hex') : text);
      return createHash('sha256').update(text, encoding).digest('hex');
    },
    keyed(key) {
      const bytes = buffer.from(typeof key === 'string' ? utf8ToBytes(key) : key);
      if (hash) return oneShotHmac(hash, buffer, bytes);
      return (message, encoding = 'utf8') => createHmac('sha256', bytes).update(message, encoding).digest('hex');
    },
  };
}

/**
 * Returns HMAC(m) = H(key ⊕ opad ‖ H(key ⊕ ipad ‖ m)) of RFC 2104. Two calls of a one-shot hash take half the time of
 * `createHmac`, which creates an object for each message.
 */
function oneShotHmac(hash: NonNullable<NodeCrypto['hash']>, buffer: NodeBuffer, key: Uint8Array): KeyedHash {
  const block = key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
  const padded = (pad: number, length: number): Buffer => buffer.from(padKey(block, pad, length).buffer);
  let inner = padded(IPAD, BLOCK_BYTES + 1024);
  const outer = padded(OPAD, BLOCK_BYTES + DIGEST_BYTES);
  return (message, encoding = 'utf8') => {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    const most = BLOCK_BYTES + 3 * message.length;
    if (inner.length < most) inner = padded(IPAD, most);
    const end = BLOCK_BYTES + inner.write(message, BLOCK_BYTES, encoding);
    // A text of one character per byte is faster than a new array.
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer);
  };
}

function choose(): Sha256 {
  // Do not import these modules: browsers could not load the package.
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  const buffer = globalThis.process?.getBuiltinModule?.('node:buffer');
  return crypto && buffer ? nativeSha256(crypto, buffer.Buffer) : PORTABLE_SHA256;
}

/** Chooses at first use, because loading `node:crypto` takes Node five milliseconds. */
function chooseLate(): Sha256 {
  let chosen: Sha256 | undefined;
  const get = (): Sha256 => (chosen ??= choose());
  return { digest: (text, encoding) => get().digest(text, encoding), keyed: (key) => get().keyed(key) };
}

/** The fastest implementation on this platform. */
export const SHA256: Sha256 = /* @__PURE__ */ chooseLate();

/** Bytes drawn from the platform at once. A draw costs as much as an HMAC, whatever its length. */
const DRAWN_AT_ONCE = 1024;

/** Returns a source of fresh bytes from the platform's cryptographic source. No byte is returned twice. */
export function createRandom(): (byteCount: number) => Uint8Array {
  const drawn = new Uint8Array(DRAWN_AT_ONCE);
  let used = DRAWN_AT_ONCE;
  return (byteCount) => {
    if (byteCount > DRAWN_AT_ONCE) return globalThis.crypto.getRandomValues(new Uint8Array(byteCount));
    if (used + byteCount > DRAWN_AT_ONCE) {
      globalThis.crypto.getRandomValues(drawn);
      used = 0;
    }
    const bytes = drawn.slice(used, used + byteCount);
    // Keep no copy: the bytes may become a key.
    drawn.fill(0, used, used + byteCount);
    used += byteCount;
    return bytes;
  };
}

/**
 * Returns the name of an element: the first 40 hex characters of the SHA-256 of its 32 bytes. Peppers are applied
 * to the name. Under no pepper, the name is the stored hash.
 * @param element 64 lowercase hex characters.
 */
export function elementName(element: string): string {
  return SHA256.digest(element, 'hex').slice(0, 40);
}

/** Returns the source of an inline style or script in a content security policy, with its quotes. */
export function toSourceHash(text: string): string {
  return `'sha256-${btoa(String.fromCharCode(...hexToBytes(SHA256.digest(text))))}'`;
}
