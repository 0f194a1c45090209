/**
 * Every number of the link × claim model, with its unit and its reason. They were measured on simulated worlds and on real dated lists;
 * `createLinkClaimModel` takes a changed copy and proves it.
 */
export interface LinkClaimConstants {
  /** Changes whenever a default does, so that an answer can be traced to its numbers. */
  readonly version: number;
  /** By identifier kind; a kind that is not listed is `otherKinds`. */
  readonly kinds: Readonly<Record<string, KindConstants>>;
  readonly otherKinds: KindConstants;
  /** Chance that a report of a reporter in this standing is right, 0 to 1. */
  readonly precision: { readonly established: number; readonly newKey: number };
  /** Exponent of severity/10 in Points. Below 1: a mild true report still means a person who cheats. Reliability takes 0: it asks whether, not how bad. */
  readonly severityExponent: number;
  /** Each further voice that is not established counts this factor less: keys are cheap, so a thousand of them stay under a fixed bound. */
  readonly crowdFactor: number;
  /** By offence type, at most 1; a type that is not listed is 1. */
  readonly typeWeights: Readonly<Record<string, number>>;
}

/** How strongly an identifier of one kind says "the same person", and how that fades. */
export interface KindConstants {
  /** Chance that two customers with this identifier are one person, 0 to below 1. */
  readonly weight: number;
  /** Days after which the part above the floor has halved: how fast the kind changes hands. */
  readonly halfLifeDays: number;
  /** Part of the weight that never fades, 0 to 1. */
  readonly floor: number;
}

export const LINK_CLAIM_CONSTANTS: LinkClaimConstants = {
  version: 1,
  kinds: {
    // An address of one's own, kept for years.
    email: { weight: 0.95, halfLifeDays: 730, floor: 0.25 },
    // Numbers are handed to new customers after months.
    phone: { weight: 0.8, halfLifeDays: 365, floor: 0.1 },
    // Throw-away and rented domains keep their use for years.
    domain: { weight: 0.8, halfLifeDays: 1460, floor: 0.4 },
    // Shared by households, offices and carriers, and given to somebody else within weeks.
    ip: { weight: 0.25, halfLifeDays: 90, floor: 0 },
  },
  otherKinds: { weight: 0.5, halfLifeDays: 365, floor: 0.1 },
  precision: { established: 0.7, newKey: 0.2 },
  severityExponent: 0.5,
  crowdFactor: 0.5,
  typeWeights: {},
};

/** The constants of one kind. */
export function kindConstants(constants: LinkClaimConstants, kind: string): KindConstants {
  // hasOwn: a kind named `constructor` is a kind like any other.
  return Object.hasOwn(constants.kinds, kind) ? constants.kinds[kind]! : constants.otherKinds;
}

/** Throws a RangeError that names the first constant outside its range; a model in use cannot be misconfigured. */
export function proveConstants(constants: LinkClaimConstants): void {
  const within = (label: string, value: number, least: number, most: number): void => {
    if (!(Number.isFinite(value) && value >= least && value <= most)) throw new RangeError(`"${label}" expected a number from ${least} to ${most}, got ${value}`);
  };
  for (const [kind, k] of [...Object.entries(constants.kinds), ['otherKinds', constants.otherKinds] as const]) {
    // A weight of 1 would make the chance of a link certain, and certainty cannot be combined.
    within(`${kind}.weight`, k.weight, 0, 0.999);
    within(`${kind}.halfLifeDays`, k.halfLifeDays, Number.MIN_VALUE, 1e9);
    within(`${kind}.floor`, k.floor, 0, 1);
  }
  within('precision.established', constants.precision.established, 0, 1);
  within('precision.newKey', constants.precision.newKey, 0, 1);
  within('severityExponent', constants.severityExponent, 0, 10);
  within('crowdFactor', constants.crowdFactor, 0, 0.999);
  for (const [type, weight] of Object.entries(constants.typeWeights)) within(`typeWeights.${type}`, weight, 0, 1);
}
