import { createCalibration } from './calibration.ts';
import { LINK_CLAIM_CONSTANTS, type LinkClaimConstants } from './constants.ts';
import { explainVoices } from './explain-voices.ts';
import type { Explanation } from './explanation.ts';
import { createLinkClaim } from './link-claim.ts';
import type { ExplainingModel } from './model.ts';

/**
 * Returns the default model, which also explains its verdicts. `createLinkClaim` has its formula. Throws TypeError or
 * RangeError for invalid constants. To change constants, use `configureLinkClaim`.
 */
export function createLinkClaimModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ExplainingModel {
  const { model, weigh } = createLinkClaim(constants);
  const calibration = constants.calibration === null ? undefined : createCalibration(constants.calibration);
  /** Takes a Reliability before calibration. */
  const intervalOf = (uncalibrated: number): Explanation['interval'] => {
    const interval = calibration?.intervalOf(Math.min(1, uncalibrated / 10));
    return interval === undefined ? 'unknown' : [10 * interval[0], 10 * interval[1]];
  };
  return {
    ...model,
    explain(evidence) {
      const { reach, slowingOf, points, reliability, calibrated, measure, verdict } = weigh(evidence, true);
      return {
        model: model.name,
        verdict,
        exact: {
          points: measure.points,
          reliability: measure.reliability,
          calibrated,
          uncalibrated: reliability.total,
        },
        interval: verdict.reported === 0 ? undefined : intervalOf(reliability.total),
        reach: reach.all,
        ...explainVoices(evidence, points.parts, reliability.parts, slowingOf, constants),
      };
    },
  };
}
