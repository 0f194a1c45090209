import type { AuditNote } from '../domain/audit.ts';
import type { Identifier } from '../domain/identifier.ts';

/** The operator's part of the store: copies, checks and the erasure of a person. `store.ts` has the operations. */
export interface StoreUpkeep {
  /**
   * Opens a consistent view of the current content. It occupies memory or a server's connection until it is closed. For
   * a damaged row, this call or `readRows` rejects with StoreDamagedError.
   */
  snapshot(): Promise<StoreSnapshot>;
  /**
   * Stores rows of one exported table, as a snapshot returned them. A row whose key exists is ignored. Missing columns
   * get the schema's default. Store a row after the rows that it refers to: use the order of a snapshot's tables.
   * Throws RangeError for another table.
   */
  putRows(table: string, rows: readonly StoredRow[]): Promise<void>;
  /** Reads everything, verifies every checksum, and counts each kind of problem. Empty for a sound store. */
  check(): Promise<StoreProblem[]>;
  /**
   * Erases everything about these hashes: reports of any reporter (even damaged ones), links, entries of the
   * allow-list, and what is kept of deleted reports. Erases reports like `removeReport`, and keeps no claim. But with
   * `claimRules`, the other hashes of a report stay as its claim if its newest dispute is open or upheld. With
   * `ofReporter`, also erases what is kept of its deleted reports, and the oldest `reports` of a reporter that were
   * made up to `erasedAt`; repeat the call until it erases none. With `reportsAtOnce`, erases at most twice as many
   * reports of the hashes; repeat the call while the result has `more`.
   *
   * Rejects with StoreDamagedError, having erased nothing, if a damaged identifier does not name its report, or cannot
   * be deleted because of a damaged index.
   */
  erase(
    erasure: {
      readonly hashes: readonly string[];
      readonly erasedAt: number;
      readonly ofReporter?: { readonly reporterId: string; readonly reports: number } | undefined;
      /** See `CLAIM_RULES`. */
      readonly claimRules?: number | undefined;
      /** Random: from it come the hashes that a wrong report has instead of erased ones. */
      readonly nonce?: string | undefined;
      readonly reportsAtOnce?: number | undefined;
    },
    note?: AuditNote,
  ): Promise<EraseResult>;
  /**
   * Resolves when no file contains data that was deleted before the call. Rejects with StoreUnavailableError if the
   * data cannot be erased yet.
   */
  erased(): Promise<void>;
}

/** The content of a store at one moment. Later writes do not change it. */
export interface StoreSnapshot {
  /** The version of the exported tables. Stores of the same version have the same tables. */
  readonly schema: number;
  /** The exported tables. Each comes after the tables that its rows refer to. Learnt tables are not exported. */
  readonly tables: readonly StoredTable[];
  /** Returns rows of a table in key order, after the given row. */
  readRows(table: string, after: StoredRow | undefined, limit: number): Promise<StoredRow[]>;
  /** Releases memory and connections of the view. Calling it again has no effect. */
  close(): Promise<void>;
}

/** An exported table. */
export interface StoredTable {
  /** Name in SQL. */
  readonly name: string;
  /** All columns that are exported, in order. */
  readonly columns: readonly StoredColumn[];
  /** The columns that identify a row and sort the rows. Text sorts by its UTF-8 bytes. */
  readonly key: readonly string[];
  /** True for a log: rows are only appended. A copy of the store may have appended more since. */
  readonly grows?: true;
  /** The version of the exported tables that added the table. Older exports do not have it. */
  readonly since: number;
}

/** A column of an exported table. `whole` is a safe integer. For `bytes` and `text`, a row holds text. */
export interface StoredColumn {
  /** Name in SQL, and key in a {@link StoredRow}. */
  readonly name: string;
  /** `bytes` are hex text in a row; `whole` is an integer. */
  readonly type: 'bytes' | 'whole' | 'text';
  /** True if a row may have null. */
  readonly nullable: boolean;
  /** Exact number of bytes. */
  readonly bytes?: number;
  /** The version that added the column to its table. It is null in the rows of older exports. */
  readonly since?: number;
}

/** A row as an object, by column name. Bytes are lowercase hex text. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** A kind of problem in a store. */
export interface StoreProblem {
  /** Text without stored values, such as `reports without their reporter`. */
  readonly problem: string;
  /** How often it was found. */
  readonly count: number;
}

/** The result of {@link StoreUpkeep.erase}. It is the only copy of the erased data: remove the data from caches too. */
export interface EraseResult {
  /** The erased live reports. */
  readonly reports: readonly ErasedReport[];
  /** Number of erased links. */
  readonly links: number;
  /** Number of erased entries of the allow-list, including past ones. */
  readonly protections: number;
  /** True if reports of the hashes are left. */
  readonly more?: true;
}

/** A report that was erased. */
export interface ErasedReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** All identifiers of the report, also those that were not asked for. */
  readonly identifiers: readonly Identifier[];
}

/** The latest date: ECMAScript, section 21.4.1.1. Pages and commands fail for a later moment. */
const MAX_MOMENT_MS = 8.64e15;
/**
 * No text that an engine stores has these: control characters, overrides of direction, and lone surrogates, which have
 * no UTF-8 form, so that a store would return other text than it received.
 */
const NEVER_STORED = /[^\P{Cc}\t\n\r]|[\u202d\u202e\p{Surrogate}]/u;

/** True for the name in SQL of a column that has milliseconds since the epoch, UTC. */
export function isMoment(name: string): boolean {
  return /(?:^|_)at(?:_ms)?$/.test(name);
}

/** False for a moment that is no date, and for a text that no engine stores. `name` is that of the column in SQL. */
export function isStorable(name: string, value: unknown): boolean {
  if (typeof value === 'string') return !NEVER_STORED.test(value);
  return typeof value !== 'number' || !isMoment(name) || Math.abs(value) <= MAX_MOMENT_MS;
}
