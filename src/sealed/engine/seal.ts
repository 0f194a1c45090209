import { isCode, type Identifier, type IdentifierKind } from '../../core/domain/identifier.ts';
import { requireFunction } from '../../core/domain/options.ts';

/** An identifier whose hash was sealed, so that the operator does not learn it. Only a service with a seal takes it. */
export interface SealedIdentifier {
  /** As in {@link Identifier}. */
  readonly kind: IdentifierKind;
  /** The sealed element: 64 lowercase hex characters. */
  readonly element: string;
}

/** A validated identifier. */
export interface ValidIdentifier extends Identifier {
  /** The sealed element, if the identifier arrived as one: 64 lowercase hex characters. `hash` is then its name. */
  readonly element?: string | undefined;
}

/** Computes sealed elements. An element is 64 lowercase hex characters. */
export interface Seal {
  /** Identifies the sealing key without revealing it: 16 lowercase hex characters. */
  readonly fingerprint: string;
  /**
   * Returns the element of a hash, which is the 40 lowercase hex characters that a client sends. Equal hashes have
   * equal elements, and different ones have different.
   */
  elementOf(hash: string): string | Promise<string>;
}

/** Validates the option. Throws TypeError for anything but a {@link Seal}. */
export function requireSeal(seal: Seal): void {
  requireFunction('seal.elementOf', seal?.elementOf);
  if (!isCode(seal.fingerprint)) throw new TypeError('"seal.fingerprint" expected 16 lowercase hex characters');
}

/** Returns an element. Throws TypeError for another result of a seal. */
export function requireElement(element: unknown): string {
  if (typeof element !== 'string' || !/^[0-9a-f]{64}$/.test(element))
    throw new TypeError('"seal.elementOf" expected a function that returns 64 lowercase hex characters');
  return element;
}
