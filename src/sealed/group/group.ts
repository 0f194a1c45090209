/** Bytes of an encoded element (RFC 9496, section 4.3.2). */
export const ELEMENT_BYTES = 32;
/** Bytes of a scalar, little-endian (RFC 9497, section 4.1). */
export const SCALAR_BYTES = 32;
/** Bytes of a proof: the scalars c and s (RFC 9497, section 2.2.1). */
export const PROOF_BYTES = 64;
/** Maximum elements per batch. */
export const MAX_BATCH = 32;

/** Returns fresh bytes from a cryptographic source, such as `createRandom()` of `core/crypto/crypto.ts`. */
export type Random = (byteCount: number) => Uint8Array;

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
