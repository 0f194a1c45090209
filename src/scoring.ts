/**
 * The scoring models, their constants and the explanation of a score.
 *
 * @module redflag/scoring
 */
export {
  createCalibration,
  type Calibration,
  type CalibrationMap,
  type CalibrationSupport,
} from './scoring/calibration.ts';
export { configureLinkClaim } from './scoring/configure.ts';
export {
  LINK_CLAIM_CONSTANTS,
  type KindConstants,
  type LinkClaimConstants,
  type TrustConstants,
} from './scoring/constants.ts';
export type { Evidence, EvidenceReport, SharedIdentifier, Standing } from './scoring/evidence.ts';
export type {
  ExplainedIdentifier,
  ExplainedReport,
  ExplainedVoice,
  Explanation,
  VoicePart,
} from './scoring/explanation.ts';
export { createLinkClaimModel } from './scoring/link-claim.ts';
export type { Measure, ScoringModel, Tally } from './scoring/model.ts';
export { createOneVoiceModel, createReportCountModel, createSeveritySumModel } from './scoring/comparisons.ts';
export { explainInWords } from './scoring/sentences.ts';
export type { TrustRules } from './scoring/standings/rules.ts';
export type { KnownReporter, TrustLedger } from './scoring/standings/ledger.ts';
export type { Sighting } from './scoring/standings/pairs.ts';
export type { TrustRecord, TrustSums } from './domain/trust-record.ts';
export type { ReporterTrust, TrustMeans, TrustTable } from './scoring/standings/table.ts';
