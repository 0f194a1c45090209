import type { Dispute, DisputeRequest } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { Protection } from '../domain/protection.ts';
import type { ReportDraft } from '../domain/report.ts';
import type { KeyInfo, KeyScope, Reporter, SignIn } from '../domain/reporter.ts';
import type { TrustRecord, TrustSums } from '../domain/trust-record.ts';

export type { StoreCounts } from '../domain/store-counts.ts';

/** A stored sign-in. Only its digest is stored. */
export interface StoredSignIn extends SignIn {
  /** 64 hex characters. */
  readonly digest: string;
}

/** A stored key. Only its digest is stored. */
export interface StoredKey extends KeyInfo {
  /** 64 hex characters. */
  readonly digest: string;
}

/** A key to store. Those in the journal of an older program lack the newer columns. */
export type NewKey = Omit<StoredKey, 'scope' | 'issuedUntil' | 'lastUsedAt' | 'keyName'> & Partial<StoredKey>;

/** A reporter to store. Those in the journal of an older program lack the columns of schemas 9 and 10. */
export type NewReporter = Omit<Reporter, 'identifiersPerDay' | 'contact'> & Partial<Reporter>;

/** Use of keys. Days are given by their start (ms, UTC). */
export interface KeyUsage {
  /** Days on which keys were used. */
  readonly keys: readonly { readonly keyId: string; readonly dayAt: number }[];
  /** Numbers of identifiers in queries; at most one entry per reporter and day. */
  readonly days: readonly { readonly reporterId: string; readonly dayAt: number; readonly identifiers: number }[];
  /** Counts of days before this one no longer matter (ms, UTC). */
  readonly since: number;
}

/** A reporter's day after {@link KeyUsage} was added. */
export interface DayUsage {
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Start of the day (ms, UTC). */ readonly dayAt: number;
  /** The count before the call. */
  readonly before: number;
  /** The count after the call. */ readonly identifiers: number;
  /** Number of stored days before this one. */
  readonly pastDays: number;
  /** Highest count of the stored days before this one; 0 without one. */ readonly busiest: number;
}

/** Tokens to take from the bucket of a limit (protocol 8). It starts full and refills evenly within `windowMs`. */
export interface TokensRequest {
  /** The time of the bucket (ms). Undefined: the store's own clock, which all processes share. Tests pass a time. */
  readonly nowMs: number | undefined;
  /** Hex characters. With a key, the store appends the id of the key's reporter: all its keys share one bucket. */
  readonly bucket: string;
  /** Maximum number of tokens in the bucket. */
  readonly requests: number;
  /** Time in which an empty bucket fills, in milliseconds. */ readonly windowMs: number;
  /**
   * What the request costs, at least 1. If it costs more than the bucket can have, it needs a full bucket, which is
   * then below zero.
   */
  readonly cost: number;
  /** How many to take, at least `cost`. If the bucket has fewer, `cost` is taken. */
  readonly tokens: number;
}

/** What a bucket gave. */
export interface TokensResult {
  /** How many were taken; 0 if the bucket had fewer than the cost. */
  readonly taken: number;
  /** Milliseconds until the bucket has the cost. 0 if it has it. */
  readonly waitMs: number;
  /** Tokens in the bucket now, with fractions. */
  readonly left: number;
}

/** Identifiers that a request sends, to count against the budget of its reporter. */
export interface SpendRequest {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Maximum number of identifiers in any 24 hours. */
  readonly budget: number;
  /** At least 1. A request that costs more than the budget needs an unused budget. */
  readonly cost: number;
  /** Time (ms, UTC) that never goes back while the process runs. */
  readonly nowMs: number;
  /** The time of a shared store (ms). Undefined: its own clock. Tests pass a time. */
  readonly storeMs?: number | undefined;
}

/** The key of a request. */
export interface KeyRequest {
  /** 64 hex characters. */
  readonly digest: string;
  /** Tokens to take if the key works. Only a shared store takes them. */
  readonly tokens?: TokensRequest | undefined;
  /** When the key must work (ms, UTC), and for what. Needed with `tokens`. */
  readonly atMs?: number;
  /** What the request does. A key with another scope takes no tokens. */ readonly needs?: KeyScope | undefined;
}

/** A key and its reporter. */
export interface KeyWithReporter {
  /** The key, whether it works now or not. */ readonly key: StoredKey;
  /** The key's reporter, suspended or not. */ readonly reporter: Reporter;
  /** Present if tokens were asked of a shared store. */
  readonly tokens?: TokensResult;
}

/** Which of the operator's keys a row has. */
export interface KeyGenerations {
  /** Number of peppers that were applied to the hashes. Default 0: no pepper. */ readonly generation?: number;
  /** Generation of the {@link StoredElementKey}, from 1. Needed with an element. */
  readonly seal?: number | undefined;
}

/** An identifier to store. */
export interface NewIdentifier extends Identifier {
  /** 32 bytes from which the hash follows, as 64 lowercase hex characters. Undefined without an element key. */
  readonly element?: string | undefined;
}

/** A pepper, of which the store keeps only a fingerprint. */
export interface StoredPepper {
  /** From 1. */
  readonly generation: number;
  /** 16 hex characters. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch, UTC. */ readonly addedAt: number;
  /** When the last hash of an earlier generation was moved; null until then. */
  readonly finishedAt: number | null;
}

/** A stored hash of an earlier generation of peppers. */
export interface OldHash {
  /** 40 hex characters. */ readonly hash: string;
  /** From 0, below that of the newest pepper. */ readonly generation: number;
}

/**
 * A key by which a feature makes elements. The store keeps only a fingerprint. Such a key is never rotated, so its
 * generation and its last two columns are always the same.
 */
export interface StoredElementKey {
  /** 1. */
  readonly generation: number;
  /** 16 hex characters. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch, UTC. */ readonly addedAt: number;
  /** As `addedAt`. */
  readonly finishedAt: number | null;
  /** Null. */
  readonly completeAt: number | null;
}

/** A hash to move, wherever it is stored. */
export interface HashMove {
  /** The stored hash, 40 hex characters. */ readonly from: string;
  /** The new one. */ readonly to: string;
}

/** A report to store. */
export interface StoredReport extends Omit<ReportDraft, 'identifiers'>, KeyGenerations {
  /** 16 hex characters, derived one-way from the deletion code. The code itself is not stored. */
  readonly reportId: string;
  /**
   * 16 hex characters. The deletion code is derived from it and the operator's secret, so a retry gets the same code.
   */
  readonly nonce: string;
  /** 32 hex characters. Equal requests of one reporter have the same fingerprint. */
  readonly fingerprint: string;
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */ readonly createdAt: number;
  /** In the order of submission. */ readonly identifiers: readonly NewIdentifier[];
  /**
   * Kinds that are too weak to say that two reports are about one person, if several reporters name the hash. If given,
   * a report that repeats a claim that was found wrong is stored with an upheld dispute. Undefined in the journals of
   * older programs.
   */
  readonly weakKinds?: readonly string[] | undefined;
  /**
   * If given, the kinds of a hash are bounded: beside these and the weak ones, it keeps at most 32, of which one report
   * may add 4. Further kinds are stored as `other`. Undefined in the journals of older programs.
   */
  readonly knownKinds?: readonly string[] | undefined;
}

/** The result of {@link Store.addReport}. */
export type AddReportResult =
  | {
      readonly outcome: 'added';
      readonly history?: HashHistory | undefined;
      /** A report of the same reporter about the same person was found wrong, so this one does not count. */
      readonly repeats?: true | undefined;
      /** The identifiers as they were stored, if some have the kind `other` instead of their own. */
      readonly identifiers?: readonly Identifier[] | undefined;
    }
  /** An equal request was stored within the retry window: these are its codes. */
  | { readonly outcome: 'same'; readonly reportId: string; readonly nonce: string }
  /** Another report has this id: retry with a new nonce. Nothing was stored. */
  | { readonly outcome: 'taken' };

/**
 * The result of {@link Store.removeReport}. It is the only copy of the erased data: remove the data from caches too.
 */
export type RemoveReportResult =
  | { readonly outcome: 'removed'; readonly createdAt: number; readonly identifiers: readonly Identifier[] }
  | { readonly outcome: 'already-removed' | 'unknown' };

/** One identifier of a live report, with all data of the report that scoring needs. */
export interface MatchedIdentifier extends Identifier {
  /** 16 lowercase hex characters. */ readonly reportId: string;
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Offence type. */ readonly type: string;
  /** 1 to 10. */ readonly severity: number;
  /** Milliseconds since the epoch, UTC. */ readonly createdAt: number;
  /** True if the report was ever disputed. */
  readonly disputed: boolean;
}

/** What a query asks the store for. */
export interface FactsRequest {
  /** 40 hex characters each, under the pepper. */ readonly hashes: readonly string[];
  /** The link of the set. Without it, `linkIdentifiers` of the answer is empty. */
  readonly linkHash?: string | undefined;
  /** The key of the query, to find together with the facts. */
  readonly key?: KeyRequest | undefined;
  /** The id of the querying reporter. Undefined if the key determines the reporter, or if the operator asks. */
  readonly reader?: string | undefined;
  /** True if no replica may answer. */
  readonly newest?: boolean | undefined;
  /** True to read no matches if a hash has very many: the answer then is `isCut`. */
  readonly short?: boolean | undefined;
}

/** All stored data on which the answer to a query depends, except for standings. */
export interface StoredFacts {
  /** Every identifier of a live report that has one of the hashes. */
  readonly matches: readonly MatchedIdentifier[];
  /** All entries of the allow-list for the asked hashes, including past ones. Empty if nothing matches. */
  readonly protections: readonly Protection[];
  /** All disputes about the matching reports. */
  readonly disputes: readonly Dispute[];
  /** The identifiers of the link. Empty if it is not stored, or if nothing matches. */
  readonly linkIdentifiers: readonly Identifier[];
  /** True if there are matches, but too many for the `short` read that was asked for. */
  readonly isCut?: boolean | undefined;
  /** The asked key. If it is unknown, or if its token was not taken, nothing matches. */
  readonly key?: KeyWithReporter | undefined;
}

/** The position of an identifier in the order of all identifiers. */
export interface IdentifierPosition extends Identifier {
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Time of the report (ms, UTC). */ readonly createdAt: number;
  /** 16 lowercase hex characters. */ readonly reportId: string;
  /** Position in the report, from 0. */ readonly position: number;
}

/** One identifier of a live report. */
export interface StoredIdentifier extends IdentifierPosition {
  /** True if the report was ever disputed. */
  readonly disputed: boolean;
}

export interface StoredSharing extends Identifier {
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Time of the reporter's first report of the hash (ms, UTC). */ readonly firstAt: number;
  /** Time of the first report that was not found wrong; null if there is none. */
  readonly rightAt: number | null;
}

/** What a store knew about the hashes of a report before it was added. */
export interface HashHistory {
  /** All entries of the allow-list for the hashes, including past ones. */
  readonly protections: readonly Protection[];
  /** One per hash, kind and reporter. */ readonly sharings: readonly StoredSharing[];
}

/** Learnt records and sums. Standings are computed from them. */
export interface StoredTrust {
  /** `TrustRules.name`. Records of other rules are not used. */ readonly rules: string;
  /** All reports before this time are included (ms, UTC). */ readonly epochAt: number;
  /** When the standings were learnt. Distinguishes two results for the same epoch. */
  readonly learntAt: number;
  /** Sums of the records. */ readonly sums: TrustSums;
  /** One per reporter. */ readonly records: readonly TrustRecord[];
}

/** The reporter and the time of a report. */
export interface DatedReport {
  /** 16 lowercase hex characters. */ readonly reportId: string;
  /** 16 lowercase hex characters. */ readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */ readonly createdAt: number;
}

/** What a view asks the store for. */
export interface NewestRequest {
  /** A report needs one of them. */ readonly identifiers: readonly Identifier[];
  /** True if the kind must match too, not only the hash. */
  readonly exactKinds: boolean;
  /** Maximum number of reports. */
  readonly limit: number;
  /** Only reports of this reporter. Undefined: of all. */
  readonly reporterId?: string | undefined;
  /** Only this report. Undefined: any. */
  readonly reportId?: string | undefined;
}

/** An identifier of a link. */
export interface LinkIdentifier extends Identifier {
  /**
   * 16 hex characters that stand for the reporter of the link and this identifier, and reveal neither. Undefined only
   * in the journal of an older program.
   */
  readonly owner?: string | undefined;
}

/** A link, with the identifiers of its set that match a live report. Nothing is stored about other people. */
export interface StoredLink {
  /** 40 hex characters. */
  readonly linkHash: string;
  /** Each hash and kind once. */ readonly identifiers: readonly LinkIdentifier[];
  /** Milliseconds since the epoch, UTC. */ readonly createdAt: number;
}

/** What may change of a reporter. What is undefined stays. */
export interface ReporterChange {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** True if the operator vouches for it. */
  readonly verified?: boolean | undefined;
  /** True to refuse all its keys. */
  readonly suspended?: boolean | undefined;
  /** Null: the budget of the engine's options. */
  readonly identifiersPerDay?: number | null | undefined;
  /** Public. Null: none. */
  readonly contact?: string | null | undefined;
}

/** Which requests to delete. */
export type DisputeRequestRemoval =
  | (RefusalOfRequests & { readonly requestId: string; readonly reportId?: string | undefined })
  | (RefusalOfRequests & {
      readonly requestId?: undefined;
      readonly reportId: string;
      readonly requestIds: readonly string[];
    });

/** What a refusal of requests has beside their ids. */
export interface RefusalOfRequests {
  /** What the persons of these requests read. Their cases go on to show that they were refused. */
  readonly answer?: CaseAnswer | undefined;
  /** See `CLAIM_RULES`. */
  readonly claimRules?: number | undefined;
}

/** The operator's answer to persons, in the write of a decision or a refusal. */
export type CaseAnswer = Pick<NewCaseMessage, 'text' | 'atMs' | 'most' | 'endedBefore'>;

/** Reports alike a disputed one, found before its decision. */
export interface FoundAlike {
  /** 16 lowercase hex characters each. */
  readonly reportIds: readonly string[];
  /** When the search began (ms, UTC). Undefined: more of them follow, so the decision waits. */
  readonly searchedAt?: number | undefined;
}

/** A person's request to store. See `DisputeRequestStore`. */
export interface NewDisputeRequest extends Pick<DisputeRequest, 'requestId' | 'requestedAt' | 'reason'> {
  /** 16 lowercase hex characters each. */
  readonly reportIds: readonly string[];
  /** How many requests may wait about a report. */
  readonly most: number;
  /** About how many of the reports it may wait. Undefined: all. */
  readonly reports?: number | undefined;
  /** 8 hex digits. */
  readonly group?: string | undefined;
  /** The id is that of a case, which this request joins. */
  readonly joins?: boolean | undefined;
  /** 1 to 16. Undefined: a case is an id, with one request about a report. */
  readonly perCase?: number | undefined;
  /** From 1. Undefined: no bound. A few more may wait if several processes add at once. */
  readonly inAll?: number | undefined;
  /**
   * The number with which the person asks for its case: the reports that take the request, or have it already, are
   * those of the case. Removes cases that ended before a moment (ms, UTC). With `follows`, reports with an open dispute
   * are among them, and a request is repeated only by its own sender. Older journals lack it.
   */
  readonly numbered?: { readonly caseId: string; readonly endedBefore: number; readonly follows?: boolean } | undefined;
}

/** A message to store in each of these cases. */
export interface NewCaseMessage {
  /** 16 lowercase hex characters each. */
  readonly caseIds: readonly string[];
  /** False: the person wrote it. */
  readonly fromOperator: boolean;
  /** 1 to 500 code points. */
  readonly text: string;
  /** Milliseconds since the epoch, UTC. */
  readonly atMs: number;
  /** How many messages of one side a case may have. */
  readonly most: number;
  /** Cases that ended before this moment (ms, UTC) are removed. */
  readonly endedBefore: number;
  /** The report that the message is about. The audit log names it with an answer of the operator. */
  readonly reportId?: string | undefined;
}

/**
 * `StoredTrust.rules` while rows are copied into a store. If the copy was interrupted, this mark stays, and only
 * {@link NOTHING_LEARNT} replaces it: a store with part of its rows is not for use, because its disputes come last.
 */
export const UNFINISHED_COPY = 'unfinished copy';

/** `StoredTrust.rules` of a store that has no learnt standings: storing it removes them. */
export const NOTHING_LEARNT = 'none';
