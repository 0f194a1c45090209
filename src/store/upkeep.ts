import type { Identifier } from '../domain/identifier.ts';

/** What an operator's upkeep asks of a store: copies of all of it, proofs that it is sound, and erasure of a person. A part of the port: `store.ts` names it all. */
export interface StoreUpkeep {
  /** Everything as it is at this moment, whatever is written later. Holds on to memory or to a server's connection until it is closed. It or its `readRows` rejects with StoreDamagedError for a row that is not as it was written. */
  snapshot(): Promise<StoreSnapshot>;
  /**
   * Puts rows of one table of the catalogue as a snapshot gave them. A row whose key is there already changes nothing. Columns that a row leaves out get what the schema says.
   * What a row refers to must be there: tables in the order of the catalogue. RangeError for a table that is not in it.
   */
  putRows(table: string, rows: readonly StoredRow[]): Promise<void>;
  /** What is wrong with what is stored, each kind of it with how often; empty for a sound store. Reads all of it, and proves each row by its checksum. */
  check(): Promise<StoreProblem[]>;
  /**
   * Erases all that is stored about hashes: each report that names one as `removeReport` does, whosever it is and whatever damaged it, and each link and entry of the allow-list with one
   * as a whole. StoreDamagedError, and nothing is erased, when a damaged identifier does not say whose report it is in, or would stay because of a damaged index.
   */
  erase(erasure: { readonly hashes: readonly string[]; readonly erasedAt: number }): Promise<Erased>;
  /** Resolves when what was removed or erased before the call is in no file of the store any more. Rejects with StoreUnavailableError when that could not be done now. */
  erased(): Promise<void>;
}

/** A consistent view of a store. */
export interface StoreSnapshot {
  /** Version of the schema: two stores of one version have the same tables. */
  readonly schema: number;
  /** The tables that hold facts, each after those that its rows refer to. What is learnt from facts is in none. */
  readonly tables: readonly StoredTable[];
  /** Rows of a table in the order of its key, after the one given. */
  readRows(table: string, after: StoredRow | undefined, limit: number): Promise<StoredRow[]>;
  close(): Promise<void>;
}

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Names of the columns that tell two rows apart, in the order in which they sort them: bytes and whole numbers by value, text by the bytes of its UTF-8. */
  readonly key: readonly string[];
}

export interface StoredColumn {
  readonly name: string;
  readonly type: 'bytes' | 'whole' | 'text';
  readonly nullable: boolean;
  /** Exact length of the bytes. */
  readonly bytes?: number;
}

/** A row by the names of its columns: bytes as lowercase hex, whole numbers as numbers. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** Something that should not be in a store. */
export interface StoreProblem {
  /** In words that hold nothing of what is stored, as in `reports without their reporter`. */
  readonly problem: string;
  readonly count: number;
}

/** What became of {@link StoreUpkeep.erase}: what was erased is told once, to whom must forget it too. */
export interface Erased {
  readonly reports: readonly ErasedReport[];
  /** How many links held one of the hashes. */
  readonly links: number;
  /** Entries of the allow-list, past ones too. */
  readonly protections: number;
}

export interface ErasedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
  readonly identifiers: readonly Identifier[];
}
