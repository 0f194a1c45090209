import { SHA256 } from '../../src/core/crypto/crypto.ts';
import { SealedError } from '../../src/sealed/errors.ts';
import type { Random } from '../../src/sealed/group/group.ts';
import { loadSodium } from '../../src/sealed/group/sodium.ts';

await loadSodium();

/** The order of ristretto255 (RFC 9496, section 4.4). */
export const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;

/** Returns the same bytes for the same seed. */
export function seededRandom(seed: number | string): Random {
  const keyed = SHA256.keyed(`seed ${seed}`);
  let block = 0;
  return (byteCount) => {
    const bytes = new Uint8Array(byteCount);
    for (let at = 0; at < byteCount; at += 32)
      bytes.set(fromHex(keyed(String(block++))).subarray(0, byteCount - at), at);
    return bytes;
  };
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length >> 1);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns a number in 32 bytes. */
export function toLittleEndian(value: bigint): Uint8Array {
  return fromHex(value.toString(16).padStart(64, '0')).reverse();
}

export function toBigInt(littleEndian: Uint8Array): bigint {
  return BigInt(`0x${toHex(littleEndian.slice().reverse())}`);
}

/** Returns the code of the {@link SealedError} that the call throws; fails for any other result. */
export function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof SealedError) return error.code;
    throw error;
  }
  return 'none';
}

/** Returns randomness that draws one scalar, in hex: 64 bytes that reduce to it. */
export function drawing(scalar: string): Random {
  return (byteCount) => {
    const bytes = new Uint8Array(byteCount);
    bytes.set(fromHex(scalar));
    return bytes;
  };
}
