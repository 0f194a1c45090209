import type { Verdict } from '../domain/verdict.ts';
import { createMapping, validateCalibration } from './calibration-map.ts';
import {
  fingerprint,
  LINK_CLAIM_CONSTANTS,
  validateConstants,
  type LinkClaimConstants,
  type KindConstants,
} from './constants.ts';
import type { Evidence, EvidenceReport, Standing } from './evidence.ts';
import type { VoicePart } from './explanation.ts';
import { MIN_RELIABILITY, toVerdict, type Measure, type ScoringModel } from './model.ts';
import { createTrustRules } from './standings/rules.ts';

/** One matching report, with its strength in each of the two sums. */
export interface Claim {
  readonly report: EvidenceReport;
  /** m: chance that the report is about this person, 0 to 1. */
  readonly link: number;
  readonly typeWeight: number;
  /** a: strength with severity. */
  readonly points: number;
  /** a: strength without severity, and with slower fading. */
  readonly reliability: number;
}

/** All reports of one reporter. In each of the two sums, a voice is as strong as its strongest report. */
export interface Voice {
  readonly reporterId: string;
  readonly standing: Standing;
  readonly claims: readonly Claim[];
  readonly points: number;
  readonly reliability: number;
}

/** A voice's part in one of the two sums. */
export interface SpokenPart extends VoicePart {
  readonly voice: Voice;
}

/** The model, and what an explanation of its verdict needs. */
export interface LinkClaim {
  readonly model: ScoringModel;
  /** Weighs evidence. With `keepAll`, keeps each claim, for an explanation. */
  weigh(evidence: Evidence, keepAll?: boolean): WeighedVerdict;
}

/** A verdict with its parts. */
export interface WeighedVerdict {
  readonly reach: Reaches;
  readonly slowingOf: (hash: string) => number;
  readonly points: CombinedSum;
  readonly reliability: CombinedSum;
  readonly calibrated: number;
  readonly measure: Measure;
  readonly verdict: Verdict;
}

/**
 * Returns the default model. The strength of a report is a product of two chances: that it is about this person (link)
 * and that it is right (claim). Each reporter is one voice, as strong as its strongest report. Voices are not added up:
 * their squares are combined as independent chances. So agreement says less than if reporters were independent, because
 * they copy each other.
 *
 * - `d = 2^(−age/(H·s))` fades a match, and `m = 1 − Π (1 − W·d)` is the chance that a report is about this person;
 * - `s = max(1, n/slowFadingFrom)` slows fading, where n is the number of verified reporters of the identifier;
 * - `V = 1 − Π (1 − W)` over all matching identifiers is the upper bound for any number of reports; `V_v` and `V_u` are
 *   the same over those of verified and of unverified reporters;
 * - a voice is the strongest `a` of its reporter with the precision `p` (`standings/rules.ts`): in Points
 *   `a = p · m · (severity/10)^γ · typeWeight`, and in Reliability `a = p · √(m·m₀) · typeWeight`, where m₀ is m of a
 *   report of today;
 * - `S_v = V_v · √(1 − (1 − v²) · Π over the other verified (1 − (a/V_v)²))` is what the verified reporters say, where
 *   `v = B(a/V_v, A + (1 − A) · a'/V_v)` is the strongest voice and `a'` the second strongest. A is `aloneMost` in
 *   Points and 1 in Reliability. `B(x, b) = b · (1 − (1 − x)^(1/b))` keeps x below b;
 * - `S_u = V_u · B(√(1 − Π over the unverified, strongest first, (1 − (a/V_u)² · ρ^j)), u)` is what the others say
 *   together; u is `unverifiedMost` in Points and `(unverifiedMost − 0.1)/0.9` in Reliability;
 * - `S = V · √(1 − (1 − (S_v/V)²) · (1 − (S_u/V)²))`.
 *
 * Points is `100·S`. Reliability is `10·map(0.1 + 0.9·S)`, with the calibration map, if any. A map lifts it at most to
 * `10·unverifiedMost` or to `10·map(0.1 + 0.9·S_v)`, whichever is more.
 *
 * Throws TypeError or RangeError for invalid constants. To change constants, use `configureLinkClaim`.
 */
export function createLinkClaim(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): LinkClaim {
  validateConstants(constants);
  const { precision } = constants;
  const verified: Standing = { precision: precision.established, established: true, verified: true };
  const newKey: Standing = { precision: precision.newKey, established: false, verified: false };
  const links = createLinkTable(constants);
  // Severities are usually whole numbers up to 10. Other values are computed on demand.
  const ofSeverity = (severity: number): number => (severity / 10) ** constants.severityExponent;
  const bySeverity = Array.from({ length: 11 }, (_, severity) => ofSeverity(severity));
  const calibrate =
    constants.calibration === null ? undefined : createMapping(validateCalibration(constants.calibration));

  const claimOf = (report: EvidenceReport, { precision }: Standing, slowingOf: (hash: string) => number): Claim => {
    const link = linkOf(report, links, slowingOf);
    const fresh = report.ageDays === 0 ? link : linkOf({ shared: report.shared, ageDays: 0 }, links);
    // hasOwn: an offence type may be named `constructor`.
    const typeWeight = Object.hasOwn(constants.typeWeights, report.type)
      ? (constants.typeWeights[report.type] ?? 1)
      : 1;
    const claim = precision * typeWeight * (report.disputed === true ? constants.openDispute : 1);
    const points = claim * link * (bySeverity[report.severity] ?? ofSeverity(report.severity));
    // Matches stay right for longer than they are useful for ranking: in Reliability, they fade half as fast.
    const reliability = claim * Math.sqrt(link * fresh);
    return { report, link, typeWeight, points, reliability };
  };

  /** Collects reports into voices. Keeps them all only for an explanation, because there may be thousands. */
  const begin = (standings: Evidence['standings'], keepAll = false) => {
    const ofVerified: Reach = new Map();
    const ofUnverified: Reach = new Map();
    const voices = new Map<string, { readonly standing: Standing; reports: EvidenceReport[] }>();
    let reported = 0;
    let verifiedVoices = 0;

    const add = (report: EvidenceReport): void => {
      reported++;
      let voice = voices.get(report.reporterId);
      if (voice === undefined) {
        voice = { standing: standings.get(report.reporterId) ?? newKey, reports: [] };
        voices.set(report.reporterId, voice);
        if (voice.standing.verified) verifiedVoices++;
      }
      addReach(voice.standing.verified ? ofVerified : ofUnverified, report, links);
      if (!keepAll && voice.reports.length < MAX_COMPARED_REPORTS) {
        for (const kept of voice.reports) if (outdoes(kept, report)) return;
        if (voice.reports.length > 0) voice.reports = voice.reports.filter((kept) => !outdoes(report, kept));
      }
      voice.reports.push(report);
    };

    /** Returns s by hash: how many times as long the half-life of an identifier is. */
    const slowings = (): ((hash: string) => number) => {
      const verifiedBy = new Map<string, number>();
      // Usually there are too few voices to slow anything.
      if (verifiedVoices > constants.slowFadingFrom)
        for (const { standing, reports } of voices.values())
          if (standing.verified) {
            const hashes = new Set<string>();
            for (const { shared } of reports) for (const { hash } of shared) hashes.add(hash);
            for (const hash of hashes) verifiedBy.set(hash, (verifiedBy.get(hash) ?? 0) + 1);
          }
      return (hash) => Math.max(1, (verifiedBy.get(hash) ?? 0) / constants.slowFadingFrom);
    };

    const weigh = () => {
      const reach = reachesOf(ofVerified, ofUnverified);
      const slowingOf = slowings();
      // How slowly matches fade is known only when all reports are there, so no strength is computed before.
      const all = [...voices].map(([reporterId, { standing, reports }]): Voice => {
        const claims = reports.map((report) => claimOf(report, standing, slowingOf));
        let points = 0;
        let reliability = 0;
        for (const claim of claims) {
          points = Math.max(points, claim.points);
          reliability = Math.max(reliability, claim.reliability);
        }
        return { reporterId, standing, claims, points, reliability };
      });
      const points = combine(all, 'points', reach, constants.aloneMost, constants);
      const reliability = combine(all, 'reliability', reach, 1, constants);
      const stated = Math.min(1, reliability.total / 10);
      let calibrated = stated;
      let chance = stated;
      if (calibrate !== undefined && reported > 0) {
        calibrated = calibrate(stated);
        // The map must not lift unverified voices above their bound: they could pass a threshold then.
        const most = verifiedVoices === 0 ? 0 : calibrate(Math.min(1, reliability.verified / 10));
        chance = Math.min(calibrated, Math.max(constants.unverifiedMost, most));
      }
      const measure: Measure = {
        points: points.total,
        reliability: calibrate ? 10 * chance : reliability.total,
        chance,
      };
      return {
        reach,
        slowingOf,
        points,
        reliability,
        calibrated: calibrate ? 10 * calibrated : reliability.total,
        measure,
        verdict: toVerdict(measure.points, measure.reliability, reported),
      };
    };
    return { add, weigh, score: () => weigh().verdict };
  };

  const weigh = ({ reports, standings }: Evidence, keepAll = false) => {
    const tally = begin(standings, keepAll);
    for (const report of reports) tally.add(report);
    return tally.weigh();
  };

  const text = JSON.stringify(constants);
  // Changed constants change the model's name, because each explanation names its model.
  const changed = text === JSON.stringify(LINK_CLAIM_CONSTANTS) ? '' : `+${fingerprint(text)}`;
  const name = `link-claim/${constants.version}${changed}`;
  return {
    weigh,
    model: {
      name,
      kinds: Object.keys(constants.kinds),
      weightOfKind: links.weightOf,
      standingOf: (reporter) => (reporter.verified ? verified : newKey),
      trust: createTrustRules(constants),
      measure: (evidence) => weigh(evidence).measure,
      score: (evidence) => weigh(evidence).verdict,
      begin: (standings) => begin(standings),
    },
  };
}

/** Reports of one voice up to which a new one is compared with each. Without a bound, the time would be quadratic. */
const MAX_COMPARED_REPORTS = 32;

/** Returns true if one report is surely at least as strong as another one of its reporter, however slowly both fade. */
function outdoes(one: EvidenceReport, other: EvidenceReport): boolean {
  if (one.ageDays > other.ageDays || one.severity < other.severity || one.type !== other.type) return false;
  if ((one.disputed ?? false) !== (other.disputed ?? false) || one.shared.length !== other.shared.length) return false;
  for (let at = 0; at < one.shared.length; at++) {
    const [a, b] = [one.shared[at]!, other.shared[at]!];
    if (a.kind !== b.kind || a.hash !== b.hash) return false;
  }
  return true;
}

/** How voices become Points or Reliability. */
const SUMS = {
  points: { unit: 100, least: 0 },
  /** A match alone is right once in ten (decision 83). */
  reliability: { unit: 10, least: MIN_RELIABILITY / 10 },
} as const;

/** A number of the verdict, in its unit; what it would be with the verified voices only, and what each voice adds. */
export interface CombinedSum {
  readonly total: number;
  readonly verified: number;
  readonly parts: readonly SpokenPart[];
}

/**
 * Returns a number of the verdict with its parts, in its unit, and what it would be with the verified voices only.
 * Each voice adds what the number rises by, strongest first; the first one also adds the least value. `aloneMost` is A.
 */
function combine(
  voices: readonly Voice[],
  sum: keyof typeof SUMS,
  reach: Reaches,
  aloneMost: number,
  { crowdFactor, voiceMost, unverifiedMost }: LinkClaimConstants,
): CombinedSum {
  const { unit, least } = SUMS[sum];
  // The discount depends on the order of voices. A fixed order also makes the result independent of the order of
  // reports.
  const inOrder = [...voices].sort(
    (a, b) =>
      b[sum] - a[sum] ||
      Number(b.standing.verified) - Number(a.standing.verified) ||
      (a.reporterId < b.reporterId ? -1 : 1),
  );
  const shareOf = (voice: Voice): number => {
    const most = voice.standing.verified ? reach.verified : reach.unverified;
    return most === 0 ? 0 : Math.min(voiceMost, voice[sum] / most);
  };
  const [strongest, second] = inOrder.filter(({ standing }) => standing.verified);
  const alone = aloneMost + (1 - aloneMost) * (second === undefined ? 0 : shareOf(second));
  // The bound holds for the number, of which the least value is a part.
  const together = (unverifiedMost - least) / (1 - least);

  const parts: SpokenPart[] = [];
  let total = 0;
  // Squares of what the verified voices say, and of what the unverified ones say before their bound. Not 1 − Π: it
  // would round tiny squares away.
  let verified = 0;
  let unverified = 0;
  let bounded = 0;
  let discount = 1;
  const valueOf = (strength: number): number => unit * (least + (1 - least) * strength);
  const shareOfAll = (part: number): number => (reach.all === 0 ? 0 : part / reach.all);
  const [verifiedShare, unverifiedShare] = [shareOfAll(reach.verified), shareOfAll(reach.unverified)];
  const add = (voice: Voice, how: { readonly discount: number; readonly bound: number }): void => {
    const ofVerified = verified * verifiedShare ** 2;
    const ofUnverified = (bounded * unverifiedShare) ** 2;
    const next = valueOf(reach.all * Math.sqrt(ofVerified + ofUnverified * (1 - ofVerified)));
    parts.push({ voice, strength: voice[sum], ...how, part: next - total });
    total = next;
  };
  for (const voice of inOrder) {
    const share = shareOf(voice);
    if (voice.standing.verified) {
      const own = voice === strongest ? alone : 1;
      verified += boundedBy(own, share) ** 2 * (1 - verified);
      add(voice, { discount: 1, bound: own });
    } else {
      unverified += share ** 2 * discount * (1 - unverified);
      bounded = boundedBy(together, Math.sqrt(unverified));
      add(voice, { discount, bound: together });
      discount *= crowdFactor;
    }
  }
  return { total, verified: valueOf(reach.verified * Math.sqrt(verified)), parts };
}

/** Returns B = b · (1 − (1 − x)^(1/b)): rises with x from 0, at first as x itself, and stays below b. */
function boundedBy(b: number, x: number): number {
  return b === 1 ? x : -b * Math.expm1(Math.log1p(-x) / b);
}

/** Returns d: the factor of a match after `ageDays`. It falls from 1 to 0. */
export function decayOf({ halfLifeDays }: KindConstants, ageDays: number): number {
  return 2 ** (-Math.max(0, ageDays) / halfLifeDays);
}

/**
 * Weights by kind and age. Each is computed once, because a query may match thousands of reports of few kinds and ages.
 */
export interface LinkTable {
  /** Returns W. */
  weightOf(kind: string): number;
  /** Returns W·d: the chance that a match of this age is the same person. */
  fadedWeightOf(kind: string, ageDays: number): number;
}

/** Weights are remembered for whole days up to this age, about eleven years. */
const DAYS_REMEMBERED = 4000;

export function createLinkTable(constants: LinkClaimConstants): LinkTable {
  const rowOf = (of: KindConstants) => ({ of, byAge: Array.from<number | undefined>({ length: DAYS_REMEMBERED + 1 }) });
  // Only listed kinds have their own row, because clients can send any number of other kinds.
  const rows = new Map(Object.entries(constants.kinds).map(([kind, of]) => [kind, rowOf(of)]));
  const otherRow = rowOf(constants.otherKinds);
  return {
    weightOf: (kind) => (rows.get(kind) ?? otherRow).of.weight,
    fadedWeightOf(kind, ageDays) {
      const { of, byAge } = rows.get(kind) ?? otherRow;
      // Other numbers would be names of properties, which are slow to look up.
      if (!Number.isInteger(ageDays) || ageDays < 0 || ageDays > DAYS_REMEMBERED)
        return of.weight * decayOf(of, ageDays);
      return (byAge[ageDays] ??= of.weight * decayOf(of, ageDays));
    },
  };
}

/**
 * Returns m: the chance that a report is about the queried person. The half-life of each identifier is
 * `slowingOf(hash)` times as long as that of its kind.
 */
export function linkOf(
  { shared, ageDays }: Pick<EvidenceReport, 'shared' | 'ageDays'>,
  table: LinkTable,
  slowingOf: (hash: string) => number = () => 1,
): number {
  const weights: number[] = [];
  for (const { hash, kind } of shared) weights.push(table.fadedWeightOf(kind, ageDays / slowingOf(hash)));
  return anyOf(weights);
}

/** The identifiers that match, each once, with the weight of its strongest matching kind. */
export type Reach = Map<string, number>;

/** Adds the identifiers of a report. */
export function addReach(reach: Reach, { shared }: EvidenceReport, table: LinkTable): void {
  for (const { hash, kind } of shared) {
    const weight = table.weightOf(kind);
    const known = reach.get(hash);
    if (known === undefined || weight > known) reach.set(hash, weight);
  }
}

/** The chance that at least one matching identifier is the person's: of all reports, and of two groups. */
export interface Reaches {
  /** V. */
  readonly all: number;
  /** V_v: identifiers that verified reporters reported. What others report does not make their matches stronger. */
  readonly verified: number;
  /** V_u: identifiers that the others reported. */
  readonly unverified: number;
}

/** Returns the three chances. Usually only one group has reports. */
function reachesOf(ofVerified: Reach, ofUnverified: Reach): Reaches {
  const verified = reachOf(ofVerified);
  const unverified = reachOf(ofUnverified);
  if (ofVerified.size === 0 || ofUnverified.size === 0) return { all: verified + unverified, verified, unverified };
  const all = new Map(ofVerified);
  for (const [hash, weight] of ofUnverified) all.set(hash, Math.max(weight, all.get(hash) ?? 0));
  return { all: reachOf(all), verified, unverified };
}

/** Returns V: the chance that at least one of these identifiers is the person's. */
export function reachOf(reach: Reach): number {
  return anyOf([...reach.values()]);
}

/**
 * Returns 1 − Π (1 − chance). Sorts the chances, because float products depend on the order and the order of
 * identifiers must not matter.
 */
function anyOf(chances: number[]): number {
  if (chances.length > 1) chances.sort((a, b) => a - b);
  let any = 0;
  // Not 1 − Π: it would round tiny chances away.
  for (const chance of chances) any += chance * (1 - any);
  return any;
}
