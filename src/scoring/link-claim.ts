import type { Verdict } from '../domain/verdict.ts';
import { kindConstants, LINK_CLAIM_CONSTANTS, proveConstants, type KindConstants, type LinkClaimConstants } from './constants.ts';
import type { Evidence, EvidenceReport, Standing } from './evidence.ts';
import type { ScoringModel } from './model.ts';

/**
 * The default model. A report counts by the chance that it is about this person (link) times the chance that it is right (claim);
 * each reporter is one voice, as strong as its strongest report; independent voices are combined as chances, never added up.
 *
 * - `d = F + (1 − F) · 2^(−age/H)` fades a match; `m = 1 − Π (1 − W·d)` is the chance that a report is about this person;
 * - `V = 1 − Π (1 − W)` over all matching identifiers is the most that any number of reports can say;
 * - a voice is the strongest `a = p · m · (severity/10)^γ · typeWeight` of its reporter;
 * - `S = V · (1 − Π over established (1 − a/V) · Π over the others, strongest first, (1 − a/V · ρ^j))`.
 *
 * Points is `100·S(γ)`, Reliability `10·S(0)`: the same sum without severity.
 */
export function createLinkClaimModel(constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS): ScoringModel {
  proveConstants(constants);
  const established: Standing = { precision: constants.precision.established, established: true };
  const newKey: Standing = { precision: constants.precision.newKey, established: false };

  return {
    name: `link-claim/${constants.version}`,
    weightOfKind: (kind) => kindConstants(constants, kind).weight,
    standingOf: (reporter) => (reporter.verified ? established : newKey),
    score(evidence) {
      const { points, reliability } = scoreUnrounded(evidence, constants, newKey);
      return toVerdict(points, reliability, evidence.reports.length);
    },
  };
}

/** The two sums before rounding, each 0 to 1: what the published vectors are given in. */
export function scoreUnrounded(
  evidence: Evidence,
  constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS,
  unknown: Standing = { precision: constants.precision.newKey, established: false },
): { points: number; reliability: number } {
  const reach = reachOf(evidence.reports, constants);
  if (reach === 0) return { points: 0, reliability: 0 };

  const voices = new Map<string, { standing: Standing; severe: number; plain: number }>();
  for (const report of evidence.reports) {
    const standing = evidence.standings.get(report.reporterId) ?? unknown;
    const plain = standing.precision * linkOf(report, constants) * typeWeight(report.type, constants);
    const severe = plain * (report.severity / 10) ** constants.severityExponent;
    const voice = voices.get(report.reporterId);
    if (voice === undefined) voices.set(report.reporterId, { standing, severe, plain });
    else {
      // The strongest report speaks for its reporter; which one that is may differ between the two sums.
      voice.severe = Math.max(voice.severe, severe);
      voice.plain = Math.max(voice.plain, plain);
    }
  }
  const all = [...voices.values()];
  return {
    points: combine(all.map((v) => ({ established: v.standing.established, strength: v.severe })), reach, constants),
    reliability: combine(all.map((v) => ({ established: v.standing.established, strength: v.plain })), reach, constants),
  };
}

/** m: the chance that a report is about the person asked for. */
function linkOf(report: EvidenceReport, constants: LinkClaimConstants): number {
  let unlinked = 1;
  for (const { kind } of report.shared) {
    const k = kindConstants(constants, kind);
    unlinked *= 1 - k.weight * decay(k, report.ageDays);
  }
  return 1 - unlinked;
}

/** V: the chance that any matching identifier links at all, each identifier once, at the strongest kind it matched with. */
function reachOf(reports: readonly EvidenceReport[], constants: LinkClaimConstants): number {
  const weights = new Map<string, number>();
  for (const report of reports) {
    for (const { hash, kind } of report.shared) {
      weights.set(hash, Math.max(weights.get(hash) ?? 0, kindConstants(constants, kind).weight));
    }
  }
  let unlinked = 1;
  // In the order of size: a product of floats depends on its order, and the order of reports must not matter.
  for (const weight of [...weights.values()].sort((a, b) => a - b)) unlinked *= 1 - weight;
  return 1 - unlinked;
}

function combine(voices: { established: boolean; strength: number }[], reach: number, constants: LinkClaimConstants): number {
  // .999: no voice is certain, so that a further one always has something left to add.
  const share = (strength: number): number => Math.min(0.999, strength / reach);
  // Strongest first: the crowd's discount needs it, and a fixed order makes the float product independent of the reports' order.
  voices.sort((a, b) => b.strength - a.strength);
  let silent = 1;
  let discount = 1;
  for (const { established, strength } of voices) {
    if (established) silent *= 1 - share(strength);
    else {
      silent *= 1 - share(strength) * discount;
      discount *= constants.crowdFactor;
    }
  }
  return reach * (1 - silent);
}

function decay(kind: KindConstants, ageDays: number): number {
  return kind.floor + (1 - kind.floor) * 2 ** (-Math.max(0, ageDays) / kind.halfLifeDays);
}

function typeWeight(type: string, constants: LinkClaimConstants): number {
  return Object.hasOwn(constants.typeWeights, type) ? constants.typeWeights[type]! : 1;
}

/** Rounds as the protocol shows it; a match is never zero in any of the three (silent: 4.4). */
function toVerdict(points: number, reliability: number, reported: number): Verdict {
  if (reported === 0) return { points: 0, reported: 0, reliability: 0 };
  return {
    points: Math.min(100, Math.max(1, roundHalfUp(points * 100))),
    reported,
    reliability: Math.min(10, Math.max(1, roundHalfUp(reliability * 100) / 10)),
  };
}

/** Half up on x + 1e-9: 0.665 is 0.66499… in binary and must still become 6.7. */
function roundHalfUp(x: number): number {
  return Math.floor(x + 0.5 + 1e-9);
}
