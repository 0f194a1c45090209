import { optionError, requireString } from '../core/domain/options.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../core/scoring/constants.ts';
import { createLinkClaimModel } from '../core/scoring/link-claim-model.ts';
import type { ScoringModel } from '../core/scoring/model.ts';
import { createOneVoiceModel, createReportCountModel, createSeveritySumModel } from './comparisons.ts';
import { requireList, requireObject } from './options.ts';

/** Name of a scoring model that the lab compares. */
export type ModelName = 'link-claim' | 'default' | 'one-voice' | 'report-count' | 'severity-sum';

const MODELS = {
  /** The default model with the given constants. */
  'link-claim': (constants: LinkClaimConstants) => createLinkClaimModel(constants),
  /** The default model with the default constants, for comparison with changed ones. */
  default: () => createLinkClaimModel(LINK_CLAIM_CONSTANTS),
  'one-voice': (constants: LinkClaimConstants) => createOneVoiceModel(constants),
  'report-count': () => createReportCountModel(),
  'severity-sum': () => createSeveritySumModel(),
} satisfies Record<ModelName, (constants: LinkClaimConstants) => ScoringModel>;

/** Names of the scoring models that the lab compares. */
export const MODEL_NAMES = Object.keys(MODELS) as readonly ModelName[];

/** Creates models by name. Throws RangeError for an unknown or repeated name, TypeError for another type. */
export function createModels(
  names: readonly string[],
  constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS,
): ScoringModel[] {
  requireList('model', names);
  requireObject('constants', constants);
  if (new Set(names).size !== names.length) throw optionError(RangeError, 'model', 'each name once');
  return names.map((given) => {
    requireString('model', given);
    const name = MODEL_NAMES.find((known) => known === given);
    if (name === undefined) throw optionError(RangeError, 'model', `one or more of ${MODEL_NAMES.join(', ')}`);
    return MODELS[name](constants);
  });
}
