import type { Identifier } from '../../domain/identifier.ts';
import type { LabEvent } from '../event.ts';
import { attackEvents } from './attack-events.ts';
import { formatAttack, type Attack } from './attacks.ts';
import { createCustomers } from './customers.ts';
import { createLines } from './lines.ts';
import { createPublicRecord } from './public-record.ts';
import { reportCase } from './report-case.ts';
import { createReporters, type Reporter } from './reporters.ts';
import { resolveWorld } from './resolve-world.ts';
import { DAY_MS, START_MS } from './start.ts';
import { createStreams } from './streams.ts';
import { pickVictims } from './victims.ts';
import { createVisits, sampleVisits, type Visit } from './visits.ts';
import { createWeightedPick } from './weighted-pick.ts';
import type { ScenarioName, WorldOptions, WorldOverrides } from './world-options.ts';

export interface Simulation {
  /** A whole number of at least 0; the same one gives the same world. */
  readonly seed: number;
  /** `base` unless given. */
  readonly scenario?: ScenarioName;
  /** Numbers that differ from the scenario's. */
  readonly options?: WorldOverrides;
  /** With one, the world ends when its victims have been asked about. It changes nothing of what the others do. */
  readonly attack?: Attack;
}

/**
 * What happens in a simulated world, in order of time; of two at one moment the order is fixed, too. A visit is asked about before it is reported, with
 * the same identifiers: those that the shop took. Throws RangeError or TypeError that names the option, at the first event.
 */
export function* simulateWorld({ seed, scenario, options, attack }: Simulation): Generator<LabEvent, void, void> {
  const world = resolveWorld(scenario, options);
  const end = endOf(world, attack);
  const streams = createStreams(seed);
  const reporters = createReporters(world, streams);
  const visits = createVisits(createCustomers(world, streams), world.days, streams);
  const asked = sampleVisits(visits, world.queries.fromDay, world.queries.count, streams('queries'));
  const lines = createLines(world, streams);
  const record = createPublicRecord();
  const pickReporter = createWeightedPick(reporters.map((reporter) => reporter.size));
  const events: LabEvent[] = reporters.map(({ name, verified }) => ({ at: START_MS, do: 'reporter', name, verified }));

  const happen = (visit: Visit): void => {
    const { name, customer, at } = visit;
    lines.advance(at);
    const renewing = streams('lines', name);
    for (const line of customer.lines) lines.renew(line, customer.fraud, at, renewing);

    // Always the same draws in the same order, so that another chance or rate leaves the rest of the world as it is.
    const random = streams('visit', name);
    const reporter = reporters[pickReporter(random())]!;
    const bad = random() < customer.badChance;
    const decision = random();
    const identifiers = customer.lines
      .filter(({ kind }) => random() >= world.visits.leftOut || kind === 'email')
      .map(({ kind, hash }) => ({ kind, hash }));

    if (asked.has(visit))
      events.push({
        at: START_MS + at,
        do: 'query',
        reporter: reporter.name,
        identifiers,
        label: customer.fraud ? 1 : 0,
      });
    if (decision >= chanceToReport(reporter, bad, identifiers, at)) return;
    const filed = reportCase(
      { name: `report ${name}`, reporter, at, identifiers, fraud: customer.fraud },
      world,
      streams('report', name),
    );
    events.push(...filed.events);
    record.add(
      identifiers.map(({ hash }) => hash),
      reporter.name,
      filed.until,
    );
  };

  const chanceToReport = (reporter: Reporter, bad: boolean, identifiers: readonly Identifier[], at: number): number => {
    if (!reporter.copying) return bad ? reporter.badChance : reporter.honestChance;
    const known = identifiers.some(({ kind, hash }) => kind !== 'ip' && record.hasAnother(hash, reporter.name, at));
    return known ? world.reporting.copied : world.reporting.copyingElsewhere;
  };

  if (attack === undefined) visits.forEach(happen);
  else {
    const attackAt = world.attack.day * DAY_MS;
    const before = visits.filter((visit) => visit.at < attackAt);
    before.forEach(happen);
    lines.advance(attackAt);
    const victims = pickVictims(world, before, record, streams('victims'));
    visits.filter((visit) => visit.at >= attackAt && visit.at < end).forEach(happen);
    events.push(...attackEvents(attack, world, victims, events, streams));
  }

  // A repeat or a withdrawal may fall behind the end. The sort is stable, so the order of two at one moment is that in which they were thought of.
  yield* events.filter((event) => event.at <= START_MS + end).sort((a, b) => a.at - b.at);
}

/** The last moment, milliseconds since the start of the world. */
function endOf(world: WorldOptions, attack: Attack | undefined): number {
  if (attack === undefined) return world.days * DAY_MS;
  formatAttack(attack);
  const lastDay = world.attack.day + world.attack.askedAfterDays;
  if (lastDay > world.days)
    throw new RangeError(
      `"world.days" expected at least ${lastDay}, the day after which an attack has been measured, got ${world.days}`,
    );
  return Math.round(lastDay * DAY_MS);
}
