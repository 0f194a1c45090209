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
