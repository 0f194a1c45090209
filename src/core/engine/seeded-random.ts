import { hexToBytes, SHA256 } from '../crypto/crypto.ts';
import { requireWhole } from '../domain/options.ts';

/**
 * Returns a repeatable source of bytes: the same seed gives the same bytes in any runtime. Use it only for tests and
 * offline runs, because anyone with the seed can compute the bytes. Throws TypeError if the seed is not a string. The
 * source throws TypeError or RangeError for an invalid count.
 */
export function createSeededRandom(seed: string): (byteCount: number) => Uint8Array {
  if (typeof seed !== 'string') throw new TypeError(`"seed" expected a string, got ${typeof seed}`);
  const keyed = SHA256.keyed(seed);
  let drawn = 0;
  return (byteCount) => {
    requireWhole('byteCount', byteCount, 0);
    const bytes = new Uint8Array(byteCount);
    for (let at = 0; at < byteCount; at += 32)
      bytes.set(hexToBytes(keyed(String(drawn++))).subarray(0, byteCount - at), at);
    return bytes;
  };
}
