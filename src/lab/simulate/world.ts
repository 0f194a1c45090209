import { requireString } from '../../domain/options.ts';
import type { Identifier } from '../../domain/identifier.ts';
import type { LabEvent } from '../event.ts';
import { DAY_MS } from '../../domain/day.ts';
import { atLeast, optional, requireObject, validateOptions } from '../options.ts';
import { attackEvents } from './attack-events.ts';
import { formatAttack, type Attack } from './attacks.ts';
import { createCustomers } from './customers.ts';
import { createStreams, createWeightedPick } from './draws.ts';
import { createLines } from './lines.ts';
import { createReporters, type Reporter } from './reporters.ts';
import { createPublicRecord, reportCase } from './reports.ts';
import { resolveWorld } from './resolve-world.ts';
import { pickVictims } from './victims.ts';
import { createVisits, sampleVisits, type Visit } from './visits.ts';
import { START_MS, type ScenarioName, type WorldOptions, type WorldOverrides } from './world-options.ts';

export interface Simulation {
  /** A whole number of at least 0. The same seed gives the same world. */
  readonly seed: number;
  readonly scenario?: ScenarioName;
  /** Numbers that override the scenario's. */
  readonly options?: WorldOverrides;
  /** The world then ends with the queries about the victims. The other events do not change. */
  readonly attack?: Attack;
}

/**
 * Returns the events of a simulated world in order of time. Simultaneous events also have a fixed order. The query
 * about a visit comes before its report. Both have the identifiers that the shop recorded.
 *
 * @throws RangeError or TypeError at the first event. The message names the option.
 */
export function* simulateWorld(simulation: Simulation): Generator<LabEvent, void, void> {
  validateOptions('simulation', simulation, {
    seed: atLeast(0),
    scenario: optional(requireString),
    options: optional(requireObject),
    attack: optional(requireObject),
  });
  const { seed, scenario, options, attack } = simulation;
  const world = resolveWorld(scenario, options);
  const end = endOf(world, attack);
  const streams = createStreams(seed);
  const reporters = createReporters(world, streams);
  const visits = createVisits(createCustomers(world, streams), world.days, streams);
  const asked = sampleVisits(visits, world.queries.fromDay, world.queries.count, streams('queries'));
  const lines = createLines(world, streams);
  const record = createPublicRecord();
  const pickReporter = createWeightedPick(reporters, (reporter) => reporter.size);
  const events: LabEvent[] = reporters.map(({ name, verified }) => ({ at: START_MS, do: 'reporter', name, verified }));

  const happen = (visit: Visit): void => {
    const { name, customer, at } = visit;
    lines.advance(at);
    const renewing = streams('lines', name);
    for (const line of customer.lines) lines.renew(line, customer.fraud, at, renewing);

    // Make the same draws in the same order, so that a changed option leaves the rest of the world unchanged.
    const random = streams('visit', name);
    const reporter = pickReporter(random);
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

  // Drop events after the end, e.g. a repeat or a withdrawal. The sort is stable, so simultaneous events keep their
  // order.
  yield* events.filter((event) => event.at <= START_MS + end).sort((a, b) => a.at - b.at);
}

/** Returns the end of the world, milliseconds since its start. */
function endOf(world: WorldOptions, attack: Attack | undefined): number {
  if (attack === undefined) return world.days * DAY_MS;
  formatAttack(attack);
  const lastDay = world.attack.day + world.attack.askedAfterDays;
  if (lastDay > world.days)
    throw new RangeError(
      `"world.days" expected at least ${lastDay}, the day of the queries about the victims, got ${world.days}`,
    );
  return Math.round(lastDay * DAY_MS);
}
