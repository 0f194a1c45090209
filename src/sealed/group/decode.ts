import { SealedError } from '../errors.ts';
import { ELEMENT_BYTES, MAX_BATCH, SCALAR_BYTES } from './group.ts';
import { sodium } from './sodium.ts';

/** The order of the group, 2^252 + 27742317777372353535851937790883648493, little-endian (RFC 9496, section 4.4). */
const ORDER = /* @__PURE__ */ Uint8Array.from([
  0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0, 0, 0,
  0, 0, 0, 0, 0, 0, 0, 0, 0x10,
]);

/** True if the 32 bytes are a scalar: not zero and below the order. Takes the same steps for each value. */
export function isScalar(bytes: Uint8Array): boolean {
  if (!(bytes instanceof Uint8Array) || bytes.length !== SCALAR_BYTES) return false;
  let any = 0;
  let borrow = 0;
  for (let at = 0; at < SCALAR_BYTES; at++) {
    any |= bytes[at]!;
    borrow = ((bytes[at]! - ORDER[at]! - borrow) >> 8) & 1;
  }
  return any !== 0 && borrow === 1;
}

/** Returns the bytes of a scalar. Throws `invalid-scalar`. `what` names it in the message. */
export function requireScalar(bytes: Uint8Array, what: string): Uint8Array {
  if (isScalar(bytes)) return bytes;
  throw new SealedError('invalid-scalar', `the ${what} expected 32 bytes from 1 to the order of the group - 1`);
}

/** Returns the bytes of an element. Throws `invalid-element` for the identity and for bytes that are not canonical. */
export function requireElement(bytes: Uint8Array, what: string): Uint8Array {
  const isElement =
    bytes instanceof Uint8Array &&
    bytes.length === ELEMENT_BYTES &&
    bytes.some((byte) => byte !== 0) &&
    sodium().crypto_core_ristretto255_is_valid_point(bytes);
  if (isElement) return bytes;
  throw new SealedError('invalid-element', `the ${what} expected 32 bytes of a ristretto255 element`);
}

/** Throws `invalid-batch` for no elements and for more than 32, and `invalid-element` for a wrong one. */
export function requireBatch(batch: readonly Uint8Array[], what: string): void {
  if (!Array.isArray(batch) || batch.length === 0 || batch.length > MAX_BATCH)
    throw new SealedError('invalid-batch', `a batch expected 1 to ${MAX_BATCH} elements`);
  for (const bytes of batch) requireElement(bytes, what);
}
