import type { Dispute } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { Protection } from '../domain/protection.ts';
import type { KeyInfo, Reporter } from '../domain/reporter.ts';
import type { StoreUpkeep } from './upkeep.ts';

export type {
  Erased,
  ErasedReport,
  StoredColumn,
  StoredRow,
  StoredTable,
  StoreProblem,
  StoreSnapshot,
  StoreUpkeep,
} from './upkeep.ts';

/**
 * Where reports live. The store keeps facts and knows no policy: ids, digests and times are made by the engine and handed in,
 * so the same calls give the same content.
 *
 * Promises that every adapter keeps (`test/contract/store.ts` holds them to it):
 * - Each method is one transaction: it happens wholly or not at all, also when the process dies in the middle.
 * - When a writing method has resolved, what it wrote survives as the adapter promises (memory: while the store is open; a file: `kill -9`).
 *   A writing method that found nothing to write resolves only when everything it relied on has survived too.
 * - A method rejects only with {@link StoreUnavailableError}, of which {@link StoreDamagedError} is one (what it wrote is undone before anything else is answered), or on misuse.
 * - What is read from a row is as it was written, and no row comes twice, or the method rejects with {@link StoreDamagedError}. Rows that can no longer be
 *   found, and what is only counted or compared (`count`, `countRemovedAfter`, `findSharings`, `readOldHashes`, what is taken, the links that make room for
 *   others), only `check` proves.
 * - Hashes, ids and digests are lowercase hex text here, whatever the adapter stores. Times are integer milliseconds UTC.
 */
export interface Store extends StoreUpkeep {
  /** `taken` says that the id is in use; the caller draws another. */
  addReporter(reporter: Reporter): Promise<'added' | 'name-taken' | 'taken'>;
  /** Sets what an operator may change. */
  updateReporter(change: { readonly reporterId: string; readonly suspended: boolean }): Promise<'updated' | 'unknown'>;
  listReporters(): Promise<Reporter[]>;
  /** The reporters of these ids, in any order; unknown ids are left out. */
  findReporters(reporterIds: readonly string[]): Promise<Reporter[]>;

  addKey(key: StoredKey): Promise<'added' | 'unknown-reporter' | 'taken'>;
  /** Lets a key end at `endsAt`; a key that ends sooner keeps its end. */
  endKey(change: { readonly keyId: string; readonly endsAt: number }): Promise<'ended' | 'unknown'>;
  listKeys(): Promise<KeyInfo[]>;
  /** The key with this digest and its reporter. */
  findKey(digest: string): Promise<{ readonly key: StoredKey; readonly reporter: Reporter } | undefined>;

  /**
   * Stores a report, unless a live report with the same fingerprint was created after `sameSince`: then that one is answered and nothing
   * is stored. `taken` says that the report id is in use (also by a removed report); the caller draws another.
   */
  addReport(report: StoredReport, sameSince: number): Promise<AddedReport>;
  /**
   * Erases text, type, severity and identifiers, the reasons of its disputes, and takes what nobody reports any more out of every link. What stays is the id,
   * its reporter and when, and how its disputes ended.
   * A report of another reporter is `unknown`, by the same road.
   */
  removeReport(removal: {
    readonly reportId: string;
    readonly reporterId: string;
    readonly removedAt: number;
  }): Promise<RemovedReport>;

  /**
   * Every identifier of a live report that has one of these hashes: one range read a hash. When `reader`, the id of the reporter that asks, is named, an adapter may
   * answer from a copy that lacks what others wrote a moment ago; never what the reader has written or removed, nor a dispute, an erasure or a move to another pepper.
   */
  findMatches(hashes: readonly string[], asked?: { readonly reader: string }): Promise<Match[]>;
  /** The live ones among these reports, newest first (ties by id), with their reporter's name. */
  findReports(reportIds: readonly string[]): Promise<FoundReport[]>;

  /**
   * Adds identifiers to a link, which comes into being with the first. What nobody reports (any more) is left out. At most `linksPerHash` links hold
   * one hash: the oldest give way.
   */
  putLink(link: StoredLink, linksPerHash: number): Promise<void>;
  /** The identifiers behind a link, in no particular order. */
  findLink(linkHash: string): Promise<Identifier[] | undefined>;

  /** Opens a dispute about a live report, or again about one that was disputed before it was deleted. `open` says that one is open already. */
  openDispute(dispute: {
    readonly reportId: string;
    readonly openedAt: number;
    readonly openedBy: string;
    readonly reason: string;
  }): Promise<'opened' | 'open' | 'unknown'>;
  /** Decides the open dispute about a report, which may have been deleted meanwhile. */
  decideDispute(decision: {
    readonly reportId: string;
    readonly upheld: boolean;
    readonly decidedAt: number;
    readonly decidedBy: string;
  }): Promise<'decided' | 'none'>;
  /** The disputes about these reports, in any order. */
  findDisputes(reportIds: readonly string[]): Promise<Dispute[]>;
  /** All disputes, the newest first; those about deleted reports too. */
  listDisputes(): Promise<Dispute[]>;

  /** Puts a hash on the allow-list; `protected` says that it is there already, at `addedAt`. */
  addProtection(protection: Omit<Protection, 'endedBy'> & Peppered): Promise<'added' | 'protected'>;
  /** Ends what protects a hash at `endsAt`. */
  endProtection(end: {
    readonly hash: string;
    readonly endsAt: number;
    readonly endedBy: string;
  }): Promise<'ended' | 'none'>;
  /** Everything that ever protected one of these hashes. */
  findProtections(hashes: readonly string[]): Promise<Protection[]>;
  /** The whole allow-list with its past, by hash, oldest first. */
  listProtections(): Promise<Protection[]>;

  /** Identifiers of live reports in the order of hash, kind, reporter, time, report and position, after the given one: the pages of a walk over everything, but for the kinds that are left out. */
  readIdentifiers(
    after: IdentifierPosition | undefined,
    limit: number,
    withoutKinds?: readonly string[],
  ): Promise<StoredIdentifier[]>;
  /** The identifiers of these reports, in any order; of deleted ones none. */
  findIdentifiers(reportIds: readonly string[]): Promise<StoredIdentifier[]>;
  /**
   * Who has reported these hashes under which kinds, and when first; a report may be left out. `atMs` is the moment whose disputes say which were wrong.
   * Costs a step a reporter, not a report.
   */
  findSharings(hashes: readonly string[], exceptReportId: string | undefined, atMs: number): Promise<StoredSharing[]>;
  /** Replaces what is learnt of reporters. */
  putTrust(trust: StoredTrust): Promise<void>;
  findTrust(): Promise<StoredTrust | undefined>;
  /** Which table `findTrust` would give. */
  findTrustEpoch(): Promise<Pick<StoredTrust, 'rules' | 'epochAt' | 'learntAt'> | undefined>;
  /** Live reports created at a moment or later, oldest first (ties by id), after a given one: the pages of what is new. */
  readReports(page: {
    readonly from: number;
    readonly after: DatedReport | undefined;
    readonly limit: number;
  }): Promise<DatedReport[]>;
  /** The reports that were deleted after a moment, by id. */
  findRemovedAfter(atMs: number): Promise<string[]>;
  /** How many they are. */
  countRemovedAfter(atMs: number): Promise<number>;

  /** The peppers under which hashes are kept, oldest first: a hash of generation n has gone through the first n. Their fingerprints, never themselves. */
  findPeppers(): Promise<StoredPepper[]>;
  /** Adds the next one; `taken` says that it is not the next. */
  addPepper(pepper: {
    readonly generation: number;
    readonly fingerprint: string;
    readonly addedAt: number;
  }): Promise<'added' | 'taken'>;
  /** Nothing is of an earlier generation any more. */
  finishPepper(finish: { readonly generation: number; readonly finishedAt: number }): Promise<void>;
  /** Stored hashes of an earlier generation, in their order, after a given one (empty: from the first), each with its generation. */
  readOldHashes(page: {
    readonly generation: number;
    readonly after: string;
    readonly limit: number;
  }): Promise<OldHash[]>;
  /** Puts hashes in the place of others, wherever they are stored, as of a generation. Answers how many were there. */
  rehash(moves: readonly { readonly from: string; readonly to: string }[], generation: number): Promise<number>;

  /** There when other processes may write to the same store. */
  readonly shared?: SharedStore;

  /** Numbers for an operator: live reports, removed ones, identifiers of live reports, links, reporters. */
  count(): Promise<StoreCounts>;
  /** Waits for running writes and frees what the store holds. A second call does nothing. */
  close(): Promise<void>;
}

/** A key as it is kept: only its digest. */
export interface StoredKey extends KeyInfo {
  /** 64 hex characters. */
  readonly digest: string;
}

/** What holds hashes says under how many of the operator's peppers they are; 0 unless given. */
export interface Peppered {
  readonly generation?: number;
}

/** A pepper as it is known to the store. */
export interface StoredPepper {
  /** From 1. */
  readonly generation: number;
  /** 16 hex characters. */
  readonly fingerprint: string;
  readonly addedAt: number;
  /** When the last hash of an earlier generation was moved; null while that goes on. */
  readonly finishedAt: number | null;
}

export interface OldHash {
  readonly hash: string;
  readonly generation: number;
}

/** A report as it is kept. */
export interface StoredReport extends Peppered {
  /** 16 hex characters; a one-way image of the deletion code, so the code needs no place of its own. */
  readonly reportId: string;
  /** 16 hex characters; with the operator's secret it gives the deletion code again. */
  readonly nonce: string;
  /** 32 hex characters; equal for equal requests of one reporter. */
  readonly fingerprint: string;
  readonly reporterId: string;
  readonly type: string;
  readonly severity: number;
  readonly text: string;
  readonly createdAt: number;
  readonly identifiers: readonly Identifier[];
}

/** What became of {@link Store.addReport}. */
export type AddedReport =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'same'; readonly reportId: string; readonly nonce: string }
  | { readonly outcome: 'taken' };

/** What became of {@link Store.removeReport}: what was erased is told once, to whom must forget it too. */
export type RemovedReport =
  | { readonly outcome: 'removed'; readonly createdAt: number; readonly identifiers: readonly Identifier[] }
  | { readonly outcome: 'already-removed' | 'unknown' };

/** One identifier of one live report, with all that scoring needs to know of the report. */
export interface Match extends Identifier {
  readonly reportId: string;
  readonly reporterId: string;
  readonly type: string;
  readonly severity: number;
  readonly createdAt: number;
  /** True when there ever was a dispute about it. */
  readonly disputed: boolean;
}

/** Where an identifier stands in the walk over all. */
export interface IdentifierPosition extends Identifier {
  readonly reporterId: string;
  readonly createdAt: number;
  readonly reportId: string;
  readonly position: number;
}

/** One identifier of a live report, as the walk gives it. */
export interface StoredIdentifier extends IdentifierPosition {
  /** True when there ever was a dispute about the report. */
  readonly disputed: boolean;
}

export interface StoredSharing extends Identifier {
  readonly reporterId: string;
  readonly firstAt: number;
  /** When first by a report that was not found wrong; null: by none. */
  readonly rightAt: number | null;
}

/** What is learnt of reporters: the records and means that standings follow from. */
export interface StoredTrust {
  readonly rules: string;
  readonly epochAt: number;
  /** When it was learnt: tells two tables of one epoch apart. */
  readonly learntAt: number;
  readonly sums: {
    readonly claims: number;
    readonly preceded: number;
    readonly establishedClaims: number;
    readonly establishedCorroborated: number;
  };
  readonly records: readonly {
    readonly reporterId: string;
    readonly verified: boolean;
    readonly claims: number;
    readonly preceded: number;
    readonly lost: number;
    readonly corroborated: number;
    readonly confirmable: number;
    readonly led: number;
    readonly echoed: number;
    readonly matureClaims: number;
    readonly maturePreceded: number;
  }[];
}

/** Whose a report is and when it came. */
export interface DatedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
}

/** A report with its reporter's name. */
export interface FoundReport {
  readonly reportId: string;
  readonly type: string;
  readonly severity: number;
  readonly text: string;
  readonly createdAt: number;
  readonly reporter: string;
}

/** A link and those identifiers of its set that match a live report: of people whom nobody reported nothing is kept. */
export interface StoredLink {
  /** 40 hex characters. */
  readonly linkHash: string;
  readonly identifiers: readonly Identifier[];
  readonly createdAt: number;
}

export interface StoreCounts {
  readonly reports: number;
  readonly removed: number;
  readonly identifiers: number;
  readonly links: number;
  readonly reporters: number;
}

/** What several processes over one store need of it to act as one. */
export interface SharedStore {
  /** Takes the right to do something that one process does at a time; undefined while another one has it. Whoever dies gives it back. */
  lease(name: string): Promise<{ release(): Promise<void> } | undefined>;
  /**
   * Takes one token from a bucket of `requests` tokens that fills evenly in `windowMs`, full when it is new. 0: taken; otherwise the milliseconds until there is one.
   * @param bucket 32 hex characters.
   */
  takeToken(
    bucket: string,
    limit: { readonly requests: number; readonly windowMs: number },
    nowMs: number,
  ): Promise<number>;
}

/**
 * The store cannot answer now (its disk or server is gone or full). What was acknowledged is safe; the caller may try again later. The message is logged: it holds nothing that is
 * stored or was handed in, as the error of a driver may, which is its `cause`.
 */
export class StoreUnavailableError extends Error {
  override readonly name: string = 'StoreUnavailableError';
}

/**
 * What would have been answered is not what was written: the checksum of a row says so, or a row that it refers to cannot be found. Trying again does not help; `check` counts such
 * rows, and a backup has them whole. The message names the table and nothing that is stored.
 */
export class StoreDamagedError extends StoreUnavailableError {
  override readonly name = 'StoreDamagedError';
}
