import { RedflagError } from '../core/domain/redflag-error.ts';

/**
 * Base class of the errors of the sealed look-up. `code` says which check failed. The message contains no key, element,
 * hash or row.
 */
export abstract class SealedError<Code extends string = string> extends RedflagError {
  /** @internal */
  static override readonly kind: string = 'SealedError';

  /** Name of the failed check, e.g. `invalid-element`. */
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** What {@link SealedGroupError} can say. */
export type SealedGroupCode =
  /** Not 32 bytes, not a canonical encoding of RFC 9496, or the identity. */
  | 'invalid-element'
  /** Not 32 bytes, zero, or not below the group's order. */
  | 'invalid-scalar'
  /** Not 64 bytes, not two valid scalars, or not a proof of these elements under this public key. */
  | 'invalid-proof'
  /** The same for the first step of an evaluation, under the public key of a separate evaluator. */
  | 'invalid-evaluator-proof'
  /** Empty, more than 32 elements, or two lists of different lengths. */
  | 'invalid-batch'
  /** More than 65,535 bytes (RFC 9497, section 1.2), or a hash that is not 40 lowercase hex characters. */
  | 'invalid-input';

/** The group refuses an element, scalar, proof, batch or input. */
export class SealedGroupError extends SealedError<SealedGroupCode> {
  /** @internal */
  static override readonly kind = 'SealedGroupError';
}

/** What {@link SealedFormatError} can say. */
export type SealedFormatCode =
  /** The number of bytes does not fit the format. */
  | 'invalid-length'
  /** Rows or tags are not in ascending order. */
  | 'unsorted'
  /** A tag appears twice. */
  | 'duplicate-tag'
  /** The snapshot has another checksum than the manifest states. */
  | 'wrong-snapshot';

/** Bytes of a snapshot are not what the format says. */
export class SealedFormatError extends SealedError<SealedFormatCode> {
  /** @internal */
  static override readonly kind = 'SealedFormatError';
}

/** What {@link SealedManifestError} can say. */
export type SealedManifestCode =
  /** The bytes are not a manifest in canonical form. */
  | 'malformed'
  /** The signature is not of these bytes under the expected operator key. */
  | 'bad-signature'
  /** Another operator signed the manifest. */
  | 'wrong-operator-key'
  /** Another evaluator than the expected one, or none. */
  | 'wrong-evaluator-key'
  /** The evaluator that the manifest names has not signed it, so the operator may show other clients another one. */
  | 'bad-evaluator-signature'
  /** `expiresAt` has passed, or the manifest is older than the caller's maximum age: a freeze. */
  | 'expired'
  /** The manifest is older than one that was accepted. */
  | 'rollback'
  /**
   * The manifest does not continue the last accepted one. Another client may be shown another history, or the service
   * was restored from a backup, or has published more manifests since than a history lists.
   */
  | 'fork'
  /** The epoch began less than 20 days after the one before. */
  | 'early-epoch'
  /** `issuedAt` is more than five minutes ahead of the local clock. */
  | 'issued-in-future'
  /** The epoch of the manifest has ended. */
  | 'epoch-ended'
  /** The snapshot has more rows than the client takes. */
  | 'too-many-rows';

/** A manifest is refused. Do not use its contents. */
export class SealedManifestError extends SealedError<SealedManifestCode> {
  /** @internal */
  static override readonly kind = 'SealedManifestError';
}

/** What {@link SealedKeyError} can say. */
export type SealedKeyCode =
  /** The text is not a valid list of keys in canonical form. */
  | 'malformed'
  /** No epoch has this number. */
  | 'unknown-epoch'
  /** The key of this epoch was destroyed. */
  | 'epoch-destroyed';

/** The operator's keys cannot do what was asked. */
export class SealedKeyError extends SealedError<SealedKeyCode> {
  /** @internal */
  static override readonly kind = 'SealedKeyError';
}
