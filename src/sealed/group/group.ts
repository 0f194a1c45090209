/** Bytes of an encoded element (RFC 9496, section 4.3.2). */
export const ELEMENT_BYTES = 32;
/** Bytes of a scalar, little-endian (RFC 9497, section 4.1). */
export const SCALAR_BYTES = 32;
/** Bytes of a proof: the scalars c and s (RFC 9497, section 2.2.1). */
export const PROOF_BYTES = 64;
/** Bytes of the seed of {@link SealedGroup.deriveKey}. */
export const SEED_BYTES = 32;
/** Maximum elements per batch. */
export const MAX_BATCH = 32;

/** Returns fresh bytes from a cryptographic source, such as `createRandom()` of `core/crypto/crypto.ts`. */
export type Random = (byteCount: number) => Uint8Array;

/** A secret scalar and its public element. */
export interface SealedKeyPair {
  /** {@link SCALAR_BYTES} bytes. */
  readonly secretKey: Uint8Array;
  /** {@link ELEMENT_BYTES} bytes. */
  readonly publicKey: Uint8Array;
}

/** An input that a client has blinded. */
export interface Blinded {
  /** The blind: {@link SCALAR_BYTES} bytes. Secret; needed to unblind. */
  readonly blind: Uint8Array;
  /** The element to send: {@link ELEMENT_BYTES} bytes. It tells nothing about the input. */
  readonly blinded: Uint8Array;
}

/** A batch that the holder of the secret key has evaluated. */
export interface Evaluation {
  /** One element for each blinded element, in order. */
  readonly evaluated: readonly Uint8Array[];
  /** {@link PROOF_BYTES} bytes: one proof for the batch. */
  readonly proof: Uint8Array;
}

/**
 * The group ristretto255 with SHA-512 and the VOPRF of RFC 9497, mode 1. All implementations return the same bytes.
 *
 * Elements and keys are {@link ELEMENT_BYTES} bytes, scalars {@link SCALAR_BYTES}. Decoding is strict: an element must
 * be canonical and not the identity (`invalid-element`), a scalar below the order and not zero (`invalid-scalar`). A
 * batch holds 1 to {@link MAX_BATCH} elements (`invalid-batch`). Refusals are thrown as `SealedGroupError`.
 *
 * Multiplication by a secret is constant-time only in the libsodium implementation. BigInt of JavaScript is not.
 */
export interface SealedGroup {
  /** The implementation. */
  readonly name: 'noble' | 'libsodium';

  /** Returns a uniform scalar, never zero (RFC 9497, section 2.1). Draws 64 bytes, and again if they reduce to zero. */
  randomScalar(random: Random): Uint8Array;
  /** Returns a · b mod the order. */
  multiplyScalars(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Returns a⁻¹ mod the order. */
  invertScalar(scalar: Uint8Array): Uint8Array;

  /** Returns the key pair of a seed of {@link SEED_BYTES} bytes and a public text (RFC 9497, section 3.2.1). */
  deriveKey(seed: Uint8Array, info: Uint8Array): SealedKeyPair;
  /** Returns secretKey · G. */
  publicKey(secretKey: Uint8Array): Uint8Array;

  /** Returns H1(input), the HashToGroup of RFC 9497, section 4.1. At most 65,535 bytes, else `invalid-input`. */
  hashToGroup(input: Uint8Array): Uint8Array;
  /** Returns scalar · element. */
  multiply(scalar: Uint8Array, element: Uint8Array): Uint8Array;

  /** Client: returns a fresh blind and blind · H1(input) (RFC 9497, section 3.3.2). */
  blind(input: Uint8Array, random: Random): Blinded;
  /**
   * Server: returns secretKey · element for each element, with the proof that publicKey is secretKey · G (RFC 9497,
   * sections 2.2.1 and 3.3.2). If it is not, the result is no valid proof.
   */
  evaluate(secretKey: Uint8Array, publicKey: Uint8Array, blinded: readonly Uint8Array[], random: Random): Evaluation;
  /** Client: throws `invalid-proof` unless the proof holds (RFC 9497, section 2.2.2). All elements may be untrusted. */
  verifyProof(
    publicKey: Uint8Array,
    blinded: readonly Uint8Array[],
    evaluated: readonly Uint8Array[],
    proof: Uint8Array,
  ): void;
  /** Client: returns blind⁻¹ · evaluated = secretKey · H1(input). Verify the proof first. */
  unblind(blind: Uint8Array, evaluated: Uint8Array): Uint8Array;
}
