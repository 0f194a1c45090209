/**
 * The scoring models, their constants and the explanation of a score.
 *
 * @module redflag/scoring
 */
export { createCalibration, type Calibration } from './core/scoring/calibration.ts';
export type { CalibrationMap, CalibrationSupport } from './core/scoring/calibration-map.ts';
export { configureLinkClaim } from './core/scoring/configure.ts';
export {
  LINK_CLAIM_CONSTANTS,
  type KindConstants,
  type LinkClaimConstants,
  type TrustConstants,
} from './core/scoring/constants.ts';
export type { Evidence, EvidenceReport, SharedIdentifier, Standing } from './core/scoring/evidence.ts';
export type {
  ExplainedIdentifier,
  ExplainedReport,
  ExplainedVoice,
  Explanation,
  VoicePart,
} from './core/scoring/explanation.ts';
export { createLinkClaimModel } from './core/scoring/link-claim-model.ts';
export type { ExplainingModel, Measure, ScoringModel, Tally } from './core/scoring/model.ts';
export { createOneVoiceModel, createReportCountModel, createSeveritySumModel } from './lab/comparisons.ts';
export { explainInWords } from './operator/sentences.ts';
export type { TrustRules } from './core/scoring/standings/rules.ts';
export type { KnownReporter, TrustLedger } from './core/scoring/standings/ledger.ts';
export type { Sighting } from './core/scoring/standings/pairs.ts';
export type { TrustRecord, TrustSums } from './core/domain/trust-record.ts';
export type { ReporterTrust, TrustMeans, TrustTable } from './core/scoring/standings/table.ts';
