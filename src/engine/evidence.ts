import type { Identifier } from '../domain/identifier.ts';
import type { Evidence, EvidenceReport, SharedIdentifier } from '../scoring/evidence.ts';
import type { Match } from '../store/store.ts';
import type { EngineContext } from './context.ts';

const DAY_MS = 86_400_000;

/** The stored identifiers that a set matches: by hash, and by kind too when the operator says so (silent: 2.3). */
export async function findMatches(context: EngineContext, identifiers: readonly Identifier[]): Promise<Match[]> {
  const matches = await context.store.findMatches([...new Set(identifiers.map(({ hash }) => hash))]);
  if (context.matchKinds === 'any') return matches;
  const asked = new Set(identifiers.map(({ kind, hash }) => `${hash} ${kind}`));
  return matches.filter(({ kind, hash }) => asked.has(`${hash} ${kind}`));
}

/** Turns what the store found into what a model looks at. */
export async function gatherEvidence(context: EngineContext, identifiers: readonly Identifier[], matches: readonly Match[]): Promise<Evidence> {
  const now = context.clock();
  const askedKinds = new Map<string, string[]>();
  for (const { kind, hash } of identifiers) askedKinds.set(hash, [...(askedKinds.get(hash) ?? []), kind]);

  const byReport = new Map<string, { match: Match; shared: Map<string, SharedIdentifier> }>();
  for (const match of matches) {
    let report = byReport.get(match.reportId);
    if (report === undefined) byReport.set(match.reportId, (report = { match, shared: new Map() }));
    for (const asked of askedKinds.get(match.hash)!) {
      const kind = weakerKind(context, asked, match.kind);
      const known = report.shared.get(match.hash);
      // One value may be sent under two kinds; of the pairs that match, the strongest counts.
      if (!known || context.model.weightOfKind(kind) > context.model.weightOfKind(known.kind)) report.shared.set(match.hash, { hash: match.hash, kind });
    }
  }

  const reports = Array.from(byReport.values(), ({ match, shared }): EvidenceReport => ({
    reportId: match.reportId, reporterId: match.reporterId, type: match.type, severity: match.severity,
    // Whole days: an answer does not change from one second to the next.
    ageDays: Math.floor(Math.max(0, now - match.createdAt) / DAY_MS),
    shared: [...shared.values()],
  }));
  const reporters = await context.store.findReporters([...new Set(reports.map(({ reporterId }) => reporterId))]);
  return { reports, standings: new Map(reporters.map((reporter) => [reporter.reporterId, context.model.standingOf(reporter)])) };
}

function weakerKind(context: EngineContext, asked: string, stored: string): string {
  return asked === stored || context.model.weightOfKind(asked) < context.model.weightOfKind(stored) ? asked : stored;
}
