// Makes a task of a simulated world: the evidence of every query, and the attacks.
import { DAY_MS, startOfDay } from '../../src/core/domain/day.ts';
import type { LabEvent, QueryEvent, ReportEvent } from '../../src/lab/event.ts';
import { parseAttack } from '../../src/lab/simulate/attacks.ts';
import { simulateAttacks, type Simulation } from '../../src/lab/simulate/world.ts';
import type { EvidenceReport, SharedIdentifier } from '../../src/core/scoring/evidence.ts';
import type { KnownReporter } from '../../src/core/scoring/standings/ledger.ts';
import type { Sighting } from '../../src/core/scoring/standings/pairs.ts';
import type { AttackTask, Epoch, Query, Task } from './task.ts';

/** Attacks that every candidate is measured with. */
export const ATTACKS: readonly string[] = [
  'patient:10x6',
  'patient:3x4',
  'patient:1x5',
  'rogue:1',
  'duplicates:1',
  'duplicates:100',
  'sybil:100',
  'ring:30',
  'camouflage:30',
];

export function createWorldTask(
  group: string,
  unit: string,
  simulation: Omit<Simulation, 'attack'>,
  { epochDays, attacks }: { readonly epochDays: number; readonly attacks: readonly string[] },
): Task {
  const world = simulateAttacks(simulation, attacks.map(parseAttack));
  const history = createHistory(world.events);
  const queries = world.events.filter((event) => event.do === 'query');
  const first = queries[0]?.at ?? 0;
  const byEpoch = new Map<number, QueryEvent[]>();
  for (const query of queries) {
    const at =
      startOfDay(first) + Math.floor((query.at - startOfDay(first)) / (epochDays * DAY_MS)) * epochDays * DAY_MS;
    byEpoch.set(at, [...(byEpoch.get(at) ?? []), query]);
  }
  return {
    group,
    unit,
    epochs: [...byEpoch].map(([at, asked]) => history.epochAt(at, asked)),
    attacks: attacks.map((name, i): AttackTask => {
      const events = world.attacks[i]!;
      const asked = events.filter((event) => event.do === 'query');
      const all = createHistory([...world.events, ...events].sort((a, b) => a.at - b.at));
      return { name, epoch: all.epochAt(startOfDay(asked[0]!.at), asked) };
    }),
  };
}

interface Filed extends ReportEvent {
  readonly until: number;
}

function createHistory(events: readonly LabEvent[]) {
  const removedAt = new Map(events.flatMap((event) => (event.do === 'remove' ? [[event.id, event.at]] : [])));
  const filed = events.flatMap((event): Filed[] =>
    event.do === 'report' ? [{ ...event, until: removedAt.get(event.id) ?? Infinity }] : [],
  );
  const known = events.flatMap((event): KnownReporter[] =>
    event.do === 'reporter' ? [{ reporterId: event.name, verified: event.verified, lost: 0 }] : [],
  );
  const byHash = new Map<string, Filed[]>();
  for (const report of filed)
    for (const { hash } of report.identifiers) {
      const others = byHash.get(hash);
      if (others === undefined) byHash.set(hash, [report]);
      else others.push(report);
    }
  const sightings = filed
    .flatMap(({ id, reporter, at, until, identifiers }) =>
      identifiers.map(({ kind, hash }): Sighting & { until: number } => ({
        hash,
        kind,
        reportId: id,
        reporterId: reporter,
        createdAt: at,
        upheld: false,
        until,
      })),
    )
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));

  const toQuery = ({ at, reporter, identifiers, label = 0 }: QueryEvent): Query => {
    const shared = new Map<Filed, SharedIdentifier[]>();
    for (const { hash, kind } of identifiers)
      for (const report of byHash.get(hash) ?? []) {
        if (report.at >= at || report.until <= at || report.reporter === reporter) continue;
        shared.set(report, [...(shared.get(report) ?? []), { hash, kind }]);
      }
    const reports = [...shared].map(([report, matches]): EvidenceReport => ({
      reportId: report.id,
      reporterId: report.reporter,
      type: report.type,
      severity: report.severity,
      ageDays: (startOfDay(at) - startOfDay(report.at)) / DAY_MS,
      shared: matches,
    }));
    return { label, later: false, reports };
  };

  return {
    epochAt: (at: number, asked: readonly QueryEvent[]): Epoch => ({
      at,
      sightings: sightings.filter(({ createdAt, until }) => createdAt < at && until > at),
      known,
      // Only queries that match are judged: without a match, all models answer 0.
      queries: asked.map(toQuery).filter(({ reports }) => reports.length > 0),
    }),
  };
}
