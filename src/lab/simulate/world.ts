import { requireString } from '../../core/domain/options.ts';
import type { Identifier } from '../../core/domain/identifier.ts';
import type { LabEvent } from '../event.ts';
import { DAY_MS } from '../../core/domain/day.ts';
import { atLeast, optional, requireObject, validateOptions } from '../options.ts';
import { attackEvents } from './attack-events.ts';
import { accusingDays, formatAttack, type Attack } from './attacks.ts';
import { createCustomers } from './customers.ts';
import { createStreams, createWeightedPick } from './draws.ts';
import { createLines } from './lines.ts';
import { chanceAt, createReporters, type Reporter } from './reporters.ts';
import { createPublicRecord, reportCase } from './reports.ts';
import { resolveWorld } from './resolve-world.ts';
import { pickVictims, type Victim } from './victims.ts';
import { createVisits, sampleVisits, type Visit } from './visits.ts';
import { anchorOf, START_MS, type ScenarioName, type WorldOptions, type WorldOverrides } from './world-options.ts';

/** Which world to simulate. */
export interface Simulation {
  /** A whole number of at least 0. The same seed gives the same world. */
  readonly seed: number;
  /** Name of the world; default `base`. */
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
  const world = resolve(simulation);
  const { seed, attack } = simulation;
  const end = endOf(world, attack);
  const { events, victims } = createHistory(world, seed, end, attack !== undefined);
  if (attack !== undefined) events.push(...attackEvents(attack, world, victims, events, createStreams(seed)));
  yield* inOrder(events, end);
}

/** A world and what attacks add to it. All lists are in order of time. */
export interface AttackedWorld {
  /** The world to its end, without an attack. */
  readonly events: readonly LabEvent[];
  /** When all attacks begin (ms, UTC). */
  readonly attackAt: number;
  /** By attack: the attackers' events and the queries about the victims. */
  readonly attacks: readonly (readonly LabEvent[])[];
}

/** Returns a world and several attacks on the same victims, in one simulation. Throws as {@link simulateWorld}. */
export function simulateAttacks(simulation: Omit<Simulation, 'attack'>, attacks: readonly Attack[]): AttackedWorld {
  const { events, attackAt, attackWith } = createAttackableWorld(simulation, attacks.length > 0);
  return { events, attackAt, attacks: attacks.map((attack) => attackWith(attack)) };
}

/** Numbers of an attack that leave the world and its victims unchanged. */
export type AttackNumbers = Partial<Omit<WorldOptions['attack'], 'day' | 'victims' | 'activeDays'>>;

/** A simulated world on which many attacks can be tried. All lists are in order of time. */
export interface AttackableWorld {
  readonly world: WorldOptions;
  /** The world to its end, without an attack. */
  readonly events: readonly LabEvent[];
  /** When all attacks begin (ms, UTC). */
  readonly attackAt: number;
  /**
   * Returns the attackers' events and the queries about the victims. `numbers` overrides those of the world. Throws
   * RangeError or TypeError for an invalid attack or number, and if the world ends too early.
   */
  attackWith(attack: Attack, numbers?: AttackNumbers): readonly LabEvent[];
}

/** Simulates a world once, for any number of attacks on the same victims. Throws as {@link simulateWorld}. */
export function createAttackableWorld(simulation: Omit<Simulation, 'attack'>, withVictims = true): AttackableWorld {
  const world = resolve(simulation);
  const { seed, scenario, options = {} } = simulation;
  const end = world.days * DAY_MS;
  if (withVictims) endAfter(world, 0);
  const { events, victims } = createHistory(world, seed, end, withVictims);
  const streams = createStreams(seed);
  return {
    world,
    events: inOrder(events, end),
    attackAt: START_MS + world.attack.day * DAY_MS,
    attackWith(attack, numbers = {}) {
      const attacked = resolveWorld(scenario, { ...options, attack: { ...options.attack, ...numbers } });
      const attackEnd = endOf(attacked, attack);
      return inOrder(attackEvents(attack, attacked, victims, events, streams), attackEnd);
    },
  };
}

function resolve(simulation: Simulation): WorldOptions {
  validateOptions('simulation', simulation, {
    seed: atLeast(0),
    scenario: optional(requireString),
    options: optional(requireObject),
    attack: optional(requireObject),
  });
  return resolveWorld(simulation.scenario, simulation.options);
}

/** Drops events after the end, e.g. a repeat. The sort is stable, so simultaneous events keep their order. */
function inOrder(events: readonly LabEvent[], end: number): LabEvent[] {
  return events.filter((event) => event.at <= START_MS + end).sort((a, b) => a.at - b.at);
}

/** Returns the events of visits before `end`, not sorted by time, and the victims of an attack, if wanted. */
function createHistory(
  world: WorldOptions,
  seed: number,
  end: number,
  withVictims: boolean,
): { readonly events: LabEvent[]; readonly victims: readonly Victim[] } {
  const streams = createStreams(seed);
  const reporters = createReporters(world, streams);
  const colluders = reporters.filter(({ colluding }) => colluding);
  const visits = createVisits(createCustomers(world, streams), world, streams);
  const asked = sampleVisits(visits, world.queries.fromDay, world.queries.count, streams('queries'));
  const lines = createLines(world, streams);
  const record = createPublicRecord();
  const pickReporter = createWeightedPick(reporters, (reporter) => reporter.size);
  const anchor = anchorOf(world);
  const events: LabEvent[] = reporters.map(({ name, verified }) => ({ at: START_MS, do: 'reporter', name, verified }));

  const file = (
    visit: Visit,
    key: string,
    reporter: Reporter,
    at: number,
    identifiers: readonly Identifier[],
  ): void => {
    const filed = reportCase(
      { name: `report ${key}`, reporter, at, identifiers, fraud: visit.customer.fraud },
      world,
      streams('report', key),
    );
    events.push(...filed.events);
    record.add(
      identifiers.map(({ hash }) => hash),
      reporter.name,
      filed.until,
    );
  };

  const happen = (visit: Visit): void => {
    const { name, customer, at } = visit;
    lines.advance(at);
    const renewing = streams('lines', name);
    for (const line of customer.lines) lines.renew(line, customer.fraud, at, renewing);

    // Make the same draws in the same order, so that a changed option leaves the rest of the world unchanged.
    const random = streams('visit', name);
    const reporter = pickActive(pickReporter, random, at);
    if (reporter === undefined) return;
    const bad = random() < customer.badChance;
    const decision = random();
    const identifiers = customer.lines
      .filter(({ kind }) => random() >= world.visits.leftOut || kind === anchor)
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
    file(visit, name, reporter, at, identifiers);
    if (customer.fraud || !reporter.colluding) return;
    for (const [i, other] of colluders.entries()) {
      const joining = streams('collusion', `${name} ${i}`);
      const joins = other !== reporter && joining() < world.reporting.colluded;
      if (joins) file(visit, `${name}~${i}`, other, at + Math.floor(joining() * 14 * DAY_MS), identifiers);
    }
  };

  const chanceToReport = (reporter: Reporter, bad: boolean, identifiers: readonly Identifier[], at: number): number => {
    if (!reporter.copying) return chanceAt(reporter, bad, at / (world.days * DAY_MS));
    const known = identifiers.some(
      ({ kind, hash }) => (kind !== 'ip' || anchor === 'ip') && record.hasAnother(hash, reporter.name, at),
    );
    return known ? world.reporting.copied : world.reporting.copyingElsewhere;
  };

  if (!withVictims) {
    visits.forEach(happen);
    return { events, victims: [] };
  }
  const attackAt = world.attack.day * DAY_MS;
  const before = visits.filter((visit) => visit.at < attackAt);
  before.forEach(happen);
  lines.advance(attackAt);
  const victims = pickVictims(world, before, record, streams('victims'));
  visits.filter((visit) => visit.at >= attackAt && visit.at < end).forEach(happen);
  return { events, victims };
}

/** Draws a reporter who is active; undefined if none is found in 100 draws. */
function pickActive(pick: (random: () => number) => Reporter, random: () => number, at: number): Reporter | undefined {
  for (let i = 0; i < 100; i++) {
    const reporter = pick(random);
    if (at >= reporter.active[0] && at <= reporter.active[1]) return reporter;
  }
  return undefined;
}

/** Returns the end of the world, milliseconds since its start. */
function endOf(world: WorldOptions, attack: Attack | undefined): number {
  if (attack === undefined) return world.days * DAY_MS;
  formatAttack(attack);
  const { day, sleeperDays } = world.attack;
  // Not an error of other attacks: the default is longer than some worlds.
  if (attack.kind === 'sleeper' && sleeperDays > day)
    throw new RangeError(
      `"world.attack.sleeperDays" expected at most ${day}, the day of the attack, got ${sleeperDays}`,
    );
  return endAfter(world, accusingDays(attack, world.attack));
}

/** Returns when the victims are asked about if the last accusation is `days` after the first, ms since the start. */
function endAfter(world: WorldOptions, days: number): number {
  const lastDay = world.attack.day + days + world.attack.askedAfterDays;
  if (lastDay > world.days)
    throw new RangeError(
      `"world.days" expected at least ${lastDay}, the day of the queries about the victims, got ${world.days}`,
    );
  return Math.round(lastDay * DAY_MS);
}
