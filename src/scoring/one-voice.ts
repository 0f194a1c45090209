import { kindConstants, LINK_CLAIM_CONSTANTS, proveConstants, type LinkClaimConstants } from './constants.ts';
import { createLinkTable, fadedWeights, linkOf } from './link.ts';
import type { ScoringModel } from './model.ts';
import { createSummingModel } from './summing.ts';

/** A comparison: severities added up, each reporter once at its strongest report, times the kinds' weights as they fade, added up too; everybody is trusted alike. */
export function createOneVoiceModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ScoringModel {
  proveConstants(constants);
  const links = createLinkTable(constants);
  return createSummingModel({
    name: 'one-voice/1',
    weightOfKind: (kind) => kindConstants(constants, kind).weight,
    strengthOf: (report) => report.severity * fadedWeights(report, links).reduce((sum, weight) => sum + weight, 0),
    linkOf: (report) => linkOf(report, links),
    everyReport: false,
  });
}
