/**
 * The engine: reports, deletions, queries and views, and the types of the domain. Runs on any runtime.
 *
 * @module redflag
 */
import { createRandom } from './core/crypto/crypto.ts';
import type { ServiceOptions } from './core/engine/create-context.ts';
import { later } from './core/store/timers.ts';
import { composeEngine, type Engine } from './core/engine/engine.ts';
import { linkStart } from './core/protocol/link.ts';

export type { PersonalDataKind, PersonalDataPolicy } from './core/domain/personal-data.ts';
export type { Identifier, IdentifierKind } from './core/domain/identifier.ts';
export {
  RefusedError,
  unwrap,
  type Outcome,
  type RateLimit,
  type Refusal,
  type RefusalReason,
} from './core/domain/refusal.ts';
export {
  OFFENCE_TYPES,
  type OffenceType,
  type PublicReport,
  type ReportDraft,
  type ReportReceipt,
} from './core/domain/report.ts';
export type { TextProblem } from './core/domain/text.ts';
export type { IssuedKey, KeyInfo, KeyScope, Reporter } from './core/domain/reporter.ts';
export type { QueryResult, Verdict } from './core/domain/verdict.ts';
export { WrongRuntimeError } from './core/domain/redflag-error.ts';
export type { Authentication } from './core/engine/authenticate.ts';
export type { AddressLimit, KeyLimit } from './core/engine/limits.ts';
export type { WithContext } from './core/engine/context.ts';
export type { EngineStore } from './core/engine/context.ts';
export type { Engine, EngineLoad } from './core/engine/engine.ts';
export type { EngineNotice } from './core/engine/notices.ts';
export { PepperError, pepperFingerprint } from './core/engine/peppers.ts';
export type { QueryDraft, QueryRequest } from './core/engine/query.ts';
export type { BoundReporter, Reporters } from './core/engine/reporters.ts';
export { SecretError } from './core/engine/secrets.ts';
export { secretFingerprint } from './core/engine/secrets.ts';
export { createSeededRandom } from './core/engine/seeded-random.ts';
export type { Service, ServiceRules } from './core/engine/service.ts';
export {
  SealError,
  StoreDamagedError,
  StoreError,
  StoreFormatError,
  StoreKeyError,
  StoreUnavailableError,
} from './core/store/errors.ts';
export type { Store } from './core/store/store.ts';

/** Options of {@link createEngine}. */
export interface EngineOptions extends ServiceOptions {
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

/**
 * Returns an engine that uses a store. Throws TypeError or RangeError for an invalid option. Operations return refusals
 * as values. The engine owns the store: `close` closes both.
 */
export function createEngine(options: EngineOptions): Engine {
  const { publicUrl, clock, monotonic, random, wait, ...settings } = options;
  return composeEngine(publicUrl, linkStart(publicUrl), settings, {
    clock: clock ?? Date.now,
    monotonic: monotonic ?? performance.now.bind(performance),
    storeTime: monotonic,
    random: random ?? createRandom(),
    wait: wait ?? waitForTimer,
    later,
    giveTurn: () => waitForTimer(0),
  });
}
