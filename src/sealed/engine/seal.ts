import { isCode, type Identifier, type IdentifierKind } from '../../core/domain/identifier.ts';
import { requireFunction } from '../../core/domain/options.ts';

/** An identifier whose hash was sealed, so that the operator does not learn it. Only a service with a seal takes it. */
export interface SealedIdentifier {
  /** As in {@link Identifier}. */
  readonly kind: IdentifierKind;
  /** The sealed element: 64 lowercase hex characters. */
  readonly element: string;
  /**
   * Fingerprint of the element's sealing key, 16 lowercase hex characters: the present one (default) or the previous
   * one.
   */
  readonly seal?: string | undefined;
}

/** A validated identifier. */
export interface ValidIdentifier extends Identifier {
  /** The sealed element, if the identifier arrived as one: 64 lowercase hex characters. `hash` is then its name. */
  readonly element?: string | undefined;
  /** As in {@link SealedIdentifier}. */
  readonly seal?: string | undefined;
}

/**
 * Computes sealed elements. Functions may return a promise. An element is 64 lowercase hex characters; a hash is the 40
 * lowercase hex characters that a client sends.
 */
export interface Seal {
  /** Identifies the sealing key without revealing it: 16 lowercase hex characters. */
  readonly fingerprint: string;
  /** Returns the element of a client's hash. Equal hashes have equal elements, and different ones have different. */
  elementOf(hash: string): string | Promise<string>;
  /** The sealing key before this one. Needed until `replaceElements` has replaced all its elements. */
  readonly previous?: PreviousSeal;
  /**
   * Returns the seal as the operator's keys are now. Called if the store or a request names a sealing key that this
   * seal does not know, and by `replaceElements`. Without it, only a new engine can use a new sealing key.
   */
  latest?(): Promise<Seal>;
}

/** Converts elements between a sealing key and the one before it. */
export interface PreviousSeal {
  /** Of the previous sealing key, 16 lowercase hex characters. */
  readonly fingerprint: string;
  /** Returns the previous key's element for an element of the present key. */
  toPrevious(element: string): string | Promise<string>;
  /** Returns the present key's element for an element of the previous key. */
  fromPrevious(element: string): string | Promise<string>;
}

/** Validates the option. Throws TypeError for anything but a {@link Seal}. */
export function requireSeal(seal: Seal): void {
  requireFunction('seal.elementOf', seal?.elementOf);
  requireFingerprint('seal.fingerprint', seal.fingerprint);
  if (seal.latest !== undefined) requireFunction('seal.latest', seal.latest);
  if (seal.previous === undefined) return;
  requireFingerprint('seal.previous.fingerprint', seal.previous?.fingerprint);
  requireFunction('seal.previous.toPrevious', seal.previous.toPrevious);
  requireFunction('seal.previous.fromPrevious', seal.previous.fromPrevious);
  if (seal.previous.fingerprint === seal.fingerprint)
    throw new TypeError('"seal.previous.fingerprint" expected another fingerprint than that of the seal');
}

function requireFingerprint(label: string, value: unknown): void {
  if (!isCode(value)) throw new TypeError(`"${label}" expected 16 lowercase hex characters`);
}

/** True if the seal converts elements of a key: it is the present or the previous one. */
export function knowsKey({ fingerprint, previous }: Seal, keyFingerprint: string): boolean {
  return keyFingerprint === fingerprint || keyFingerprint === previous?.fingerprint;
}

/** Returns an element. Throws TypeError for another result of a function of a seal. */
export function requireElement(name: string, element: unknown): string {
  if (typeof element !== 'string' || !/^[0-9a-f]{64}$/.test(element))
    throw new TypeError(`"seal.${name}" expected a function that returns 64 lowercase hex characters`);
  return element;
}
