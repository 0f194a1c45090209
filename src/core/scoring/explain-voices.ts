import { groupBy } from '../domain/lists.ts';
import { kindConstants, type LinkClaimConstants } from './constants.ts';
import type { Evidence, EvidenceReport, Standing } from './evidence.ts';
import type { ExplainedIdentifier, ExplainedReport, ExplainedVoice, Explanation, VoicePart } from './explanation.ts';
import { decayOf, type Claim, type SpokenPart, type Voice } from './link-claim.ts';

/**
 * Returns the voices and identifiers of an explanation. Their order is fixed, so the same facts give the same bytes.
 */
export function explainVoices(
  evidence: Evidence,
  points: readonly SpokenPart[],
  reliability: readonly SpokenPart[],
  slowingOf: (hash: string) => number,
  constants: LinkClaimConstants,
): Pick<Explanation, 'identifiers' | 'voices'> {
  const identifiers = numberIdentifiers(evidence, (kind) => kindConstants(constants, kind).weight, slowingOf);
  const partOfReliability = new Map(withFairTies(reliability).map((part) => [part.voice.reporterId, part]));
  const voices = withFairTies(points).map((part): ExplainedVoice => {
    const { voice } = part;
    return {
      reporterId: voice.reporterId,
      standing: toStanding(voice.standing),
      points: toPart(part),
      reliability: toPart(partOfReliability.get(voice.reporterId) ?? part),
      reports: explainReports(voice, identifiers, constants),
    };
  });
  return { identifiers: [...identifiers.values()], voices };
}

/**
 * Returns the parts, largest first. Voices of one strength have the mean of their parts. Each part is what the number
 * rises by, so the order among equal voices, which is of their ids, would decide who seems to say more.
 */
function withFairTies(parts: readonly SpokenPart[]): SpokenPart[] {
  const tieOf = ({ strength, voice }: SpokenPart): string => `${strength} ${voice.standing.verified}`;
  const means = new Map(
    [...groupBy(parts, tieOf)].map(([tie, some]) => [tie, some.reduce((sum, { part }) => sum + part, 0) / some.length]),
  );
  const fair = parts.map((one) => ({ ...one, part: means.get(tieOf(one))! })).sort((a, b) => b.part - a.part);
  // The smallest part takes what rounding leaves, so that all add up to the last bit.
  const sumOf = (some: readonly SpokenPart[]): number => some.reduce((sum, { part }) => sum + part, 0);
  const last = fair.pop();
  return last ? [...fair, { ...last, part: sumOf(parts) - sumOf(fair) }] : [];
}

/** Leaves out the record, which a learned standing also has. */
function toStanding({ precision, established, verified }: Standing): Standing {
  return { precision, established, verified };
}

function toPart({ strength, discount, bound, part }: VoicePart): VoicePart {
  return { strength, discount, bound, part };
}

function explainReports(
  voice: Voice,
  identifiers: ReadonlyMap<string, ExplainedIdentifier>,
  constants: LinkClaimConstants,
): ExplainedReport[] {
  const share = (of: 'points' | 'reliability') => {
    const speaking = voice.claims.filter((claim) => claim[of] === voice[of]).length;
    return (claim: Claim): number => (claim[of] === voice[of] ? 1 / speaking : 0);
  };
  const [first] = [...voice.claims].sort((a, b) => b.points - a.points || byText(a.report.reportId, b.report.reportId));
  const shareOfPoints = share('points');
  const shareOfReliability = share('reliability');
  return [...voice.claims]
    .sort((a, b) => byText(a.report.reportId, b.report.reportId))
    .map((claim) => ({
      ...factsOf(claim.report),
      duplicate: claim !== first,
      link: claim.link,
      typeWeight: claim.typeWeight,
      matches: claim.report.shared
        .map(({ hash, kind }) => {
          const { number, slowing } = identifiers.get(hash)!;
          return { number, kind, decay: decayOf(kindConstants(constants, kind), claim.report.ageDays / slowing) };
        })
        .sort((a, b) => a.number - b.number),
      shareOfPoints: shareOfPoints(claim),
      shareOfReliability: shareOfReliability(claim),
    }));
}

/** Returns the facts of a report that an explanation shows. */
export function factsOf({ reportId, type, severity, ageDays, disputed = false }: EvidenceReport) {
  return { reportId, type, severity, ageDays, disputed };
}

/** Returns each hash once, with its strongest matching kind. */
export function numberIdentifiers(
  evidence: Evidence,
  weightOf: (kind: string) => number,
  slowingOf: (hash: string) => number = () => 1,
): Map<string, ExplainedIdentifier> {
  const identifiers = new Map<string, ExplainedIdentifier>();
  for (const report of [...evidence.reports].sort((a, b) => byText(a.reportId, b.reportId))) {
    for (const { hash, kind } of [...report.shared].sort((a, b) => byText(a.kind, b.kind) || byText(a.hash, b.hash))) {
      const weight = weightOf(kind);
      const known = identifiers.get(hash);
      if (known === undefined)
        identifiers.set(hash, { number: identifiers.size + 1, kind, weight, slowing: slowingOf(hash) });
      else if (weight > known.weight) identifiers.set(hash, { ...known, kind, weight });
    }
  }
  return identifiers;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
