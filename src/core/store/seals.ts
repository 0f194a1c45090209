import type { SealedRow } from './records.ts';
import type { OldElement, StoredSeal } from './sealed.ts';

/**
 * The part of a store that keeps sealed elements: one of 32 bytes beside each stored identifier and each entry of the
 * allow-list. The sealing key is not stored. The promises of `Store` hold.
 */
export interface SealStore {
  /** Returns the fingerprints of the sealing keys, oldest first. Empty if the store was never sealed. */
  findSeals(): Promise<StoredSeal[]>;
  /**
   * Adds the next sealing key. `taken`: the generation is not the next one, or elements of an earlier key are not all
   * replaced yet.
   */
  addSeal(seal: Pick<StoredSeal, 'generation' | 'fingerprint' | 'addedAt'>): Promise<'added' | 'taken'>;
  /**
   * Records what {@link StoredSeal} says about `finishedAt` or `completeAt`. A recorded time stays. Ignores
   * `completeAt` if a row has no element: it looks for one, which may be a full table scan.
   */
  markSeal(mark: {
    readonly generation: number;
    readonly finishedAt?: number;
    readonly completeAt?: number;
  }): Promise<void>;
  /** Returns those of the hashes that an identifier or an entry of the allow-list has. Two index lookups a hash. */
  findHashes(hashes: readonly string[]): Promise<string[]>;
  /**
   * Returns the identifiers of these reports that have an element, by report in the given order, then by position. Each
   * has the entries of the allow-list for its hash, read at the same moment.
   */
  findSealed(reportIds: readonly string[]): Promise<SealedRow[]>;
  /**
   * Returns a page of hashes whose element is of an earlier sealing key, sorted, after the given hash ('': from the
   * first). `rehash` replaces them.
   */
  readOldElements(page: {
    /** Generation of the newest sealing key. */
    readonly seal: number;
    readonly after: string;
    readonly limit: number;
  }): Promise<OldElement[]>;
  /**
   * Returns the number of identifiers and entries of the allow-list without an element. A full table scan like `count`,
   * in 256 parts, and other work runs in between. Rows that a rotation of peppers moves meanwhile may count twice, but
   * none is missing. While a rotation is unfinished, each further generation costs another scan.
   */
  countUnsealed(): Promise<number>;
}
