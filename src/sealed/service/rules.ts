import type { LinkClaimConstants } from '../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../core/scoring/link-claim-model.ts';
import type { JsonObject } from '../json.ts';
import { isKindList, isTypeList } from '../codes.ts';
import type { MatchKinds } from '../manifest-format.ts';
import { OTHER_KIND, OTHER_TYPE } from '../rows.ts';
import type { PublishedRules } from './make-snapshot.ts';

const MAX_KINDS = OTHER_KIND;
const MAX_TYPES = OTHER_TYPE;

/** How the service scores. */
export interface ScoredBy {
  /** All constants of the service's link × claim model. */
  readonly constants: LinkClaimConstants;
  /** Offence types of the service. */
  readonly types: readonly string[];
  readonly matchKinds: MatchKinds;
  /** Further kinds to list. With `exact`, each reported kind must be listed. Default: none. */
  readonly kinds?: readonly string[];
}

/**
 * Returns the rules with which a client computes the scores of the service: each kind and type with constants of its
 * own has a code. Throws RangeError if there are more than 31 kinds or 63 types: the rows have no codes for them.
 */
export function toPublishedRules({ constants, types, matchKinds, kinds = [] }: ScoredBy): PublishedRules {
  // A name that no report can have needs no code.
  const listed = [...new Set([...Object.keys(constants.kinds), ...kinds])].filter((kind) => isKindList([kind]));
  const named = [...new Set([...types, ...Object.keys(constants.typeWeights)])].filter((type) => isTypeList([type]));
  if (listed.length > MAX_KINDS)
    throw new RangeError(`the sealed look-up expected at most ${MAX_KINDS} kinds with constants, got ${listed.length}`);
  if (named.length > MAX_TYPES)
    throw new RangeError(`the sealed look-up expected at most ${MAX_TYPES} offence types, got ${named.length}`);
  const model = { name: createLinkClaimModel(constants).name, constants: constants as unknown as JsonObject };
  return { kinds: listed, types: named, model, matchKinds };
}
