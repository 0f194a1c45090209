import { createAdministration, type Administration } from './admin/administration.ts';
import { createAllowList, type AllowList } from './admin/allow-list.ts';
import { createDisputes, type Disputes } from './admin/disputes.ts';
import { createErasure, type Erasure } from './admin/erasure.ts';
import { createStandings, type Standings } from './admin/standings.ts';
import type { Outcome } from './domain/refusal.ts';
import { createContext, type ServiceOptions } from './engine/create-context.ts';
import { explain, type ExplainRequest, type QueryExplanation } from './engine/explain.ts';
import type { PepperStatus } from './engine/peppers.ts';
import { createService, type Service } from './engine/service.ts';
import { createLink } from './protocol/link.ts';

export type { Administration } from './admin/administration.ts';
export type { AllowList } from './admin/allow-list.ts';
export type { Disputes } from './admin/disputes.ts';
export type { ErasedIdentifiers, Erasure } from './admin/erasure.ts';
export type { ReporterStanding, Standings } from './admin/standings.ts';
export type { Dispute } from './domain/dispute.ts';
export type { Identifier } from './domain/identifier.ts';
export type { Protection } from './domain/protection.ts';
export type { Outcome, RateLimit, Refusal, RefusalReason } from './domain/refusal.ts';
export { RefusedError, unwrap } from './domain/refusal.ts';
export type { PublicReport, ReportDraft, ReportReceipt } from './domain/report.ts';
export { OFFENCE_TYPES } from './domain/report.ts';
export type { IssuedKey, KeyInfo, Reporter } from './domain/reporter.ts';
export type { QueryResult, Verdict } from './domain/verdict.ts';
export type { ExplainRequest, QueryExplanation } from './engine/explain.ts';
export type { ExplainedQueryResult, QueryRequest } from './engine/query.ts';
export { PepperError, pepperFingerprint, type PepperStatus } from './engine/peppers.ts';
export { secretFingerprint } from './engine/secrets.ts';
export { createSeededRandom } from './engine/seeded-random.ts';
export type { Service } from './engine/service.ts';
export type { Store, StoredColumn, StoredRow, StoredTable, StoreProblem, StoreSnapshot } from './store/store.ts';
export { StoreDamagedError, StoreUnavailableError } from './store/store.ts';
export { copyRows, type CopiedRows, type TargetKeys } from './transfer/copy-rows.ts';
export { readExport } from './transfer/read-export.ts';
export { readSnapshot, type RowSource, type SourceHead, type SourceRow } from './transfer/row-source.ts';
export { ExportError, TransferError, type TransferProblem } from './transfer/transfer-errors.ts';
export { writeExport } from './transfer/write-export.ts';

/** The four operations of the service, and the operator's work: reporters and keys, standings, disputes, the allow-list, erasure. */
export interface Engine extends Service, Administration, Standings, Disputes, AllowList, Erasure {
  /** What a query would answer and why, now or at an earlier moment; for the operator: it takes no key, counts against no limit and leaves no link. */
  explain(request: ExplainRequest): Promise<Outcome<QueryExplanation>>;
  /** Under which peppers the store is, by their fingerprints. Rejects with PepperError when they are not the given ones. */
  pepperStatus(): Promise<PepperStatus>;
  /**
   * Puts what is stored under the given peppers that it is not under yet, and under `pepper` on top of them, while everything else goes on; goes on where it was interrupted.
   * Resolves with the number of identifiers that were moved. Rejects with RangeError when there is no new pepper.
   */
  rotatePepper(request?: { readonly pepper?: string | Uint8Array }): Promise<number>;
  /** Waits for running writes and closes the store. */
  close(): Promise<void>;
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends Omit<ServiceOptions, 'linkTo' | 'clock' | 'random' | 'giveTurn'> {
  /** Where the service's base is reachable, e.g. `https://reports.example`; links begin with it (spec 4.4). */
  readonly publicUrl: string;
  /** Milliseconds since the epoch; the machine's clock unless given. */
  readonly clock?: () => number;
  /** Fresh bytes; the platform's cryptographic source unless given. With a fixed clock and {@link createSeededRandom} the same calls give the same bytes. */
  readonly random?: (byteCount: number) => Uint8Array;
}

/**
 * An engine over a store. Throws TypeError or RangeError when an option is wrong; afterwards expected failures are values.
 * The store belongs to the engine from here on.
 */
export function createEngine(options: EngineOptions): Engine {
  const context = createContext({
    ...options,
    clock: options.clock ?? Date.now,
    random: options.random ?? ((byteCount) => globalThis.crypto.getRandomValues(new Uint8Array(byteCount))),
    giveTurn: () => new Promise((resolve) => setTimeout(resolve)),
    linkTo: createLink(options.publicUrl),
  });
  return {
    ...createService(context),
    ...createAdministration(context),
    ...createStandings(context),
    ...createDisputes(context),
    ...createAllowList(context),
    ...createErasure(context),
    explain: async (request) => explain(context, request),
    pepperStatus: () => context.peppers.status(),
    rotatePepper: ({ pepper } = {}) => context.peppers.rotate(pepper, context.giveTurn),
    async close() {
      await context.trust?.idle();
      await context.store.close();
    },
  };
}
