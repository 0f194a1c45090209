import { median } from 'simple-statistics';
import { DAY_MS, startOfDay } from '../../core/domain/day.ts';
import type { Verdict } from '../../core/domain/verdict.ts';
import type { EvidenceReport, SharedIdentifier, Standing } from '../../core/scoring/evidence.ts';
import type { ScoringModel } from '../../core/scoring/model.ts';
import type { KnownReporter } from '../../core/scoring/standings/ledger.ts';
import type { Sighting } from '../../core/scoring/standings/pairs.ts';
import type { LabEvent, QueryEvent, ReportEvent } from '../event.ts';

/** The medians over the victims, rounded as a reply rounds them. */
export type Reached = Pick<Verdict, 'points' | 'reliability'>;

/** A world without attacks, kept for many attacks. */
export interface Target {
  /**
   * Returns what an attack reaches. `events` are the attackers' reporters and reports, and queries about the victims at
   * one time, as `AttackableWorld.attackWith` returns them. The standings are computed from all reports before the day
   * of the queries, as a service computes them at its first request of that day.
   */
  reach(events: readonly LabEvent[]): Reached;
}

interface Filed {
  readonly report: ReportEvent;
  /** Time of its removal, ms UTC; Infinity if it stays. */
  readonly until: number;
}

/** Prepares the events of a world, in order of time, for {@link Target.reach}. */
export function createTarget(world: readonly LabEvent[], model: ScoringModel): Target {
  const honest = indexReports(world);
  const known = knownReporters(world);

  const standingsAt = (
    at: number,
    attack: ReadonlyMap<string, readonly Filed[]>,
    reporters: readonly KnownReporter[],
  ): ReadonlyMap<string, Standing> => {
    if (model.trust === undefined)
      return new Map(reporters.map((reporter) => [reporter.reporterId, model.standingOf(reporter)]));
    const ledger = model.trust.createLedger(at);
    // All sightings of one hash must be adjacent.
    for (const [hash, filed] of honest) {
      addSightings(ledger.add, hash, filed, at);
      addSightings(ledger.add, hash, attack.get(hash) ?? [], at);
    }
    for (const [hash, filed] of attack) if (!honest.has(hash)) addSightings(ledger.add, hash, filed, at);
    const table = ledger.table(reporters);
    let step = table.next();
    while (!step.done) step = table.next();
    return step.value.reporters;
  };

  return {
    reach(events) {
      const queries = events.filter((event): event is QueryEvent => event.do === 'query');
      const at = queries[0]?.at ?? 0;
      const attack = indexReports(events);
      const standings = standingsAt(startOfDay(at), attack, [...known, ...knownReporters(events)]);
      const verdicts = queries.map((query) =>
        model.score({ reports: [...evidenceOf(query, honest), ...evidenceOf(query, attack)], standings }),
      );
      return {
        points: median(verdicts.map(({ points }) => points)),
        reliability: median(verdicts.map(({ reliability }) => reliability)),
      };
    },
  };
}

function knownReporters(events: readonly LabEvent[]): KnownReporter[] {
  return events.flatMap((event) =>
    event.do === 'reporter' ? [{ reporterId: event.name, verified: event.verified, lost: 0 }] : [],
  );
}

/** Returns the reports by the hashes of their identifiers. */
function indexReports(events: readonly LabEvent[]): ReadonlyMap<string, readonly Filed[]> {
  const removedAt = new Map<string, number>();
  for (const event of events) if (event.do === 'remove') removedAt.set(event.id, event.at);
  const byHash = new Map<string, Filed[]>();
  for (const event of events) {
    if (event.do !== 'report') continue;
    const filed = { report: event, until: removedAt.get(event.id) ?? Infinity };
    for (const { hash } of event.identifiers) {
      const others = byHash.get(hash);
      if (others === undefined) byHash.set(hash, [filed]);
      else others.push(filed);
    }
  }
  return byHash;
}

function addSightings(add: (sighting: Sighting) => void, hash: string, filed: readonly Filed[], at: number): void {
  for (const { report, until } of filed) {
    if (report.at >= at || until <= at) continue;
    const { id: reportId, reporter: reporterId, at: createdAt } = report;
    for (const { kind, hash: own } of report.identifiers)
      if (own === hash) add({ hash, kind, reportId, reporterId, createdAt, upheld: false });
  }
}

function evidenceOf(
  { at, identifiers }: QueryEvent,
  reports: ReadonlyMap<string, readonly Filed[]>,
): readonly EvidenceReport[] {
  const shared = new Map<ReportEvent, SharedIdentifier[]>();
  for (const { hash, kind } of identifiers)
    for (const { report, until } of reports.get(hash) ?? []) {
      if (report.at >= at || until <= at) continue;
      const matches = shared.get(report);
      if (matches === undefined) shared.set(report, [{ hash, kind }]);
      else matches.push({ hash, kind });
    }
  return [...shared].map(([{ id, reporter, type, severity, at: filedAt }, matches]) => ({
    reportId: id,
    reporterId: reporter,
    type,
    severity,
    ageDays: Math.floor((at - filedAt) / DAY_MS),
    shared: matches,
  }));
}
