/** `node:crypto` for suites in runtimes without it: only what they use. Its SHA-1 is not the tested one. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer/';

const HASHES = { sha1, sha256, sha512 };
type Bytes = Parameters<typeof sha1>[0];

interface Running {
  update(bytes: Bytes | string): Running;
  digest(encoding?: 'hex'): unknown;
}

function running(hash: { update(bytes: Uint8Array): unknown; digest(): Uint8Array }): Running {
  const self: Running = {
    update(bytes) {
      hash.update(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : (bytes as Uint8Array));
      return self;
    },
    digest: (encoding) => {
      const bytes = Buffer.from(hash.digest());
      return encoding === undefined ? bytes : bytes.toString(encoding);
    },
  };
  return self;
}

export const createHash = (name: keyof typeof HASHES): Running => running(HASHES[name].create());
export const createHmac = (name: keyof typeof HASHES, key: Uint8Array | string): Running =>
  running(hmac.create(HASHES[name], typeof key === 'string' ? new TextEncoder().encode(key) : key));
export const randomBytes = (count: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(count)));
