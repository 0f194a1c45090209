import type { Identifier } from '../domain/identifier.ts';

/** The sealing key of the elements of a row. */
export interface Sealed {
  /** Generation of the sealing key, from 1. Needed with an element. */ readonly seal?: number | undefined;
}

/** An identifier to store. */
export interface ConcealedIdentifier extends Identifier {
  /** The sealed element, 64 lowercase hex characters. Undefined without a sealing key. */
  readonly element?: string | undefined;
}

/** A sealing key, of which the store keeps only a fingerprint. */
export interface StoredSeal {
  /** From 1. A new sealing key has the next generation. */
  readonly generation: number;
  /** 16 hex characters. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch, UTC. */ readonly addedAt: number;
  /** When the last element of an earlier sealing key was replaced; null until then. */
  readonly finishedAt: number | null;
  /** When the last identifier or entry of the allow-list got an element; null until then. */
  readonly completeAt: number | null;
}

/** A hash to move, wherever it is stored. */
export interface HashMove {
  /** The stored hash, 40 hex characters. */ readonly from: string;
  /** The new one. */ readonly to: string;
  /** The element of the moved rows, 64 hex characters. Undefined: they keep the one they have. */
  readonly element?: string | undefined;
}

/** A stored hash whose element is of an earlier sealing key. */
export interface OldElement {
  /** 40 hex characters, under the peppers. */ readonly hash: string;
  /** 64 hex characters. */ readonly element: string;
}
