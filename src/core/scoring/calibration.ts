import { betaQuantile } from './beta.ts';
import { refuseUnknown } from '../domain/options.ts';
import {
  createMapping,
  listOf,
  shown,
  validateCalibration,
  within,
  type CalibrationMap,
  type CalibrationSupport,
} from './calibration-map.ts';

/** A calibration map as a function. */
export interface Calibration {
  /** Returns the observed chance for a stated one. Throws RangeError for NaN. */
  (stated: number): number;
  /**
   * Returns the 95 % interval of the rate at which answers with the stated chance are right, 0 to 1. It contains the
   * observed chance. Undefined if fewer than 30 labelled queries support this part of the map. Throws RangeError for
   * NaN.
   */
  readonly intervalOf: (stated: number) => readonly [low: number, high: number] | undefined;
  /**
   * Returns how many labelled queries without spread the interval is worth: at most those of this part of the map.
   * Undefined if the interval is. Throws RangeError for NaN.
   */
  readonly worthOf: (stated: number) => number | undefined;
}

/** With fewer labelled queries, a part of a map is unknown. */
export const MIN_SUPPORT_QUERIES = 30;
/** How far a block supports stated chances beyond its own: half a unit of Reliability. */
const NEAR = 0.05;

/**
 * Returns the map as a function: straight lines between the points, constant outside them; and how sure it is. Use it
 * only for queries with a match.
 *
 * The interval is Jeffreys': the beta distribution of `n` labelled queries with the map's rate, plus half a query of
 * each label. The spread reduces `n`, so that the variance is about `p · (1 − p) · (1 / (n + 1) + spread)`.
 *
 * @throws TypeError for a wrong shape, RangeError for invalid numbers. Both name the invalid part of the map.
 */
export function createCalibration(map: CalibrationMap): Calibration {
  const calibrate = createMapping(validateCalibration(map));
  const spread = within('calibration.spread', map.spread, 0, 1);
  const support = validateSupport(map.support);

  const labelledNear = (stated: number): number => {
    const distance = ({ from, to }: CalibrationSupport): number => Math.max(from - stated, stated - to, 0);
    const inside = support.find((block) => distance(block) === 0);
    if (inside !== undefined) return inside.labelled;
    // Between two blocks, the map is no surer than at its weaker end.
    const near = support.filter((block) => distance(block) <= NEAR).map(({ labelled }) => labelled);
    return near.length === 0 ? 0 : Math.min(...near);
  };

  const worthOf = (stated: number): number | undefined => {
    if (Number.isNaN(stated)) throw new RangeError('"stated" expected a number, got NaN');
    const labelled = labelledNear(stated);
    return labelled < MIN_SUPPORT_QUERIES ? undefined : Math.max(0, 1 / (1 / (labelled + 1) + spread) - 1);
  };

  const intervalOf = (stated: number): readonly [number, number] | undefined => {
    const chance = calibrate(stated);
    const worth = worthOf(stated);
    if (worth === undefined) return undefined;
    const ones = chance * worth + 0.5;
    const zeros = (1 - chance) * worth + 0.5;
    // At a rate of 0 or 1, the quantiles of Jeffreys' distribution leave the rate out.
    return [Math.min(chance, betaQuantile(0.025, ones, zeros)), Math.max(chance, betaQuantile(0.975, ones, zeros))];
  };
  return Object.assign(calibrate, { intervalOf, worthOf });
}

function validateSupport(support: unknown): readonly CalibrationSupport[] {
  const valid: CalibrationSupport[] = [];
  for (const [at, block] of listOf('calibration.support', support).entries()) {
    const path = `calibration.support[${at}]`;
    if (typeof block !== 'object' || block === null || Array.isArray(block))
      throw new TypeError(`"${path}" expected an object, got ${shown(block)}`);
    refuseUnknown(block, ['from', 'to', 'labelled', 'right'], `${path}.`);
    const { from, to, labelled, right } = block as Readonly<Record<keyof CalibrationSupport, unknown>>;
    const least = valid.at(-1)?.to ?? 0;
    const count = within(`${path}.labelled`, labelled, 1, Number.MAX_SAFE_INTEGER);
    const start = within(`${path}.from`, from, least, 1);
    valid.push({
      from: start,
      to: within(`${path}.to`, to, start, 1),
      labelled: count,
      right: within(`${path}.right`, right, 0, count),
    });
  }
  return valid;
}
