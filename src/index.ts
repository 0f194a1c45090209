/**
 * The engine: reports, deletions, queries and views, and the types of the domain. Runs on any runtime.
 *
 * @module redflag
 */
export type { PersonalDataKind, PersonalDataPolicy } from './core/domain/personal-data.ts';
export type { Identifier, IdentifierKind, SealedIdentifier } from './core/domain/identifier.ts';
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
export type { IssuedKey, KeyInfo, KeyScope, Reporter } from './core/domain/reporter.ts';
export type { QueryResult, Verdict } from './core/domain/verdict.ts';
export { WrongRuntimeError } from './core/domain/wrong-runtime.ts';
export type { Authentication } from './core/engine/authenticate.ts';
export type { AddressLimit, EngineContext, KeyLimit } from './core/engine/context.ts';
export type { EngineStore } from './core/engine/coordination.ts';
export { createEngine, type Engine, type EngineLoad, type EngineOptions } from './core/engine/engine.ts';
export type { EngineNotice } from './core/engine/notices.ts';
export { PepperError, pepperFingerprint } from './core/engine/pepper.ts';
export type { QueryDraft, QueryRequest, SealableQuery } from './core/engine/query.ts';
export type { SealableReport } from './core/engine/report.ts';
export type { BoundReporter, Reporters } from './core/engine/reporters.ts';
export { SealError, type PreviousSeal, type Seal } from './core/engine/seal.ts';
export { SecretError } from './core/engine/secret-check.ts';
export { secretFingerprint } from './core/engine/secrets.ts';
export { createSeededRandom } from './core/engine/seeded-random.ts';
export type { Service, ServiceRules } from './core/engine/service.ts';
export {
  StoreDamagedError,
  StoreError,
  StoreFormatError,
  StoreKeyError,
  StoreUnavailableError,
} from './core/store/errors.ts';
export type { Store } from './core/store/store.ts';
