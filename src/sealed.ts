/**
 * The sealed look-up: scores of persons without telling the service whom you ask about. Experimental: no cryptographer
 * has reviewed it yet.
 *
 * @module redflag/sealed
 */
export type { SealedAnswer, SealedScore, SealedStale, SealedUnknown, UnknownReason } from './sealed/client/answers.ts';
export type { SealedClientOptions } from './sealed/client/client-options.ts';
export { ClientFolder, type ClientFiles } from './sealed/client/client-folder.ts';
export {
  createSealedClient,
  type PrepareResult,
  type PrepareOptions,
  type RefreshResult,
  type SealedCallOptions,
  type SealedClient,
  type SealedQueryOptions,
  type SealedReceipt,
  type WatchOptions,
} from './sealed/client/sealed-client.ts';
export type { SealedWatch, WatchAnswer, WatchedCustomer, WatchedScore } from './sealed/client/watch.ts';
export { SealedError, type SealedCode, type SealedErrorDetails, type SealedServiceCode } from './sealed/errors.ts';
export type { PublishedPage, PublishedPageRequest, PublishedRow } from './sealed/engine/sealing.ts';
export type { Random } from './sealed/group/group.ts';
export { createSealing, type Sealable, type Sealing } from './sealed/engine/sealing.ts';
export { sealIdentifiers, type Seal, type SealedIdentifier } from './sealed/engine/concealment.ts';
export type { LastSeen } from './sealed/manifest.ts';
export type { Identifier } from './core/domain/identifier.ts';
export type { ReportDraft } from './core/domain/report.ts';
export type { Verdict } from './core/domain/verdict.ts';
export type { ScoringModel } from './core/scoring/model.ts';
export type { Explanation } from './core/scoring/explanation.ts';
