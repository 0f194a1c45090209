import { createCalibration } from './calibration.ts';
import { combine } from './combine.ts';
import { LINK_CLAIM_CONSTANTS, proveConstants, type LinkClaimConstants } from './constants.ts';
import type { Evidence, EvidenceReport, Standing } from './evidence.ts';
import { explainVoices } from './explain-voices.ts';
import { fingerprint } from './fingerprint.ts';
import { createLinkTable, linkOf, reachOf } from './link.ts';
import type { Measure, ScoringModel } from './model.ts';
import { toVerdict } from './rounding.ts';
import { createTrustRules } from './trust.ts';
import type { Claim, Voice } from './voice.ts';

/**
 * The default model. A report counts by the chance that it is about this person (link) times the chance that it is right (claim);
 * each reporter is one voice, as strong as its strongest report; independent voices are combined as chances, never added up.
 *
 * - `d = F + (1 − F) · 2^(−age/H)` fades a match; `m = 1 − Π (1 − W·d)` is the chance that a report is about this person;
 * - `V = 1 − Π (1 − W)` over all matching identifiers is the most that any number of reports can say;
 * - a voice is the strongest `a = p · m · (severity/10)^γ · typeWeight` of its reporter, whose precision `p` is learnt (`trust.ts`);
 * - `S = V · (1 − Π over established (1 − a/V) · Π over the others, strongest first, (1 − a/V · ρ^j))`.
 *
 * Points is `100·S(γ)`, Reliability `10·map(S(0))`: the same sum without severity, through the calibration map when there is one.
 * Throws RangeError or TypeError for constants out of their range; `configureLinkClaim` makes a changed copy.
 */
export function createLinkClaimModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ScoringModel {
  proveConstants(constants);
  const { precision } = constants;
  const established: Standing = { precision: precision.established, established: true };
  const newKey: Standing = { precision: precision.newKey, established: false };
  const links = createLinkTable(constants);
  // Severities are whole numbers up to 10; any other is worked out when it comes.
  const ofSeverity = (severity: number): number => (severity / 10) ** constants.severityExponent;
  const bySeverity = Array.from({ length: 11 }, (_, severity) => ofSeverity(severity));
  const calibrate =
    constants.calibration === null ? (stated: number) => stated : createCalibration(constants.calibration);

  const toClaim = (report: EvidenceReport, standing: Standing): Claim => {
    const link = linkOf(report, links);
    const typeWeight = Object.hasOwn(constants.typeWeights, report.type) ? constants.typeWeights[report.type]! : 1;
    const reliability = standing.precision * link * typeWeight * (report.disputed === true ? constants.openDispute : 1);
    return {
      report,
      link,
      typeWeight,
      points: reliability * (bySeverity[report.severity] ?? ofSeverity(report.severity)),
      reliability,
    };
  };

  /** Claims are kept for an explanation only: they are one object for each report. */
  const voicesOf = (evidence: Evidence, keepClaims: boolean): Voice[] => {
    const voices = new Map<
      string,
      { reporterId: string; standing: Standing; claims: Claim[]; points: number; reliability: number }
    >();
    for (const report of evidence.reports) {
      const { reporterId } = report;
      let voice = voices.get(reporterId);
      if (voice === undefined) {
        voices.set(
          reporterId,
          (voice = {
            reporterId,
            standing: evidence.standings.get(reporterId) ?? newKey,
            claims: [],
            points: 0,
            reliability: 0,
          }),
        );
      }
      const claim = toClaim(report, voice.standing);
      if (keepClaims) voice.claims.push(claim);
      voice.points = Math.max(voice.points, claim.points);
      voice.reliability = Math.max(voice.reliability, claim.reliability);
    }
    return [...voices.values()];
  };

  const weigh = (evidence: Evidence, keepClaims: boolean) => {
    const reach = reachOf(evidence.reports, links);
    const voices = voicesOf(evidence, keepClaims);
    const sum = (of: 'points' | 'reliability', unit: number) =>
      combine(
        voices.map((voice) => ({ voice, reporterId: voice.reporterId, standing: voice.standing, strength: voice[of] })),
        reach,
        constants,
        unit,
      );
    const points = sum('points', 100);
    const reliability = sum('reliability', 10);
    const chance = evidence.reports.length === 0 ? 0 : calibrate(Math.min(1, reliability.total / 10));
    const measure: Measure = {
      points: points.total,
      reliability: constants.calibration === null ? reliability.total : 10 * chance,
      chance,
    };
    return { reach, points, reliability, measure };
  };

  const text = JSON.stringify(constants);
  // Changed constants are another model, and an answer says by which it was given.
  const name = `link-claim/${constants.version}${text === JSON.stringify(LINK_CLAIM_CONSTANTS) ? '' : `+${fingerprint(text)}`}`;
  return {
    name,
    weightOfKind: links.weightOf,
    standingOf: (reporter) => (reporter.verified ? established : newKey),
    trust: createTrustRules(constants),
    measure: (evidence) => weigh(evidence, false).measure,
    score(evidence) {
      const { measure } = weigh(evidence, false);
      return toVerdict(measure.points, measure.reliability, evidence.reports.length);
    },
    explain(evidence) {
      const { reach, points, reliability, measure } = weigh(evidence, true);
      return {
        model: name,
        verdict: toVerdict(measure.points, measure.reliability, evidence.reports.length),
        exact: { points: measure.points, reliability: measure.reliability, uncalibrated: reliability.total },
        reach,
        ...explainVoices(evidence, points.parts, reliability.parts, constants),
      };
    },
  };
}
