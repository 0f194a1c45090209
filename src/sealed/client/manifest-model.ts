import { configureLinkClaim } from '../../core/scoring/configure.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from '../../core/scoring/constants.ts';
import { createLinkClaimModel } from '../../core/scoring/link-claim-model.ts';
import type { ExplainingModel } from '../../core/scoring/model.ts';
import type { Manifest } from '../manifest-format.ts';
import { SealedModelError } from './errors.ts';

/** `link-claim/7`, and with changed constants `link-claim/7+0123abcd`. */
const LINK_CLAIM = new RegExp(`^link-claim/${LINK_CLAIM_CONSTANTS.version}(?:\\+[0-9a-f]{8})?$`);

/**
 * Returns the model of a manifest with the constants of the manifest. `given` is used if the manifest names it. Throws
 * {@link SealedModelError}: `unknown-model` for any other name, `invalid-constants` for constants that the model
 * refuses or does not know.
 */
export function modelOf({ name, constants }: Manifest['model'], given?: ExplainingModel): ExplainingModel {
  if (name === given?.name) return given;
  if (!LINK_CLAIM.test(name))
    throw new SealedModelError(
      'unknown-model',
      'the manifest names a model that this version lacks; update the client',
    );
  try {
    // Refuses names that this version does not know: they may change the score.
    configureLinkClaim(constants);
    return createLinkClaimModel(constants as unknown as LinkClaimConstants);
  } catch (cause) {
    const message = "the manifest's constants do not fit the model of this version; update the client";
    throw new SealedModelError('invalid-constants', message, { cause });
  }
}
