import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * A source of bytes that repeats itself: the same seed gives the same bytes, in any runtime. For tests and offline runs only;
 * everything drawn from it can be computed by whoever knows the seed.
 */
export function createSeededRandom(seed: string): (byteCount: number) => Uint8Array {
  const keyed = hmac.create(sha256, utf8ToBytes(seed));
  let drawn = 0;
  return (byteCount) => {
    const bytes = new Uint8Array(byteCount);
    for (let at = 0; at < byteCount; at += 32) {
      bytes.set(
        keyed
          .clone()
          .update(utf8ToBytes(String(drawn++)))
          .digest()
          .subarray(0, byteCount - at),
        at,
      );
    }
    return bytes;
  };
}
