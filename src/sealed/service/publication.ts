import { RedflagError } from '../../core/domain/redflag-error.ts';
import type { SealedKeys } from '../keys.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SignedManifest } from '../manifest.ts';

/** No publication is possible now. The message is for the operator and contains no submitted value. */
export class SealedPublicationError extends RedflagError {
  /** @internal */
  static override readonly kind = 'SealedPublicationError';
}

/**
 * Returns the keys with a sequence that is used up. Throws {@link SealedPublicationError} if it is not above all that
 * were used with these keys.
 */
export function useSequence(keys: SealedKeys, sequence: number): SealedKeys {
  if (sequence > (keys.sequence ?? -1)) return { ...keys, sequence };
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
  readonly reporters: Uint8Array;
  /** The delta from the publication before. Undefined for the first one of an epoch. */
  readonly delta: Uint8Array | undefined;
}

/** What identifies a publication that is kept. */
export interface PublicationHead {
  readonly epoch: number;
  readonly sequence: number;
  /** Milliseconds, UTC. */
  readonly issuedAt: number;
}

/** What the next publication continues. */
export interface NewestPublication {
  readonly manifest: Pick<Manifest, 'epoch' | 'sequence'>;
  readonly snapshot: Uint8Array;
}

/** Where publications are kept, and the sequences that were used. One process writes at a time. */
export interface PublicationStore {
  /**
   * Returns a sequence that was never returned, at least `minSequence`. It is used up before this resolves, also if the
   * process is killed or the power fails afterwards.
   */
  reserve(minSequence: number): Promise<number>;
  /** Returns the publication with the highest sequence; undefined if there is none, or if it is damaged. */
  readNewest(): Promise<NewestPublication | undefined>;
  /**
   * Adds a publication. It becomes visible as a whole, and only after it is on disk. Keeps the one before, of which a
   * client may still fetch files, and removes older ones.
   */
  add(publication: Publication): Promise<void>;
  /** Removes all publications of these epochs. */
  removeEpochs(epochs: readonly number[]): Promise<void>;
}

/** A file of a publication. */
export type PublicationPart = 'snapshot' | 'reporters' | 'delta';

/** Reads publications that any process has made. */
export interface PublicationReader {
  /** Returns the newest manifest. Undefined if there is no publication. */
  newest(): Promise<(SignedManifest & Pick<PublicationHead, 'epoch' | 'sequence'>) | undefined>;
  /** Returns the bytes of a file of a publication. Undefined if there is no such publication or file any more. */
  lengthOf(epoch: number, sequence: number, part: PublicationPart): Promise<number | undefined>;
  /** Returns the bytes of a file. Undefined if there is no such publication or file any more. */
  read(epoch: number, sequence: number, part: PublicationPart): Promise<Uint8Array | undefined>;
}
