/**
 * The engine with its operator calls, and the types of the domain. Runs on any runtime.
 *
 * @module redflag
 */
import { createAdministration, type Administration } from './operator/admin/administration.ts';
import { createAuditLog, type AuditLog } from './operator/admin/audit-log.ts';
import { createAllowList, type AllowList } from './operator/admin/allow-list.ts';
import { createDisputes, type Disputes } from './operator/admin/disputes.ts';
import { createFindReports, type FindReports } from './operator/admin/find-reports.ts';
import { createErasure, type Erasure } from './operator/admin/erasure.ts';
import { createReporterView, type ReporterView } from './operator/admin/own-reports.ts';
import { createSealing, type Sealing } from './operator/admin/sealing.ts';
import { createSignIns, type SignIns } from './operator/admin/sign-ins.ts';
import { createStandings, type Standings } from './operator/admin/standings.ts';
import { createRandom } from './core/crypto/random.ts';
import { toAuditNote } from './core/domain/actor.ts';
import { accept, unwrap, type Outcome } from './core/domain/refusal.ts';
import { refuseUnknown } from './core/domain/options.ts';
import { createBoundReporters, type BoundReporters } from './operator/admin/bound-reporter.ts';
import { createContext, SETTING_NAMES, type ServiceOptions } from './core/engine/create-context.ts';
import type { Effects } from './core/engine/effects.ts';
import { explain, type ExplainRequest, type QueryExplanation } from './core/engine/explain.ts';
import type { PepperStatus } from './core/engine/peppers.ts';
import { createService, type SealableService, type ServiceRules } from './core/engine/service.ts';
import { createLink } from './core/protocol/link.ts';

export type { Administration } from './operator/admin/administration.ts';
export type { AuditLog } from './operator/admin/audit-log.ts';
export type { AllowList } from './operator/admin/allow-list.ts';
export type { BoundReporter, BoundReporters } from './operator/admin/bound-reporter.ts';
export type { Disputes } from './operator/admin/disputes.ts';
export type { ErasedIdentifiers, Erasure } from './operator/admin/erasure.ts';
export type { FindReports } from './operator/admin/find-reports.ts';
export type { OwnReport, OwnReports, ReporterUsage, ReporterView } from './operator/admin/own-reports.ts';
export type { Sealing } from './operator/admin/sealing.ts';
export type { SignIns } from './operator/admin/sign-ins.ts';
export type { ReporterStanding, Standings } from './operator/admin/standings.ts';
export type {
  AuditAction,
  AuditedAction,
  AuditEntry,
  AuditPage,
  AuditNote,
  AuditVerification,
  DamagedEntry,
} from './core/domain/audit.ts';
export type {
  Dispute,
  DisputeFilter,
  DisputeRequest,
  DisputeRequestPlace,
  DisputeState,
} from './core/domain/dispute.ts';
export type { Identifier, IdentifierKind, SealedIdentifier } from './core/domain/identifier.ts';
export type { CountedDay, ReportOfReporter, ReportPlace } from './core/domain/own-report.ts';
export type { PersonalDataKind, PersonalDataPolicy } from './core/domain/personal-data.ts';
export type { Protection } from './core/domain/protection.ts';
export type { Outcome, RateLimit, Refusal, RefusalReason } from './core/domain/refusal.ts';
export { RefusedError, unwrap } from './core/domain/refusal.ts';
export type { OffenceType, PublicReport, ReportDraft, ReportReceipt } from './core/domain/report.ts';
export { OFFENCE_TYPES } from './core/domain/report.ts';
export type { IssuedKey, KeyFilter, KeyInfo, KeyScope, Reporter } from './core/domain/reporter.ts';
export type { SignIn, SignInKind } from './core/domain/sign-in.ts';
export type { QueryResult, Verdict } from './core/domain/verdict.ts';
export type { Webhook, WebhookProgress } from './core/domain/webhook.ts';
export { WrongRuntimeError } from './core/domain/wrong-runtime.ts';
export type { ExplainRequest, QueryExplanation } from './core/engine/explain.ts';
export type { PastScore, RecordVoice } from './core/engine/record-parts.ts';
export type { Authentication } from './core/engine/authenticate.ts';
export type { AddressLimit, KeyLimit } from './core/engine/context.ts';
export type { EngineNotice } from './core/engine/notices.ts';
export type { ExplainedQueryResult, QueryDraft, QueryRequest, SealableQuery } from './core/engine/query.ts';
export { PepperError, pepperFingerprint } from './core/engine/pepper.ts';
export type { PepperStatus } from './core/engine/peppers.ts';
export type { ReporterReceipt, SealableReport } from './core/engine/report.ts';
export type { PublishedPage, PublishedPageRequest, PublishedRow } from './core/engine/sealed-rows.ts';
export { SealError, type PreviousSeal, type Seal } from './core/engine/seal.ts';
export type { SealStatus } from './core/engine/seals.ts';
export { SecretError } from './core/engine/secret-check.ts';
export { secretFingerprint } from './core/engine/secrets.ts';
export { createSeededRandom } from './core/engine/seeded-random.ts';
export type { PublicRecord, ReporterContact } from './core/engine/record.ts';
export type { DisputeDraft } from './core/engine/request-dispute.ts';
export type {
  ComputedIdentifiers,
  CountedRequest,
  SealableService,
  Service,
  ServiceRules,
  TakenElements,
} from './core/engine/service.ts';
export type {
  AddedReport,
  AskedBucket,
  AskedFacts,
  AskedKey,
  AskedNewest,
  AskedReports,
  AskedTokens,
  DatedReport,
  DisputeRequestRemoval,
  FoundKey,
  FoundReport,
  IdentifierPosition,
  KeyUsage,
  KnownOfHashes,
  LinkedIdentifier,
  ListedReport,
  MatchedIdentifier,
  NewKey,
  NewReporter,
  OldHash,
  Peppered,
  RemovedReport,
  ReporterChange,
  ReportPage,
  SealedRow,
  StoreCounts,
  StoredFacts,
  StoredIdentifier,
  StoredKey,
  StoredLink,
  StoredPepper,
  StoredReport,
  StoredSharing,
  StoredSignIn,
  StoredTrust,
  TakenBucket,
  TakenTokens,
  UsedDay,
} from './core/store/records.ts';
export type { ConcealedIdentifier, HashMove, OldElement, Sealed, StoredSeal } from './core/store/sealed.ts';
export type { SealStore } from './core/store/seals.ts';
export type {
  DisputeRequestStore,
  Lease,
  SharedStore,
  SignInStore,
  Store,
  StoreReporters,
  WebhookStore,
} from './core/store/store.ts';
export type {
  Erased,
  ErasedReport,
  StoredColumn,
  StoredRow,
  StoredTable,
  StoreProblem,
  StoreSnapshot,
  StoreUpkeep,
} from './core/store/upkeep.ts';
export {
  StoreDamagedError,
  StoreError,
  StoreFormatError,
  StoreKeyError,
  StoreUnavailableError,
} from './core/store/errors.ts';
export { copyRows, type CopiedRows, type TargetKeys } from './stores/transfer/copy-rows.ts';
export { readExport } from './stores/transfer/read-export.ts';
export { readSnapshot, type RowSource, type SourceHead, type SourceRow } from './stores/transfer/row-source.ts';
export { ExportError, TransferError, type TransferProblem } from './stores/transfer/transfer-errors.ts';
export { writeExport } from './stores/transfer/write-export.ts';

/** The four operations of the service, and the operator's tasks. */
export interface Engine
  extends
    SealableService,
    Administration,
    BoundReporters,
    Standings,
    Disputes,
    FindReports,
    ReporterView,
    AllowList,
    Erasure,
    AuditLog,
    Sealing,
    SignIns {
  /**
   * Verifies that the store belongs to the given secret, peppers and sealing key, and loads the standings. The first
   * operation does the same; call `ready` at startup to detect an error, and so that no client waits. Rejects with
   * SecretError for another secret, with PepperError for other peppers, and with SealError for another sealing key, or
   * none, if the store is sealed.
   */
  ready(): Promise<void>;
  /**
   * Explains the answer to a query, now or at a past moment. For the operator only: needs no key, has no request limit
   * and saves no link.
   */
  explain(request: ExplainRequest): Promise<Outcome<QueryExplanation>>;
  /** Returns the fingerprints of the store's peppers. Rejects with PepperError if the engine has other peppers. */
  pepperStatus(): Promise<PepperStatus>;
  /**
   * Applies all given peppers, and then the new `pepper`, to the stored hashes. Other operations continue meanwhile. To
   * continue an interrupted rotation, repeat the call. Returns the number of moved identifiers. Rejects with RangeError
   * if the store uses every pepper already and no rotation is unfinished. `by` is the person who rotates, for the audit
   * log (default `engine`): for another name than 1 to 80 code points, rejects with RefusedError.
   */
  rotatePepper(request?: { readonly pepper?: string | Uint8Array; readonly by?: string | undefined }): Promise<number>;
  /** Returns what clients may know about the service: address, offence types and bounds. Never refused. */
  describe(): Promise<Outcome<ServiceRules>>;
  /** Returns figures for monitoring. Reads nothing from the store. */
  load(): EngineLoad;
  /** Waits for running writes and closes the store. */
  close(): Promise<void>;
}

/** Figures for monitoring. */
export interface EngineLoad {
  /** Requests to the viewer that read reports now, and that wait to do so. */
  readonly views: { readonly reading: number; readonly waiting: number };
  /** Day of the standings in use (ms UTC). Undefined before the first request, or if the model has no standings. */
  readonly standingsEpochAt: number | undefined;
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends Omit<ServiceOptions, keyof Effects> {
  /** Public base address of the service, e.g. `https://reports.example`. Links begin with it (protocol 4.4). */
  readonly publicUrl: string;
  /**
   * Returns milliseconds since 1970 (UTC); default: the machine's clock. Clocks of processes that share a store may
   * differ by up to ten minutes.
   */
  readonly clock?: () => number;
  /**
   * Returns milliseconds that never go back, for request limits; default: `performance.now`, and in a shared store the
   * store's clock. For tests: processes that share a store need one source.
   */
  readonly monotonic?: () => number;
  /**
   * Returns fresh bytes; default: the platform's cryptographic source. With a fixed clock and {@link
   * createSeededRandom}, the same calls return the same results.
   */
  readonly random?: (byteCount: number) => Uint8Array;
  /** Resolves after the given time; default: `setTimeout`. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const waitForTimer = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Node needs `unref`. A browser's timer is a number. */
function startTimer(milliseconds: number, task: () => void): () => void {
  const timer: ReturnType<typeof setTimeout> & { unref?: () => unknown } = setTimeout(task, milliseconds);
  timer.unref?.();
  return () => clearTimeout(timer);
}

/**
 * Returns an engine that uses a store. Throws TypeError or RangeError for an invalid option. Operations return refusals
 * as values. The engine owns the store: `close` closes both.
 */
export function createEngine(options: EngineOptions): Engine {
  const { publicUrl, clock, monotonic, random, wait, ...settings } = options;
  refuseUnknown(settings, SETTING_NAMES);
  const context = createContext({
    ...settings,
    clock: clock ?? Date.now,
    monotonic: monotonic ?? (() => performance.now()),
    storeTime: monotonic,
    random: random ?? createRandom(),
    wait: wait ?? waitForTimer,
    later: startTimer,
    giveTurn: () => waitForTimer(0),
    linkTo: createLink(publicUrl),
  });
  const { secretCheck, peppers, standings, store, usage, views, bounds } = context;
  const rules: ServiceRules = {
    publicUrl,
    offenceTypes: [...context.offenceTypes],
    bounds: { identifiers: bounds.identifiers, textCharacters: bounds.textCharacters },
  };
  const administration = createAdministration(context);
  return {
    ...createService(context),
    ...secretCheck.guard({
      ...administration,
      ...createBoundReporters(context, administration),
      ...createStandings(context),
      ...createDisputes(context),
      ...createFindReports(context),
      ...createReporterView(context),
      ...createAllowList(context),
      ...createErasure(context),
      ...createAuditLog(context),
      ...createSealing(context),
      ...createSignIns(context),
      explain: (request: ExplainRequest) => explain(context, request),
      pepperStatus: () => peppers.status(),
      rotatePepper: async ({
        pepper,
        by,
      }: { readonly pepper?: string | Uint8Array; readonly by?: string | undefined } = {}) =>
        peppers.rotate(pepper, context.giveTurn, unwrap(toAuditNote(by, context.clock))),
      ready: async () => {
        await peppers.status();
        await standings?.current();
      },
    }),
    describe: async () => accept(rules),
    load: () => ({ views: views.load(), standingsEpochAt: standings?.epochAt() }),
    async close() {
      await standings?.idle();
      await usage.save();
      await store.close();
    },
  };
}
