import {
  kindConstants,
  LINK_CLAIM_CONSTANTS,
  validateConstants,
  type LinkClaimConstants,
} from '../core/scoring/constants.ts';
import { createLinkTable, linkOf } from '../core/scoring/link-claim.ts';
import type { ExplainingModel } from '../core/scoring/model.ts';
import { createSummingModel } from './summing.ts';

/** Every report adds to the sum, and all kinds have the same weight. */
const ALIKE = { weightOfKind: () => 1, linkOf: () => 1, everyReport: true };

/** Returns a model for comparison: the number of matching reports. */
export function createReportCountModel(): ExplainingModel {
  return createSummingModel({ ...ALIKE, name: 'report-count/1', strengthOf: () => 1 });
}

/** Returns a model for comparison: the sum of the severities of all matching reports, as in the oldest services. */
export function createSeveritySumModel(): ExplainingModel {
  return createSummingModel({ ...ALIKE, name: 'severity-sum/1', strengthOf: ({ severity }) => severity });
}

/**
 * Returns a model for comparison: each reporter adds the strength of its strongest report. The strength is severity
 * times the sum of the faded weights. All reporters have the same standing. Throws TypeError or RangeError for invalid
 * constants.
 */
export function createOneVoiceModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ExplainingModel {
  validateConstants(constants);
  const links = createLinkTable(constants);
  return createSummingModel({
    name: 'one-voice/1',
    weightOfKind: (kind) => kindConstants(constants, kind).weight,
    strengthOf: ({ severity, shared, ageDays }) => {
      const weights = shared.map(({ kind }) => links.fadedWeightOf(kind, ageDays));
      // Float sums depend on the order of their terms.
      return severity * weights.sort((a, b) => a - b).reduce((sum, weight) => sum + weight, 0);
    },
    linkOf: (report) => linkOf(report, links),
    everyReport: false,
  });
}
