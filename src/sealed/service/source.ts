import type { CodeLists } from '../codes.ts';
import type { Manifest } from '../manifest-format.ts';
import type { SealedKeys } from '../keys.ts';

/** One sealed identifier of a report that queries count. */
export interface SourceRow {
  /** E = k0 · H1(hash): 64 lowercase hex characters. */
  readonly element: string;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  readonly kind: string;
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  readonly disputeOpen: boolean;
  /** Milliseconds, UTC. */
  readonly createdAt: number;
}

/** What scoring needs to know about a reporter. */
export interface SourceReporter {
  /** Chance that a report of this reporter is right, 0 to 1. */
  readonly precision: number;
  readonly established: boolean;
  readonly verified: boolean;
}

/** What a publication is made of. The engine implements it. */
export interface SealedSource {
  /**
   * Returns the rows that queries count now, in pages. Each report once, in any order. Elements are of the sealing key
   * of `keys`, also if the operator replaces it meanwhile.
   */
  readRows(keys: SealedKeys): AsyncIterable<readonly SourceRow[]>;
  /** Returns the number of identifiers without an element. */
  countUnsealed(): Promise<number>;
  /** Returns the present standings by reporter id, at least of the reporters that have rows. */
  readReporters(): Promise<ReadonlyMap<string, SourceReporter>>;
}

/** How clients score. Part of the manifest. */
export type PublishedRules = CodeLists & Pick<Manifest, 'model' | 'matchKinds'>;
