import { kindConstants, type LinkClaimConstants } from './constants.ts';
import type { Evidence } from './evidence.ts';
import type { ExplainedIdentifier, ExplainedReport, ExplainedVoice, Explanation, VoicePart } from './explanation.ts';
import { decayOf } from './link.ts';
import type { Claim, Voice } from './voice.ts';

type Part = VoicePart & { readonly voice: { readonly voice: Voice } };

/** The link × claim model's voices and identifiers in an order of their own, so that the same facts give the same bytes. */
export function explainVoices(
  evidence: Evidence,
  points: readonly Part[],
  reliability: readonly Part[],
  constants: LinkClaimConstants,
): Pick<Explanation, 'identifiers' | 'voices'> {
  const identifiers = numberIdentifiers(evidence, (kind) => kindConstants(constants, kind).weight);
  const partOfReliability = new Map(reliability.map((part) => [part.voice.voice.reporterId, part]));
  const voices = points.map((part): ExplainedVoice => {
    const { voice } = part.voice;
    return {
      reporterId: voice.reporterId,
      standing: { precision: voice.standing.precision, established: voice.standing.established },
      points: toPart(part),
      reliability: toPart(partOfReliability.get(voice.reporterId)!),
      reports: explainReports(voice, identifiers, constants),
    };
  });
  return { identifiers: [...identifiers.values()], voices };
}

function toPart({ strength, discount, part }: VoicePart): VoicePart {
  return { strength, discount, part };
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
      reportId: claim.report.reportId,
      type: claim.report.type,
      severity: claim.report.severity,
      ageDays: claim.report.ageDays,
      disputed: claim.report.disputed === true,
      duplicate: claim !== first,
      link: claim.link,
      typeWeight: claim.typeWeight,
      matches: claim.report.shared
        .map(({ hash, kind }) => ({
          number: identifiers.get(hash)!.number,
          kind,
          decay: decayOf(kindConstants(constants, kind), claim.report.ageDays),
        }))
        .sort((a, b) => a.number - b.number),
      shareOfPoints: shareOfPoints(claim),
      shareOfReliability: shareOfReliability(claim),
    }));
}

/** Each hash once, at the strongest kind it matched with. */
export function numberIdentifiers(
  evidence: Evidence,
  weightOf: (kind: string) => number,
): Map<string, ExplainedIdentifier> {
  const identifiers = new Map<string, ExplainedIdentifier>();
  for (const report of [...evidence.reports].sort((a, b) => byText(a.reportId, b.reportId))) {
    for (const { hash, kind } of [...report.shared].sort((a, b) => byText(a.kind, b.kind) || byText(a.hash, b.hash))) {
      const weight = weightOf(kind);
      const known = identifiers.get(hash);
      if (known === undefined) identifiers.set(hash, { number: identifiers.size + 1, kind, weight });
      else if (weight > known.weight) identifiers.set(hash, { number: known.number, kind, weight });
    }
  }
  return identifiers;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
