import { validateCalibration, within, type CalibrationMap } from './calibration-map.ts';

/**
 * All constants of the link × claim model. The defaults were measured on simulated data and on real dated lists.
 * `createLinkClaimModel` validates changed constants.
 */
export interface LinkClaimConstants {
  /** Changes when a default changes, so each answer can be traced to its constants. */
  readonly version: number;
  /** By identifier kind. `otherKinds` applies to kinds that are not listed. */
  readonly kinds: Readonly<Record<string, KindConstants>>;
  /** Constants of a kind that `kinds` does not list. */
  readonly otherKinds: KindConstants;
  /**
   * Chance that a report is right, 0 to 1: for an established reporter with an average record and for a new key. Also
   * the lower and upper bound of all standings.
   */
  readonly precision: {
    /** Chance for an established reporter with an average record. Default 0.7. */
    readonly established: number;
    /** Chance for a reporter without a record. Default 0.1. */
    readonly newKey: number;
    /** Lower bound of all standings. Default 0.03. */
    readonly least: number;
    /** Upper bound of all standings. Default 0.95. */
    readonly most: number;
  };
  /** How standings are learned from the reports. */
  readonly trust: TrustConstants;
  /**
   * Number of verified reporters from which an identifier fades more slowly. If n of them, and more than this number,
   * reported it, its half-life is n/slowFadingFrom times as long. 1 to 1e6. Default 4.
   */
  readonly slowFadingFrom: number;
  /** Factor of a report with an open dispute, 0 to 1. */
  readonly openDispute: number;
  /**
   * Exponent of severity/10 in Points, 0 to 10. Default 1. Reliability ignores severity.
   */
  readonly severityExponent: number;
  /** Upper bound of one voice's share of the reach. Below 1, so that another voice always adds something. */
  readonly voiceMost: number;
  /** Factor for the square of each further voice that is not verified. It bounds what a thousand keys say. */
  readonly crowdFactor: number;
  /**
   * Bound on what all unverified voices say together, 0.11 to 1: in Points as a share of the reach, and in Reliability
   * as a share of 10. It holds for every record, because a record can be bought with true reports.
   */
  readonly unverifiedMost: number;
  /**
   * Bound on what one verified voice says in Points, as a share of the reach, 0.02 to 1. A second verified voice
   * lifts it.
   */
  readonly aloneMost: number;
  /** Factor by offence type, at most 1. A type that is not listed has 1. */
  readonly typeWeights: Readonly<Record<string, number>>;
  /** Map from stated to observed chances for Reliability, from `redflag lab fit-map`; null for no map. */
  readonly calibration: CalibrationMap | null;
}

/** Constants of standings. A claim is all reports of one reporter about one person. */
export interface TrustConstants {
  /**
   * Number of passes over the table; each uses the standings of the previous one. The number is fixed, so the same
   * reports always give the same table.
   */
  readonly iterations: number;
  /** Weight of the average record, in claims. It keeps a short record near the average. */
  readonly priorClaims: number;
  /** Weight of the average record, in expected confirmations. */
  readonly priorCorroborated: number;
  /** Age in days from which the agreement of others about a claim of a verified reporter counts. Default 90. */
  readonly confirmableDays: number;
  /** Cost of a claim lost to an upheld dispute, in claims. */
  readonly disputeCost: number;
  /** Most claims beside lost ones if nobody confirms any. */
  readonly unconfirmedClaims: number;
  /** How many further claims beside lost ones a confirmed one adds. */
  readonly confirmedClaims: number;
  /** Lower bound of the factor for lost claims, so that every reporter still counts a little. */
  readonly disputesLeast: number;
  /** Usual share of claims that others made first, 0 to 0.999. Learned, it would follow who reports the most. */
  readonly preceded: number;
  /** Upper bound of the average share of confirmed claims: a reporter with as many of them loses nothing. */
  readonly corroboratedMost: number;
  /**
   * Minimum record that establishes an unverified reporter. Only claims at least `days` old count. `led` is L of the
   * record.
   */
  readonly established: {
    /** Least number of mature claims. Default 3. */
    readonly claims: number;
    /** Least L: confirmations of mature claims that the reporter made first. Default 0.5. */
    readonly led: number;
    /** Age in days at which a claim is mature. Default 45. */
    readonly days: number;
    /** Least originality of the mature claims, 0 to 1. Default 0.5. */
    readonly originality: number;
  };
  /** How the precision of an unverified reporter grows from `newKey` with mature claims that it made first. */
  readonly growth: {
    /** Number of such claims at which it has grown half-way to that of an established reporter. Default 0.5. */
    readonly claims: number;
  };
  /** Weight of a new key's assumed prior record, in claims. A small weight lets echoes lower its precision quickly. */
  readonly priorOfNewKey: number;
  /** Kinds that are too weak to distinguish a copy from an independent report. */
  readonly weakKinds: readonly string[];
}

/** How strongly a kind identifies a person, and how the weight fades with age. */
export interface KindConstants {
  /** Chance that two customers with this identifier are one person, 0 to below 1. */
  readonly weight: number;
  /** Days until half of the weight has faded. Short if identifiers of the kind often change their owner. */
  readonly halfLifeDays: number;
}

/** The constants of the default model. */
export const LINK_CLAIM_CONSTANTS: LinkClaimConstants = {
  version: 7,
  kinds: {
    // A personal address, kept for years. But fraudsters change theirs soon, so an old match is usually about someone
    // who was reported wrongly or no longer deceives.
    email: { weight: 0.97, halfLifeDays: 400 },
    // Shared by households. Carriers assign numbers to new customers after months.
    phone: { weight: 0.7, halfLifeDays: 240 },
    // On dated public lists, recent entries are the ones that other lists confirm later. Older ones stay right
    // more often where many lists agree (slowFadingFrom).
    domain: { weight: 0.95, halfLifeDays: 400 },
    // Shared by households, offices and carriers, and reassigned within months.
    ip: { weight: 0.1, halfLifeDays: 45 },
  },
  otherKinds: { weight: 0.5, halfLifeDays: 365 },
  precision: { established: 0.7, newKey: 0.1, least: 0.03, most: 0.95 },
  trust: {
    iterations: 3,
    priorClaims: 5,
    // In confirmations, not in claims: if a service has only one shop, nothing can be confirmed, and this must not
    // count against the shop.
    priorCorroborated: 3,
    // Others need time to confirm a claim. Without this, who reports early would seem to be unreliable.
    confirmableDays: 90,
    disputeCost: 3,
    // Invented reports cost nothing. So only some of them can stand beside claims that were found wrong.
    unconfirmedClaims: 20,
    confirmedClaims: 4,
    disputesLeast: 0.05,
    preceded: 0.3,
    // Two large reporters can confirm most of the claims of the others.
    corroboratedMost: 0.25,
    // Keys cost nothing, and an attacker can invent persons or copy true reports. An attacker cannot fake a first
    // report that established reporters confirm later.
    established: { claims: 3, led: 0.5, days: 45, originality: 0.5 },
    growth: { claims: 0.5 },
    // An echo of other new keys says almost nothing: one attacker can own many keys.
    priorOfNewKey: 0.1,
    weakKinds: ['ip'],
  },
  // What many reporters know stays true for longer.
  slowFadingFrom: 4,
  // Half: before the decision, the dispute may be as wrong as the report.
  openDispute: 0.5,
  severityExponent: 1,
  voiceMost: 0.999,
  crowdFactor: 0.2,
  // Just below the Reliability of 3.0 at which clients commonly act.
  unverifiedMost: 0.29,
  aloneMost: 0.3,
  typeWeights: {},
  calibration: null,
};

export function kindConstants(constants: LinkClaimConstants, kind: string): KindConstants {
  // hasOwn: a kind may be named `constructor`.
  return (Object.hasOwn(constants.kinds, kind) ? constants.kinds[kind] : undefined) ?? constants.otherKinds;
}

/** Throws TypeError or RangeError that names the first invalid constant. */
export function validateConstants(constants: LinkClaimConstants): void {
  const kinds = Object.entries(constants.kinds).map(([kind, k]) => [`kinds.${kind}`, k] as const);
  for (const [path, k] of [...kinds, ['otherKinds', constants.otherKinds] as const]) {
    // A weight of 1 would mean certainty, and other evidence could not change it.
    within(`${path}.weight`, k.weight, 0, 0.999);
    within(`${path}.halfLifeDays`, k.halfLifeDays, Number.MIN_VALUE, 1e9);
  }
  // The version cannot be configured, because it identifies the defaults of the program.
  within('version', constants.version, LINK_CLAIM_CONSTANTS.version, LINK_CLAIM_CONSTANTS.version);
  const { precision, trust } = constants;
  for (const name of ['established', 'newKey', 'least', 'most'] as const)
    within(`precision.${name}`, precision[name], 0, 1);
  within('precision.least', precision.least, 0, precision.most);
  within('trust.iterations', trust.iterations, 1, 20);
  if (!Number.isInteger(trust.iterations))
    throw new RangeError(`"trust.iterations" expected a whole number, got ${trust.iterations}`);
  for (const name of ['priorClaims', 'priorCorroborated', 'priorOfNewKey'] as const)
    within(`trust.${name}`, trust[name], 0.01, 1e6);
  for (const name of ['confirmableDays', 'disputeCost', 'unconfirmedClaims', 'confirmedClaims'] as const)
    within(`trust.${name}`, trust[name], 0, 1e6);
  within('trust.growth.claims', trust.growth.claims, 0.01, 1e6);
  // At 1, the formula for originality would divide by zero.
  for (const name of ['preceded', 'disputesLeast', 'corroboratedMost'] as const)
    within(`trust.${name}`, trust[name], 0, 0.999);
  for (const name of ['claims', 'led', 'days'] as const)
    within(`trust.established.${name}`, trust.established[name], 0, 1e6);
  within('trust.established.originality', trust.established.originality, 0, 1);
  // Require an array: a Set of a string would hold its letters.
  if (!Array.isArray(trust.weakKinds) || !trust.weakKinds.every((kind) => typeof kind === 'string'))
    throw new TypeError('"trust.weakKinds" expected a list of kinds');
  within('slowFadingFrom', constants.slowFadingFrom, 1, 1e6);
  within('openDispute', constants.openDispute, 0, 1);
  within('severityExponent', constants.severityExponent, 0, 10);
  within('voiceMost', constants.voiceMost, 0, 0.999_999);
  within('crowdFactor', constants.crowdFactor, 0, 0.999);
  // Reliability begins at 1.0, so a lower bound could not hold. A precision of 0 silences a kind of reporter.
  within('unverifiedMost', constants.unverifiedMost, 0.11, 1);
  // Below, rounding could make a new report lower the score by a little.
  within('aloneMost', constants.aloneMost, 0.02, 1);
  for (const [type, weight] of Object.entries(constants.typeWeights)) within(`typeWeights.${type}`, weight, 0, 1);
  if (constants.calibration !== null) validateCalibration(constants.calibration);
}

/** Returns the 32-bit FNV-1a hash as 8 hex characters. It distinguishes constants and need not resist attacks. */
export function fingerprint(text: string): string {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return (state >>> 0).toString(16).padStart(8, '0');
}
