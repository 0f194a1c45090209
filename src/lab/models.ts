import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../scoring/constants.ts';
import { createLinkClaimModel } from '../scoring/link-claim.ts';
import type { ScoringModel } from '../scoring/model.ts';
import { createOneVoiceModel } from '../scoring/one-voice.ts';
import { createReportCountModel } from '../scoring/report-count.ts';
import { createSeveritySumModel } from '../scoring/severity-sum.ts';

const MODELS = {
  /** The default model, with the constants that were given. */
  'link-claim': (constants: LinkClaimConstants) => createLinkClaimModel(constants),
  /** The default model as it comes, to compare changed constants with. */
  default: () => createLinkClaimModel(LINK_CLAIM_CONSTANTS),
  'one-voice': (constants: LinkClaimConstants) => createOneVoiceModel(constants),
  'report-count': () => createReportCountModel(),
  'severity-sum': () => createSeveritySumModel(),
} as const satisfies Record<string, (constants: LinkClaimConstants) => ScoringModel>;

export type ModelName = keyof typeof MODELS;

export const MODEL_NAMES = Object.keys(MODELS) as readonly ModelName[];

/** Models by their names, each once. Throws a RangeError for a name that is none, or given twice. */
export function createModels(
  names: readonly string[],
  constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS,
): ScoringModel[] {
  if (new Set(names).size !== names.length) throw new RangeError('"model" expected each name once');
  return names.map((name) => {
    if (!Object.hasOwn(MODELS, name)) throw new RangeError(`"model" expected some of ${MODEL_NAMES.join(', ')}`);
    return MODELS[name as ModelName](constants);
  });
}
