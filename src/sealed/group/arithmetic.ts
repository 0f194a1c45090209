/**
 * The arithmetic of ristretto255 that `voprf.ts` needs. `E` is a decoded element. Scalars are 32 bytes, little-endian,
 * below the order; callers validate them.
 */
export interface Arithmetic<E> {
  readonly name: 'noble' | 'libsodium';
  /** Returns the element of 32 bytes; undefined if they are not canonical (RFC 9496, section 4.3.1). */
  decode(bytes: Uint8Array): E | undefined;
  /** Returns the canonical 32 bytes (RFC 9496, section 4.3.2). */
  encode(element: E): Uint8Array;
  /** Returns the element of 64 uniform bytes (RFC 9496, section 4.3.4). */
  fromUniform(bytes: Uint8Array): E;
  /** Returns scalar · element. The scalar may be secret and is not zero; the element is not the identity. */
  multiply(scalar: Uint8Array, element: E): E;
  /** Returns scalar · G. The scalar may be secret and is not zero. */
  multiplyBase(scalar: Uint8Array): E;
  /**
   * Returns the sum of scalars[i] · elements[i]. All of it is public, so the time may depend on it. May throw if a
   * scalar is zero or an element the identity.
   */
  sum(scalars: readonly Uint8Array[], elements: readonly E[]): E;
  /** The generator G. */
  readonly base: E;

  /** Returns 64 bytes, little-endian, mod the order. */
  reduce(bytes: Uint8Array): Uint8Array;
  multiplyScalars(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Returns a - b mod the order. */
  subtractScalars(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Returns the inverse of a scalar that is not zero. */
  invertScalar(scalar: Uint8Array): Uint8Array;
}
