import { SCENARIO_NAMES, type ScenarioName } from '../../lab/simulate/world-options.ts';
import { CUSTOMERS } from './person.ts';
import { isChange, MAX_DAYS, type Changes } from './what-if.ts';

/** The sections of the page, in reading order. */
export const SECTION_IDS = ['ask', 'reports', 'requests', 'world', 'keep'] as const;
export type SectionId = (typeof SECTION_IDS)[number];

/**
 * Where the visitor is, what is unfolded, and what is set. The page keeps it in the fragment of its address. It has no
 * identifier, no text and no hash.
 */
export interface Place {
  readonly at: SectionId;
  /** Ids of what is unfolded. */
  readonly open: readonly string[];
  /** Index of the customer of the example; undefined for any other person. */
  readonly customer: number | undefined;
  readonly changes: Changes;
  readonly daysFromNow: number;
  readonly world: WorldSettings;
}

/** Which world to simulate. */
export interface WorldSettings {
  readonly scenario: ScenarioName;
  readonly seed: number;
}

export const MAX_SEED = 999_999;
const MAX_OPEN = 40;
const MAX_CHARACTERS = 2000;

/** The place of a visitor who arrives. */
export const ARRIVAL: Place = {
  at: 'ask',
  open: [],
  customer: 0,
  changes: {},
  daysFromNow: 0,
  world: { scenario: 'base', seed: 1 },
};

/** Returns the fragment of a place, such as `#reports?open=model`; an empty text for the place of arrival. */
export function formatPlace({ at, open, customer = 0, changes, daysFromNow, world }: Place): string {
  const set = new URLSearchParams();
  if (open.length > 0) set.set('open', open.join('.'));
  if (customer !== 0) set.set('customer', String(customer + 1));
  if (daysFromNow !== 0) set.set('days', String(daysFromNow));
  if (world.scenario !== ARRIVAL.world.scenario) set.set('world', world.scenario);
  if (world.seed !== ARRIVAL.world.seed) set.set('seed', String(world.seed));
  for (const [path, value] of Object.entries(changes)) set.set(path, String(value));
  if (set.size === 0) return at === ARRIVAL.at ? '' : `#${at}`;
  return `#${at}?${set.toString()}`;
}

/**
 * Reads the place of a fragment; undefined if the fragment names no section. A stranger may have written it: values out
 * of range are left out.
 */
export function parsePlace(fragment: string): Place | undefined {
  if (fragment.length < 2) return ARRIVAL;
  const [name, ...rest] = fragment.slice(1, MAX_CHARACTERS).split('?');
  const at = SECTION_IDS.find((id) => id === name);
  if (at === undefined) return undefined;
  const set = new URLSearchParams(rest.join('?'));
  const whole = (key: string, min: number, max: number, otherwise: number): number => {
    const text = set.get(key) ?? '';
    return /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : otherwise;
  };
  return {
    at,
    open: (set.get('open') ?? '')
      .split('.')
      .filter((id) => /^[a-z]{1,8}\d{0,6}$/.test(id))
      .slice(0, MAX_OPEN),
    customer: whole('customer', 1, CUSTOMERS.length, 1) - 1,
    changes: Object.fromEntries(
      [...set]
        .filter(([, text]) => /^[\d.]+$/.test(text))
        .map(([path, text]) => [path, Number(text)] as const)
        .filter(([path, value]) => isChange(path, value)),
    ),
    daysFromNow: whole('days', 0, MAX_DAYS, 0),
    world: {
      scenario: SCENARIO_NAMES.find((known) => known === set.get('world')) ?? ARRIVAL.world.scenario,
      seed: whole('seed', 0, MAX_SEED, ARRIVAL.world.seed),
    },
  };
}
