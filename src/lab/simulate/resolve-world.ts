import { nameOf, requireString } from '../../core/domain/options.ts';
import { SEVERITY } from '../../core/domain/report.ts';
import { isRecord } from '../options.ts';
import {
  KINDS,
  SCENARIO_NAMES,
  SCENARIOS,
  WORLD_OPTIONS,
  type KindOptions,
  type Range,
  type ScenarioName,
  type WorldOptions,
  type WorldOverrides,
} from './world-options.ts';

/**
 * Returns the validated numbers of a world. The scenario overrides the base; the caller overrides the scenario.
 *
 * @throws RangeError or TypeError that names the option, e.g. `"world.customers" expected …, got …`.
 */
export function resolveWorld(scenario: ScenarioName = 'base', overrides: WorldOverrides = {}): WorldOptions {
  requireString('scenario', scenario);
  if (!Object.hasOwn(SCENARIOS, scenario))
    throw new RangeError(`"scenario" expected one of ${SCENARIO_NAMES.join(', ')}`);
  const world = merge('world', merge('world', WORLD_OPTIONS, SCENARIOS[scenario]), overrides) as WorldOptions;
  validate('world', world, RULES);

  if (KINDS.every((kind) => world.kinds[kind].share < 1))
    throw new RangeError('"world.kinds" expected at least one kind with a share of 1: reports and queries need it');
  const { careless, copying } = world.reporting;
  if (careless + copying > 1)
    throw new RangeError(
      `"world.reporting" expected a sum of careless and copying of at most 1, got ${careless + copying}`,
    );
  const { day, ringDays, camouflageDays, patientFromDay, patientDays } = world.attack;
  for (const [name, days] of Object.entries({ ringDays, camouflageDays, patientFromDay, patientDays }))
    if (days > day)
      throw new RangeError(`"world.attack.${name}" expected at most ${day}, the day of the attack, got ${days}`);
  return world;
}

/** Rule for a number, or for both numbers of a pair. */
interface Rule {
  readonly expected: string;
  readonly holds: (value: number) => boolean;
  readonly pair?: 'range' | 'normal';
}

/** A rule for each number. The compiler reports a missing one. */
type Rules<T> = { readonly [K in keyof T]: T[K] extends number | Range ? Rule : Rules<T[K]> };

const whole = (least: number, most: number): Rule => ({
  expected: `a whole number from ${least} to ${most}`,
  holds: (value) => Number.isSafeInteger(value) && value >= least && value <= most,
});
const within = (least: number, most: number): Rule => ({
  expected: `a number from ${least} to ${most}`,
  holds: (value) => value >= least && value <= most,
});
const SHARE = within(0, 1);
const SHARES: Rule = { ...SHARE, pair: 'range' };
const SEVERITIES: Rule = { ...within(0, 10), pair: 'normal' };
// From about a minute to a hundred years. 0 is invalid, because rates are 1 divided by these numbers.
const DAYS = within(0.001, 36_500);
const KIND: Rules<KindOptions> = { share: SHARE, lifeDays: DAYS, handedOn: SHARE, fraudChange: SHARE };

const RULES: Rules<WorldOptions> = {
  days: whole(1, 36_500),
  customers: whole(1, 1_000_000),
  reporters: whole(1, 10_000),
  visits: { mean: within(0.001, 1000), fraudFactor: within(0.001, 1000), leftOut: SHARE, season: SHARE },
  fraud: { share: SHARE, alpha: within(0.001, 1000), beta: within(0.001, 1000), season: SHARE },
  households: SHARE,
  kinds: { email: KIND, phone: KIND, domain: KIND, ip: KIND },
  sharedAddresses: { count: whole(1, 1_000_000), zipf: within(0, 10), honest: SHARE, fraud: SHARE },
  reporting: {
    sizeExponent: within(0.1, 100),
    careless: SHARE,
    copying: SHARE,
    lazy: SHARE,
    verified: SHARE,
    bad: SHARES,
    honest: SHARES,
    carelessHonest: SHARES,
    copied: SHARE,
    copyingElsewhere: SHARE,
    drift: within(0, 10),
    activeDays: DAYS,
    colluding: SHARE,
    colluded: SHARE,
    repeats: within(0, 1000),
    repeatEveryDays: DAYS,
    withdrawn: SHARE,
    withdrawnAfterDays: DAYS,
  },
  severity: { fraud: SEVERITIES, honest: SEVERITIES, reporter: within(0, 10), repeat: within(0, 10) },
  queries: { fromDay: whole(0, 36_500), count: whole(0, 10_000_000) },
  attack: {
    day: whole(1, 36_500),
    victims: whole(1, 10_000),
    activeDays: DAYS,
    askedAfterDays: within(1, 36_500),
    ringParties: whole(1, 1000),
    ringDays: DAYS,
    camouflageReports: whole(1, 1000),
    camouflageDays: DAYS,
    patientVictims: whole(1, 1000),
    patientFromDay: whole(0, 36_500),
    patientDays: DAYS,
    sleeperDays: DAYS,
    dripDays: DAYS,
    launderDays: DAYS,
    severity: whole(SEVERITY.min, SEVERITY.max),
    identifiers: whole(1, KINDS.length),
  },
};

/** Overrides numbers of `base` with those of `over`. Throws TypeError for a name that `base` lacks. */
function merge(label: string, base: object, over: unknown): object {
  if (!isRecord(over)) throw new TypeError(`"${label}" expected an object of options, got ${nameOf(over)}`);
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    if (!Object.hasOwn(base, name)) throw new TypeError(`"${label}.${name}" is not an option`);
    if (value === undefined) continue;
    const before = merged[name];
    merged[name] = isRecord(before) ? merge(`${label}.${name}`, before, value) : value;
  }
  return merged;
}

function validate(label: string, value: unknown, rules: unknown): void {
  if (isRule(rules)) return validateValue(label, value, rules);
  if (isRecord(rules) && isRecord(value))
    for (const [name, inner] of Object.entries(rules)) validate(`${label}.${name}`, value[name], inner);
}

function validateValue(label: string, value: unknown, rule: Rule): void {
  if (rule.pair === undefined) return validateNumber(label, value, rule);
  if (!Array.isArray(value) || value.length !== 2)
    throw new TypeError(`"${label}" expected a pair of numbers, got ${nameOf(value)}`);
  for (const end of value) validateNumber(label, end, rule);
  if (rule.pair === 'range' && value[0] > value[1])
    throw new RangeError(`"${label}" expected the lower end first, got ${value[0]}, ${value[1]}`);
}

function validateNumber(label: string, value: unknown, rule: Rule): void {
  if (typeof value !== 'number') throw new TypeError(`"${label}" expected ${rule.expected}, got ${nameOf(value)}`);
  if (!rule.holds(value)) throw new RangeError(`"${label}" expected ${rule.expected}, got ${value}`);
}

function isRule(value: unknown): value is Rule {
  return isRecord(value) && typeof value['holds'] === 'function';
}
