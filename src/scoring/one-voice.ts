import { kindConstants, LINK_CLAIM_CONSTANTS, proveConstants, type LinkClaimConstants } from './constants.ts';
import { linkOf } from './link.ts';
import type { ScoringModel } from './model.ts';
import { createSummingModel } from './summing.ts';

/** A comparison: the severities added up, each reporter once, weighted by kind and age as the default model does it, and everybody trusted alike. */
export function createOneVoiceModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ScoringModel {
  proveConstants(constants);
  return createSummingModel({
    name: 'one-voice/1',
    weightOfKind: (kind) => kindConstants(constants, kind).weight,
    strengthOf: (report) => report.severity * linkOf(report, constants),
    linkOf: (report) => linkOf(report, constants),
    everyReport: false,
  });
}
