export { createCalibration, type CalibrationMap } from './scoring/calibration.ts';
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
export type { Measure, ScoringModel } from './scoring/model.ts';
export { createOneVoiceModel } from './scoring/one-voice.ts';
export { createReportCountModel } from './scoring/report-count.ts';
export { explainInWords } from './scoring/sentences.ts';
export { createSeveritySumModel } from './scoring/severity-sum.ts';
export type { TrustRules } from './scoring/trust.ts';
export type { Sighting, TrustLedger } from './scoring/trust-ledger.ts';
export type { ReporterTrust, TrustMeans, TrustRecord, TrustSums, TrustTable } from './scoring/trust-table.ts';
