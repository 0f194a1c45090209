import {
  SCENARIOS,
  WORLD_OPTIONS,
  type KindOptions,
  type Range,
  type ScenarioName,
  type WorldOptions,
  type WorldOverrides,
} from './world-options.ts';

/**
 * The numbers of a world: the base's, the scenario's over them, the caller's over those, each proved.
 * Throws RangeError or TypeError that names the option, e.g. `"world.customers" expected …, got …`.
 */
export function resolveWorld(scenario: ScenarioName = 'base', overrides: WorldOverrides = {}): WorldOptions {
  if (!Object.hasOwn(SCENARIOS, scenario))
    throw new RangeError(`"scenario" expected one of ${Object.keys(SCENARIOS).join(', ')}, got ${String(scenario)}`);
  const world = merge('world', merge('world', WORLD_OPTIONS, SCENARIOS[scenario]), overrides) as WorldOptions;
  prove('world', world, RULES);

  const { careless, copying } = world.reporting;
  if (careless + copying > 1)
    throw new RangeError(
      `"world.reporting" expected careless and copying shares of at most 1 together, got ${careless + copying}`,
    );
  for (const name of ['ringDays', 'camouflageDays'] as const) {
    if (world.attack[name] > world.attack.day)
      throw new RangeError(
        `"world.attack.${name}" expected at most the day of the attack, ${world.attack.day}, got ${world.attack[name]}`,
      );
  }
  return world;
}

/** What one number must be; a pair must be it twice. */
interface Rule {
  readonly expected: string;
  readonly holds: (value: number) => boolean;
  readonly pair?: 'range' | 'normal';
}

/** A rule for each number: the compiler asks for the missing one. */
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
// A hundred years. The least is a minute or so: a rate is one over it.
const DAYS = within(0.001, 36_500);
const KIND: Rules<KindOptions> = { share: SHARE, lifeDays: DAYS, handedOn: SHARE, fraudChange: SHARE };

const RULES: Rules<WorldOptions> = {
  days: whole(1, 36_500),
  customers: whole(1, 1_000_000),
  reporters: whole(1, 10_000),
  visits: { mean: within(0.001, 1000), fraudFactor: within(0.001, 1000), leftOut: SHARE },
  fraud: { share: SHARE, alpha: within(0.001, 1000), beta: within(0.001, 1000) },
  households: SHARE,
  // Without an email a visit might have no identifier at all, and neither a report nor a query may be empty.
  kinds: {
    email: { ...KIND, share: { expected: '1', holds: (value) => value === 1 } },
    phone: KIND,
    domain: KIND,
    ip: KIND,
  },
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
  },
};

/** Lays `over` over `base`. A name that the base does not have is refused: misspelt, it would leave the default in force without a word. */
function merge(label: string, base: object, over: object): object {
  if (!isRecord(over)) throw new TypeError(`"${label}" expected an object of options, got ${nameOf(over)}`);
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over)) {
    if (!Object.hasOwn(base, name)) throw new TypeError(`"${label}.${name}" is not an option`);
    if (value === undefined) continue;
    const before = merged[name];
    merged[name] = isRecord(before) ? merge(`${label}.${name}`, before, value as object) : value;
  }
  return merged;
}

function prove(label: string, value: unknown, rules: object): void {
  if (!isRule(rules)) {
    for (const [name, inner] of Object.entries(rules))
      prove(`${label}.${name}`, (value as Record<string, unknown>)[name], inner as object);
    return;
  }
  if (rules.pair === undefined) return proveNumber(label, value, rules);
  if (!Array.isArray(value) || value.length !== 2)
    throw new TypeError(`"${label}" expected a pair of numbers, got ${nameOf(value)}`);
  for (const end of value) proveNumber(label, end, rules);
  if (rules.pair === 'range' && value[0] > value[1])
    throw new RangeError(`"${label}" expected the lower end first, got ${value[0]}, ${value[1]}`);
}

function proveNumber(label: string, value: unknown, rule: Rule): void {
  if (typeof value !== 'number') throw new TypeError(`"${label}" expected ${rule.expected}, got ${nameOf(value)}`);
  if (!rule.holds(value)) throw new RangeError(`"${label}" expected ${rule.expected}, got ${value}`);
}

function isRule(value: object): value is Rule {
  return typeof (value as Rule).holds === 'function';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? `a list of ${value.length}` : typeof value;
}
