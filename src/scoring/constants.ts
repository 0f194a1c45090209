import { createCalibration, type CalibrationMap } from './calibration.ts';

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
  /** Chance that a report is right, 0 to 1: of an established reporter of average record, of a key that nobody knows, and the bounds of what is learnt. */
  readonly precision: {
    readonly established: number;
    readonly newKey: number;
    readonly least: number;
    readonly most: number;
  };
  readonly trust: TrustConstants;
  /** What a report counts while the operator looks into it, 0 to 1. */
  readonly openDispute: number;
  /** Exponent of severity/10 in Points. Below 1: a mild true report still means a person who cheats. Reliability takes 0: it asks whether, not how bad. */
  readonly severityExponent: number;
  /** The most of its reach that one voice can fill, below 1: a further one always has something left to add. */
  readonly voiceMost: number;
  /** Each further voice that is not established counts this factor less: keys are cheap, so a thousand of them stay under a fixed bound. */
  readonly crowdFactor: number;
  /** By offence type, at most 1; a type that is not listed is 1. */
  readonly typeWeights: Readonly<Record<string, number>>;
  /** From the stated chance to the observed one, for Reliability; null states it as it is. Fitted by `redflag lab fit-map`. */
  readonly calibration: CalibrationMap | null;
}

/** What a reporter's record says of its next report. A claim is all that one reporter says of one person, however often. */
export interface TrustConstants {
  /** Passes over the table: each takes the standings of the one before. Fixed, so that the table is a function of the reports. */
  readonly iterations: number;
  /** Claims that the average reporter's record counts for: a short record says little. */
  readonly priorClaims: number;
  /** Confirmed claims that the average reporter's record counts for when it is held against what was to be expected of it. */
  readonly priorCorroborated: number;
  /** What a claim lost to an upheld dispute costs, in claims. */
  readonly disputeCost: number;
  /** A reporter whose claims lost to disputes count this factor at least: nobody is silenced wholly. */
  readonly disputesLeast: number;
  /** The most that others' agreement can raise a precision, as a factor, and the exponent of agreement over the average one. */
  readonly corroborationMost: number;
  readonly corroborationExponent: number;
  /** Exponent of the share of claims that nobody else had made before. */
  readonly originalityExponent: number;
  /** Where the share of claims that others had made before starts from, and its most: a world of copies alone must not make copying ordinary. */
  readonly meanPreceded: { readonly events: number; readonly claims: number; readonly most: number };
  /** Where the share of claims that others agree with starts from, and its least. */
  readonly meanCorroborated: { readonly events: number; readonly claims: number; readonly least: number };
  /** An unverified reporter is established from this record on, of claims at least `days` old; `led` is how far others came to claims that it had made first. */
  readonly established: {
    readonly claims: number;
    readonly led: number;
    readonly days: number;
    readonly originality: number;
  };
  /** Claims that a new key's record counts for when its echoes are held against it. */
  readonly priorOfNewKey: number;
  /** Kinds that say too little about who it is to tell a copy from an independent report. */
  readonly weakKinds: readonly string[];
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
  version: 2,
  kinds: {
    // An address of one's own, kept for years.
    email: { weight: 0.95, halfLifeDays: 730, floor: 0.25 },
    // Numbers are handed to new customers after months.
    phone: { weight: 0.8, halfLifeDays: 365, floor: 0.1 },
    // Throw-away and rented domains keep their use for years: of those on dated public lists, old entries are nearly as right as new ones.
    domain: { weight: 0.8, halfLifeDays: 1460, floor: 0.7 },
    // Shared by households, offices and carriers, and given to somebody else within months.
    ip: { weight: 0.25, halfLifeDays: 120, floor: 0 },
  },
  otherKinds: { weight: 0.5, halfLifeDays: 365, floor: 0.1 },
  precision: { established: 0.7, newKey: 0.2, least: 0.03, most: 0.95 },
  trust: {
    iterations: 3,
    priorClaims: 5,
    // In confirmations, not in claims: where hardly anybody confirms anybody, as in a service of one shop, having none says little.
    priorCorroborated: 3,
    disputeCost: 3,
    disputesLeast: 0.05,
    corroborationMost: 1.36,
    corroborationExponent: 1,
    originalityExponent: 0.5,
    meanPreceded: { events: 2, claims: 5, most: 0.8 },
    meanCorroborated: { events: 1, claims: 4, least: 0.001 },
    // Keys are made in a second, and whoever is patient can make people up and copy what is true. Reporting somebody first whom others, who are established,
    // report later by themselves is the one thing that takes the truth.
    established: { claims: 3, led: 0.5, days: 45, originality: 0.5 },
    // A claim that only other new keys had made before says next to nothing: whoever makes one key makes a hundred.
    priorOfNewKey: 0.1,
    weakKinds: ['ip'],
  },
  // Neither believed nor dropped: a dispute is opened on somebody's word, too.
  openDispute: 0.5,
  severityExponent: 0.5,
  voiceMost: 0.999,
  crowdFactor: 0.5,
  typeWeights: {},
  calibration: null,
};

/** The constants of one kind. */
export function kindConstants(constants: LinkClaimConstants, kind: string): KindConstants {
  // hasOwn: a kind named `constructor` is a kind like any other.
  return Object.hasOwn(constants.kinds, kind) ? constants.kinds[kind]! : constants.otherKinds;
}

/** Throws a RangeError that names the first constant outside its range, a TypeError for a list that is none; a model in use cannot be misconfigured. */
export function proveConstants(constants: LinkClaimConstants): void {
  const within = (label: string, value: number, least: number, most: number): void => {
    if (!(Number.isFinite(value) && value >= least && value <= most))
      throw new RangeError(
        `"${label}" expected ${least === most ? `a number that is ${least}` : `a number from ${least} to ${most}`}, got ${value}`,
      );
  };
  const kinds = Object.entries(constants.kinds).map(([kind, k]) => [`kinds.${kind}`, k] as const);
  for (const [path, k] of [...kinds, ['otherKinds', constants.otherKinds] as const]) {
    // A weight of 1 would make the chance of a link certain, and certainty cannot be combined.
    within(`${path}.weight`, k.weight, 0, 0.999);
    within(`${path}.halfLifeDays`, k.halfLifeDays, Number.MIN_VALUE, 1e9);
    within(`${path}.floor`, k.floor, 0, 1);
  }
  // An answer is traced to its numbers by it: only the program sets it.
  within('version', constants.version, LINK_CLAIM_CONSTANTS.version, LINK_CLAIM_CONSTANTS.version);
  const { precision, trust } = constants;
  for (const name of ['established', 'newKey', 'least', 'most'] as const)
    within(`precision.${name}`, precision[name], 0, 1);
  within('precision.least', precision.least, 0, precision.most);
  within('trust.iterations', trust.iterations, 1, 20);
  if (!Number.isInteger(trust.iterations))
    throw new RangeError(`"trust.iterations" expected a whole number, got ${trust.iterations}`);
  within('trust.priorClaims', trust.priorClaims, 0.1, 1e6);
  within('trust.priorCorroborated', trust.priorCorroborated, 0.01, 1e6);
  within('trust.disputeCost', trust.disputeCost, 0, 1e6);
  within('trust.disputesLeast', trust.disputesLeast, 0, 1);
  within('trust.corroborationMost', trust.corroborationMost, 1, 100);
  within('trust.corroborationExponent', trust.corroborationExponent, 0, 10);
  within('trust.priorOfNewKey', trust.priorOfNewKey, 0.01, 1e6);
  within('trust.originalityExponent', trust.originalityExponent, 0, 10);
  for (const name of ['meanPreceded', 'meanCorroborated'] as const) {
    within(`trust.${name}.events`, trust[name].events, 0, 1e6);
    within(`trust.${name}.claims`, trust[name].claims, Math.max(0.1, trust[name].events), 1e6);
  }
  // At 1 nothing anybody reports would be original.
  within('trust.meanPreceded.most', trust.meanPreceded.most, 0, 0.999);
  within('trust.meanCorroborated.least', trust.meanCorroborated.least, 1e-6, 1);
  for (const name of ['claims', 'led', 'days'] as const)
    within(`trust.established.${name}`, trust.established[name], 0, 1e6);
  within('trust.established.originality', trust.established.originality, 0, 1);
  // A text is a list of its letters to a Set.
  if (!Array.isArray(trust.weakKinds) || !trust.weakKinds.every((kind) => typeof kind === 'string'))
    throw new TypeError('"trust.weakKinds" expected a list of kinds');
  within('openDispute', constants.openDispute, 0, 1);
  within('severityExponent', constants.severityExponent, 0, 10);
  within('voiceMost', constants.voiceMost, 0, 0.999_999);
  within('crowdFactor', constants.crowdFactor, 0, 0.999);
  for (const [type, weight] of Object.entries(constants.typeWeights)) within(`typeWeights.${type}`, weight, 0, 1);
  if (constants.calibration !== null) createCalibration(constants.calibration);
}
