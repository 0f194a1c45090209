export { createLinkClaimModel, scoreUnrounded } from './scoring/link-claim.ts';
export { LINK_CLAIM_CONSTANTS, type KindConstants, type LinkClaimConstants } from './scoring/constants.ts';
export type { Evidence, EvidenceReport, SharedIdentifier, Standing } from './scoring/evidence.ts';
export type { ScoringModel } from './scoring/model.ts';
