import { RedflagError } from '../../core/domain/redflag-error.ts';
import { headAfter, type Head } from '../history.ts';
import type { SealedKeys } from '../keys.ts';
import { parseManifest } from '../manifest-format.ts';
import type { SignedManifest } from '../manifest.ts';

/** No publication is possible now. The message is for the operator and contains no submitted value. */
export class SealedPublicationError extends RedflagError {
  /** @internal */
  static override readonly kind = 'SealedPublicationError';
}

/**
 * Returns the keys with the manifest that was signed last. Throws {@link SealedPublicationError} if one of its sequence
 * or a higher one was signed with these keys.
 */
export function withHead(keys: SealedKeys, head: Head): SealedKeys {
  if (head.sequence > (keys.head?.sequence ?? -1)) return { ...keys, head };
  throw new SealedPublicationError('another process publishes with the same sealed keys; stop it');
}

/** All that is published under one sequence. */
export interface Publication {
  readonly epoch: number;
  readonly sequence: number;
  /** Milliseconds, UTC. */
  readonly issuedAt: number;
  readonly signed: SignedManifest;
  readonly snapshot: Uint8Array;
}

/** What identifies a publication that is kept. */
export interface PublicationHead {
  readonly epoch: number;
  readonly sequence: number;
  /** Milliseconds, UTC. */
  readonly issuedAt: number;
}

/** Returns the head after a signed manifest; undefined for bytes that are none. */
export function headOf(bytes: Uint8Array): Head | undefined {
  const manifest = parseManifest(bytes);
  return manifest && headAfter(manifest, bytes);
}

/** Returns the evaluator's signature of the manifest of a head. */
export type Countersign = (head: Head) => Promise<Uint8Array>;

/** Where publications are kept, and which was signed last. One process writes at a time. */
export interface PublicationStore {
  /** Returns the head after the manifest that was added last, also if its publication was removed. */
  readHead(): Promise<Head | undefined>;
  /**
   * Adds a publication. It becomes visible as a whole, and only after it and its head are on disk. When its head is,
   * calls `countersign`, whose bytes are kept after the operator's signature. Keeps the one before, whose rows a client
   * may still fetch, and removes older ones.
   */
  add(publication: Publication, countersign: Countersign): Promise<void>;
  /** Removes all publications of these epochs. */
  removeEpochs(epochs: readonly number[]): Promise<void>;
}

/** Reads publications that any process has made. */
export interface PublicationReader {
  /** Returns the newest manifest. Undefined if there is no publication. */
  newest(): Promise<(SignedManifest & Pick<PublicationHead, 'epoch' | 'sequence'>) | undefined>;
  /** Returns the bytes of a snapshot. Undefined if the publication is not kept any more. */
  lengthOf(epoch: number, sequence: number): Promise<number | undefined>;
  /** Returns a snapshot. Undefined if the publication is not kept any more. */
  read(epoch: number, sequence: number): Promise<Uint8Array | undefined>;
}
