import type {
  AuditedAction,
  AuditEntry,
  AuditNote,
  AuditPage,
  AuditVerification,
  DamagedEntry,
} from '../domain/audit.ts';
import type { Dispute, DisputeFilter, DisputeRequest, DisputeRequestPlace } from '../domain/dispute.ts';
import type { Identifier } from '../domain/identifier.ts';
import type { Protection } from '../domain/protection.ts';
import type { PublicReport } from '../domain/report.ts';
import type { KeyFilter, KeyInfo, Reporter, SignIn } from '../domain/reporter.ts';
import type { Webhook, WebhookProgress } from '../domain/webhook.ts';
import type {
  AddReportResult,
  CaseAnswer,
  FactsRequest,
  KeyRequest,
  NewestRequest,
  TokensRequest,
  NewIdentifier,
  DatedReport,
  DisputeRequestRemoval,
  FoundAlike,
  KeyWithReporter,
  HashMove,
  IdentifierPosition,
  KeyGenerations,
  KeyUsage,
  MatchedIdentifier,
  NewCaseMessage,
  NewDisputeRequest,
  NewKey,
  NewReporter,
  OldHash,
  RemoveReportResult,
  SpendRequest,
  ReporterChange,
  StoreCounts,
  StoredElementKey,
  StoredFacts,
  StoredIdentifier,
  StoredLink,
  StoredPepper,
  StoredReport,
  StoredSharing,
  StoredSignIn,
  StoredTrust,
  TokensResult,
  DayUsage,
} from './records.ts';
import type { SqlWork } from './sql/statement.ts';
import type { StoreUpkeep } from './upkeep.ts';

/**
 * Stores reports. The store keeps facts and has no policy. The engine makes ids, digests and times, so the same calls
 * produce the same content.
 *
 * Every adapter guarantees (tested by `test/contract/store.ts`):
 * - Each method is one transaction: it happens completely or not at all, even if the process is killed in the middle.
 * - A resolved write is as durable as the adapter promises (memory: while the store is open; a file: `kill -9`). A
 *   method that found nothing to write resolves only when all data that it relied on is durable too.
 * - A method rejects only with a `StoreError` (`errors.ts`), or for misuse. Its writes are rolled back first.
 * - A row is returned as it was written, and only once. Otherwise, the method rejects with `StoreDamagedError`. Only
 *   `check` detects rows that cannot be found any more, and damage in data that is just counted or compared (`count`,
 *   `countRemovedAfter`, `findLinkHash`, `findSharings`, `readOldHashes`, ids in use, evicted links).
 * - A method with a `note` records its action in the audit log, in its transaction. It records nothing without a note,
 *   or if it changes nothing; an erasure is always recorded.
 * - Hashes, ids and digests are lowercase hex text, whatever the adapter stores. Times are whole milliseconds UTC.
 */
export interface Store extends StoreReporters, StoreUpkeep, SignInStore, DisputeRequestStore, WebhookStore {
  /** `taken`: the id is in use. Draw another one. */
  addReporter(reporter: NewReporter, note?: AuditNote): Promise<'added' | 'name-taken' | 'taken'>;
  /** Returns all reporters, oldest first (ties by name). */
  listReporters(): Promise<Reporter[]>;
  /** Returns the reporters with these ids, in any order. Unknown ids are left out. */
  findReporters(reporterIds: readonly string[]): Promise<Reporter[]>;
  /** Returns the reporter that has exactly this name. */
  findReporterNamed(name: string): Promise<Reporter | undefined>;
  /**
   * Adds a key. `replaces` ends another key in the same write, before the end with which that one was issued.
   * `too-many`: the reporter has `maxKeys` keys that work when the new key is created, or `maxPerDay` that were created
   * in the 24 hours before it. `unknown-key`: the replaced key is unknown, has been replaced, or has ended when the new
   * key is created.
   */
  addKey(
    key: NewKey,
    note?: AuditNote,
    replaces?: { readonly keyId: string; readonly endsAt: number },
    maxKeys?: number,
    maxPerDay?: number,
  ): Promise<'added' | 'unknown-reporter' | 'taken' | 'unknown-key' | 'too-many'>;
  /**
   * Ends a key at `endsAt`. A key that ends sooner keeps its end. `replaced`: another key takes its place. Only
   * journals of older programs have it.
   */
  endKey(
    change: { readonly keyId: string; readonly endsAt: number; readonly replaced?: boolean },
    note?: AuditNote,
  ): Promise<'ended' | 'unknown'>;
  /** Returns all keys, or those that the filter selects, oldest first (ties by id). Leaves out their digests. */
  listKeys(filter?: KeyFilter): Promise<KeyInfo[]>;
  /** Returns the key with this digest, and its reporter. A shared store also takes the token if the key works. */
  findKey(request: KeyRequest): Promise<KeyWithReporter | undefined>;
  /**
   * Adds to the counts of identifiers by reporter and day, and saves on which day keys were last used; a later day
   * stays. Ignores unknown keys. Pass only reporters that exist. A new day of a reporter deletes its oldest one, if
   * that is more than 338 days before `since`: a year is kept.
   *
   * Returns the added days, with the counts before and after. If several processes add at once, each count is the
   * `before` of one process at most.
   */
  addUsage(usage: KeyUsage): Promise<DayUsage[]>;
  /**
   * Counts identifiers against the budget of a reporter. Returns 0 if they were counted, otherwise the milliseconds
   * until they may be. Any 24 hours have at most 1.05 times the budget, over all processes and after crashes, and a
   * request within the budget is not refused. Most calls write nothing: a process takes a part of the budget ahead.
   */
  spend(request: SpendRequest): number | Promise<number>;
  /** True if {@link spend} has refused a request of the reporter in this process, and has not asked again since. */
  isSpent(reporterId: string, nowMs: number): boolean;
  /** Takes back what a {@link spend} of this process counted. */
  giveBack(reporterId: string, cost: number): void;

  /**
   * Stores a report. If a live report with the same fingerprint was created after `sameSince`, returns that one
   * instead.
   * `taken`: the report id is in use, possibly by a removed report. Draw another one.
   *
   * If the report repeats a claim that was found wrong, stores it with an upheld dispute, and records this in the audit
   * log.
   *
   * For a new report, also returns what the store knew about `hashes`, unless one of them has very many reports or a
   * disputed one. Then ask with `findSharings`.
   */
  addReport(report: StoredReport, sameSince: number, hashes?: readonly string[]): Promise<AddReportResult>;
  /**
   * Erases text, type, severity, identifiers, reasons and answers of disputes, and requests for disputes. Removes
   * hashes without a live report from every link. Keeps the id, its reporter, the time of removal and the outcome of
   * disputes. With `claimRules`, requests stay.
   * A report of another reporter is `unknown`. The same statements run in both cases.
   *
   * `keepsClaim`: also keeps the identifiers if a person found the report wrong, or if its dispute is open. They only
   * tell which later reports repeat its claim, and lead an erasure to the cases of persons. So they also stay if a case
   * is about the report. Older journals lack this.
   */
  removeReport(removal: {
    readonly reportId: string;
    readonly reporterId: string;
    readonly removedAt: number;
    readonly keepsClaim?: boolean;
    /** If given, requests that wait about the report stay, and keep its identifiers. See `CLAIM_RULES`. */
    readonly claimRules?: number | undefined;
  }): Promise<RemoveReportResult>;

  /** Returns every identifier of a live report that has one of these hashes, with one range read per hash. */
  findMatches(hashes: readonly string[]): Promise<MatchedIdentifier[]>;
  /**
   * Reads the data on which the answer to a query depends, in one call. Matches are those of {@link findMatches}. If
   * the request has a reader or a key and is not `newest`, an adapter may read them on a replica that lacks recent
   * writes of other reporters. The replica always has the reader's own writes and removals, disputes, erasures, and
   * moves to another pepper.
   */
  findFacts(request: FactsRequest): Promise<StoredFacts>;
  /**
   * Returns the ids of live reports with one of these identifiers, in the fair order of `inFairOrder`: each reporter's
   * newest report first. Leaves out those with an upheld dispute. If the last ones have the same millisecond, any of
   * them may be left out. Cost grows with `limit` and the number of reporters, not of reports.
   */
  findNewest(request: NewestRequest): Promise<readonly string[]>;
  /**
   * Present if no other process writes to the store. Returns a number that grows whenever {@link findNewest} may return
   * other reports of these hashes. Read it before you call `findNewest`.
   */
  readonly stampOf?: (hashes: readonly string[]) => number;
  /** Returns the live reports among these, newest first (ties by id), with their reporter's name. */
  findReports(reportIds: readonly string[]): Promise<PublicReport[]>;

  /**
   * Adds identifiers to a link; creates a missing link. Leaves out hashes without a live report. A hash is in at most
   * `linksPerHash` links of one owner: the owner's oldest one is evicted, and no other.
   */
  putLink(link: StoredLink, linksPerHash: number): Promise<void>;
  /** Returns the identifiers of a link, in any order. */
  findLink(linkHash: string): Promise<Identifier[] | undefined>;
  /** Returns the hash of the only link that begins with these 16 hex digits; undefined for none and for several. */
  findLinkHash(firstDigits: string): Promise<string | undefined>;

  /**
   * Opens a dispute about a live report, or about a deleted one with earlier disputes or requests, and deletes the
   * requests about it. `open`: one is already open, or was opened at `openedAt` or later.
   */
  openDispute(
    dispute: {
      readonly reportId: string;
      readonly openedAt: number;
      readonly openedBy: string;
      readonly reason: string;
    },
    note?: AuditNote,
  ): Promise<'opened' | 'open' | 'unknown'>;
  /**
   * Decides the open dispute about a report, even if the report was deleted meanwhile. If rejected, deletes what
   * `removeReport` kept, unless a case needs it. `continued`: upheld the reports of `found`, and the dispute is still
   * open.
   */
  decideDispute(
    decision: {
      readonly reportId: string;
      readonly upheld: boolean;
      readonly decidedAt: number;
      readonly decidedBy: string;
      /**
       * If given, upholds also reports that the reporter made since the dispute was opened, about the same person.
       * Hashes on the allow-list are too weak to say so. So are identifiers of these kinds and domains; with
       * `claimRules`, only if another reporter names the hash, too.
       */
      readonly weakKinds?: readonly string[] | undefined;
      /** True: also those that it made before the dispute was opened. */
      readonly alike?: boolean | undefined;
      /**
       * If given, and the report was deleted before its first dispute, upholds also those since the deletion. See
       * `CLAIM_RULES`.
       */
      readonly claimRules?: number | undefined;
      /** If given, upholds only these reports, and those made since their search. */
      readonly found?: FoundAlike | undefined;
      /** What all persons with a case about the report read, if the dispute is decided. */
      readonly answer?: CaseAnswer | undefined;
    },
    note?: AuditNote,
  ): Promise<'decided' | 'continued' | 'none'>;
  /**
   * Takes back the decision of `decidedAt` about a report: its dispute is open again. `none`: it is not the newest
   * decision, a later dispute was opened, or the report was deleted and a rejection may have deleted what was kept.
   */
  reopenDispute(
    decision: { readonly reportId: string; readonly decidedAt: number },
    note?: AuditNote,
  ): Promise<'reopened' | 'none'>;
  /** Returns the disputes about these reports, in any order. */
  findDisputes(reportIds: readonly string[]): Promise<Dispute[]>;
  /** Returns all disputes, or those that the filter selects, newest first, including those about deleted reports. */
  listDisputes(filter?: DisputeFilter): Promise<Dispute[]>;

  /**
   * Puts a hash on the allow-list. `protected`: it is already on the list at `addedAt`, or was added at that time or
   * later.
   */
  addProtection(
    protection: Omit<Protection, 'endedBy'> & KeyGenerations & Pick<NewIdentifier, 'element'>,
    note?: AuditNote,
  ): Promise<'added' | 'protected'>;
  /** Ends the protection of a hash at `endsAt`. */
  endProtection(
    end: { readonly hash: string; readonly endsAt: number; readonly endedBy: string },
    note?: AuditNote,
  ): Promise<'ended' | 'none'>;
  /** Returns all entries for these hashes, including past ones. */
  findProtections(hashes: readonly string[]): Promise<Protection[]>;
  /** Returns all entries of the allow-list, including past ones, by hash, oldest first. */
  listProtections(): Promise<Protection[]>;

  /**
   * Returns a page of identifiers of live reports after the given one, except for `withoutKinds`. The order is hash,
   * kind, reporter, time, report and position.
   */
  readIdentifiers(
    after: IdentifierPosition | undefined,
    limit: number,
    withoutKinds?: readonly string[],
  ): Promise<StoredIdentifier[]>;
  /** Returns the identifiers of these reports, in any order. Deleted reports have none. */
  findIdentifiers(reportIds: readonly string[]): Promise<StoredIdentifier[]>;
  /** Returns what these reports named, in any order: also what is kept of deleted ones, without `createdAt`. */
  findNamed(
    reportIds: readonly string[],
  ): Promise<(Identifier & { readonly reportId: string; readonly createdAt?: number })[]>;
  /**
   * Returns which reporters reported these hashes, under which kinds, and when first. One report can be left out. The
   * disputes at `atMs` decide which reports were wrong. Cost grows with the number of reporters, not reports.
   */
  findSharings(hashes: readonly string[], exceptReportId: string | undefined, atMs: number): Promise<StoredSharing[]>;
  /** Replaces the learnt standings. */
  putTrust(trust: StoredTrust): Promise<void>;
  /** Returns the standings that were stored last. */
  findTrust(): Promise<StoredTrust | undefined>;
  /** Returns which standings `findTrust` would return. */
  findTrustEpoch(): Promise<Pick<StoredTrust, 'rules' | 'epochAt' | 'learntAt'> | undefined>;
  /** Returns a page of live reports created at `from` or later, oldest first (ties by id), after the given one. */
  readReports(page: {
    readonly from: number;
    readonly after: DatedReport | undefined;
    readonly limit: number;
  }): Promise<DatedReport[]>;
  /** Returns the sorted ids of reports that were deleted after a moment. */
  findRemovedAfter(atMs: number): Promise<string[]>;
  /** Returns how many reports were deleted after a moment. */
  countRemovedAfter(atMs: number): Promise<number>;

  /** Returns the fingerprints of the peppers, oldest first. A hash of generation n went through the first n peppers. */
  findPeppers(): Promise<StoredPepper[]>;
  /** Adds the next pepper. `taken`: the generation is not the next one. */
  addPepper(
    pepper: { readonly generation: number; readonly fingerprint: string; readonly addedAt: number },
    note?: AuditNote,
  ): Promise<'added' | 'taken'>;
  /** Records that no hash has an earlier generation any more. */
  finishPepper(finish: { readonly generation: number; readonly finishedAt: number }): Promise<void>;
  /** Returns a page of stored hashes of earlier generations, sorted, after the given one ('': from the first). */
  readOldHashes(page: {
    readonly generation: number;
    readonly after: string;
    readonly limit: number;
  }): Promise<OldHash[]>;
  /**
   * Replaces hashes wherever they are stored, and sets their generation. Returns how many of the hashes were found.
   */
  rehash(moves: readonly HashMove[], generation: number): Promise<number>;
  /** Returns the fingerprint of the element key. Empty if the store never had an element. */
  findElementKeys(): Promise<StoredElementKey[]>;
  /** Adds the element key of an empty store. `taken`: there is one. */
  addElementKey(key: Pick<StoredElementKey, 'fingerprint' | 'addedAt'>): Promise<'added' | 'taken'>;

  /** Returns the fingerprint of the secret with which the operator first used the store: 16 hex characters. */
  findSecretFingerprint(): Promise<string | undefined>;
  /**
   * Stores the fingerprint of the operator's secret. `known`: the store already has a fingerprint, this one or another;
   * nothing is changed. Exports and copies to another store omit the fingerprint, because it belongs to this store.
   * @param secret.fingerprint 16 hex characters.
   */
  adoptSecretFingerprint(secret: {
    readonly fingerprint: string;
    readonly adoptedAt: number;
  }): Promise<'adopted' | 'known'>;

  /**
   * Records an action that changes no other table. `known`: an entry of the same action and subject exists in the 24
   * hours from `dayAt` on (ms, UTC), and nothing is recorded.
   */
  addAuditEntry(action: AuditedAction, dayAt?: number): Promise<'added' | 'known'>;
  /**
   * Returns a page of the audit log. A damaged entry does not reject: only its `seq` is returned. With `action`, other
   * work runs while the log is searched.
   */
  listAudit(page: AuditPage): Promise<(AuditEntry | DamagedEntry)[]>;
  /**
   * Recomputes the chain of the audit log, and looks for the digest `head` in it. Damage does not reject. Stops at the
   * end of the page with the first damaged entry.
   */
  verifyAudit(head?: string): Promise<AuditVerification>;

  /**
   * Runs reading work of a feature outside the core: what only the feature reads stands beside the feature. Each
   * statement is consistent by itself. A server runs statements without a lock, and with the time limit of other calls.
   */
  read<T>(work: () => SqlWork<T>): Promise<T>;

  /** Present if other processes may write to the same store. */
  readonly shared?: SharedStore;

  /** Returns counts for an operator. */
  count(): Promise<StoreCounts>;
  /** Waits for running writes and releases all resources. A second call does nothing. */
  close(): Promise<void>;
}

/** Methods of a store as work. {@link Store} documents each. */
export type StoreWork = {
  readonly [M in Exclude<keyof Store, 'shared' | 'stampOf' | 'snapshot' | 'erased' | 'close'>]: (
    ...args: Parameters<Store[M]>
  ) => SqlWork<Awaited<ReturnType<Store[M]>>>;
};

/** What reporters see and change, and what the operator changes of them. The promises of {@link Store} hold. */
export interface StoreReporters {
  /** Changes what is given of a reporter. What is undefined stays. Records an action for each value that changes. */
  updateReporter(change: ReporterChange, note?: AuditNote): Promise<'updated' | 'unknown'>;
  /**
   * Stores what a reporter answers to the open dispute about its live report. Replaces an earlier answer. Nothing
   * changes if it is the same one.
   */
  answerDispute(
    answer: {
      readonly reportId: string;
      readonly reporterId: string;
      readonly answer: string;
      readonly answeredAt: number;
    },
    note?: AuditNote,
  ): Promise<'answered' | 'none'>;
}

/** The part of a store that keeps persons' requests for disputes. */
export interface DisputeRequestStore {
  /**
   * Adds a person's request for disputes about these reports, each once. Leaves out deleted reports, those with an open
   * dispute, and those about which `most` requests wait, or one with the same reason (see `numbered`). If `inAll`
   * requests wait, a report takes only its first one. Of the remaining reports, takes `reports`: those with the fewest
   * requests, then those given first. Returns the number of reports about which the request waits. `taken`: the id is
   * in use. The first request that waits about a report has an entry in the audit log.
   *
   * With `group`, only requests whose ids begin with it count. With `joins`, the id is that of a case: if requests with
   * the id wait, this one joins them, about further reports first, in the given order.
   *
   * With `perCase`, the first 15 digits of an id are the case, which has so many requests about a report, with
   * different reasons. If a case has none and there is no room, it takes the place of the newest request of the case
   * with the most, unless each has one.
   */
  addDisputeRequest(request: NewDisputeRequest, note?: AuditNote): Promise<number | 'taken'>;
  /** Returns at most `limit` requests after a place, oldest first; with `reporterId`, those about live reports. */
  findDisputeRequests(request: {
    readonly reporterId?: string | undefined;
    readonly requestId?: string | undefined;
    readonly after?: DisputeRequestPlace | undefined;
    readonly limit: number;
  }): Promise<DisputeRequest[]>;
  /**
   * Deletes a request, about one report or about all of its reports. With `requestIds`, deletes these requests about
   * one report. Returns the number of deleted rows. The audit log has an entry for each report of a request, or one
   * entry with the number of requests about the report.
   */
  removeDisputeRequests(removal: DisputeRequestRemoval, note?: AuditNote): Promise<number>;
  /**
   * Adds a message to each of these cases that exist and have room: `most` messages of one side, each text once.
   * Returns to how many it was added. Removes cases that ended before a moment (ms, UTC). A message
   * that was added has an entry in the audit log.
   */
  addCaseMessage(message: NewCaseMessage, note?: AuditNote): Promise<number>;
}

/** The part of a store that keeps webhooks. The promises of `Store` hold. */
export interface WebhookStore {
  /** Adds a webhook that gets the entries of the audit log from now on. `taken`: the id is in use. Draw another one. */
  addWebhook(
    webhook: Pick<Webhook, 'webhookId' | 'url' | 'reporterId' | 'createdAt'>,
    note?: AuditNote,
  ): Promise<'added' | 'unknown-reporter' | 'taken'>;
  /** Removes a webhook. Nothing is delivered to it any more. */
  removeWebhook(removal: { readonly webhookId: string }, note?: AuditNote): Promise<'removed' | 'unknown'>;
  /** Stores how far a webhook is. `behind`: it is farther already, and nothing changes. Records only a resumption. */
  moveWebhook(progress: WebhookProgress, note?: AuditNote): Promise<'moved' | 'behind' | 'unknown'>;
  /** Returns all webhooks, oldest first. Exports omit them. */
  listWebhooks(): Promise<Webhook[]>;
}

/** The part of a store that keeps who may sign in to the panel, and who did. The promises of `Store` hold. */
export interface SignInStore {
  /**
   * Adds a sign-in, and deletes those that have ended when it is created. A note records that a link was created.
   * `taken`: the digest is in use.
   */
  addSignIn(signIn: StoredSignIn, note?: AuditNote): Promise<'added' | 'unknown-reporter' | 'taken'>;
  /**
   * Deletes a link and adds the session that it starts. `unknown`: there is no such link, it was used before, or it
   * has ended at `atMs`.
   */
  startSession(
    start: { readonly linkDigest: string; readonly session: StoredSignIn; readonly atMs: number },
    note?: AuditNote,
  ): Promise<'started' | 'unknown'>;
  /** Moves the end of a session to a later time. One that has ended at `atMs`, or is unknown, is ignored. */
  renewSession(renewal: { readonly digest: string; readonly endsAt: number; readonly atMs: number }): Promise<void>;
  /** Returns the sign-in with this digest, even if it has ended. */
  findSignIn(digest: string): Promise<SignIn | undefined>;
  /**
   * Deletes one sign-in, or all links and sessions of a reporter (null: of the operator). A note records that all of
   * them were ended. Notes of forms stay.
   */
  endSignIns(of: { readonly digest: string } | { readonly reporterId: string | null }, note?: AuditNote): Promise<void>;
  /** True if the audit log has an entry of an operator who signed in. */
  hasOperatorSignedIn(): Promise<boolean>;
}

/** The right to a task. */
export interface Lease {
  /**
   * Asks whether the right still belongs to this holder. False after it was lost or given back, or if the store does
   * not answer. Never rejects.
   */
  isHeld(): Promise<boolean>;
  /** Gives the right back. */
  release(): Promise<void>;
}

/** Coordinates several processes on one store. */
export interface SharedStore {
  /**
   * Acquires the right to a task that only one process does at a time. Undefined while another holder has the right. A
   * crash releases it.
   */
  lease(name: string): Promise<Lease | undefined>;
  /** Takes tokens from buckets, without a key. */
  takeTokens(request: TokensRequest): Promise<TokensResult>;
  /** Returns the time of the clock that all processes share (ms, UTC). */
  nowMs(): Promise<number>;
}
