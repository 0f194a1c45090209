import { requireFunction, requireString, requireWhole } from '../../core/domain/options.ts';
import type { ScoringModel } from '../../core/scoring/model.ts';
import type { LabEvent } from '../event.ts';
import { atLeast, optional, requireFinite, requireObject, validateOptions } from '../options.ts';
import { accusingDays, formatAttack, isLeading, type Attack } from '../simulate/attacks.ts';
import { createStreams } from '../simulate/draws.ts';
import {
  WORLD_OPTIONS,
  type Overrides,
  type ScenarioName,
  type WorldOptions,
  type WorldOverrides,
} from '../simulate/world-options.ts';
import { createAttackableWorld } from '../simulate/world.ts';
import { createPlanKinds, isCheaper, type Plan } from './plan.ts';
import type { AttackPrice } from './price.ts';
import { searchPlans, type Outcome } from './search-plans.ts';
import { createTarget } from './target.ts';

/** Options of {@link searchAttacks}. */
export interface AttackSearchOptions {
  /** Seed of the world and of the search, a whole number of at least 0. */
  readonly seed: number;
  /** Name of the world; default `base`. */
  readonly scenario?: ScenarioName;
  /** Numbers that override the scenario's. Of `attack`, the search sets all numbers but the day and the victims. */
  readonly options?: WorldOverrides;
  /** The model that the attacker knows and attacks. */
  readonly model: ScoringModel;
  /** Greatest number of plans to try, at least 1; default 60. */
  readonly budget?: number;
  /** The operator's threshold of Points, a whole number from 1 to 100; default 50. */
  readonly points?: number;
  /** The operator's threshold of Reliability, 0 to 10; default 3. Both thresholds must be reached. */
  readonly reliability?: number;
  /** Called after each plan with the number of plans so far. */
  readonly onTried?: (tried: number) => void;
}

/**
 * A plan that the search tried. `simulateWorld` repeats it with the seed, scenario and options of the search, its
 * `attack`, and its `options` as `options.attack`.
 */
export interface TriedAttack {
  /** As `formatAttack` writes it, e.g. `patient:1x4`. */
  readonly name: string;
  /** What the attacker does. */
  readonly attack: Attack;
  /** Numbers of `WorldOptions.attack` that belong to the plan, its victims included. */
  readonly options: Overrides<WorldOptions['attack']>;
  /** Median over the victims, each rounded as in a reply: 0 to 100. */
  readonly points: number;
  /** Median over the victims, each rounded as in a reply: 0 to 10. */
  readonly reliability: number;
  /** What the plan costs for one victim. */
  readonly price: AttackPrice;
}

/** What the search found for one kind of attacker. */
export interface AttackerResult {
  /** `unverified`: new keys only. `one-verified-key`: also one verified reporter that is rogue or deceived. */
  readonly attacker: 'unverified' | 'one-verified-key';
  /** Number of plans that were tried. */
  readonly tried: number;
  /** The cheapest plan that reached the threshold; null if none did. A cheaper one may exist. */
  readonly cheapest: TriedAttack | null;
  /** The plan that reached most of the threshold, or exceeded it most; null if none was tried. */
  readonly strongest: TriedAttack | null;
}

/** The result of {@link searchAttacks}. */
export interface AttackSearch {
  /** Seed of the world and of the search. */
  readonly seed: number;
  /** Name of the world. */
  readonly scenario: ScenarioName;
  /** Name of the attacked model. */
  readonly model: string;
  /** The threshold of Points. */
  readonly points: number;
  /** The threshold of Reliability. */
  readonly reliability: number;
  /** Number of honest people that each plan attacks. Points and Reliability are their medians. */
  readonly victims: number;
  /** Number of plans that were tried, at most the budget. */
  readonly tried: number;
  /** One per kind of attacker. */
  readonly attackers: readonly AttackerResult[];
}

/** Enough for a median, few enough for the true reports that a world has. Odd, so that the median is one victim's. */
const VICTIMS = 7;

/**
 * Searches for the cheapest way to put honest people of a simulated world over a threshold. The attacker knows the
 * model. The world is simulated once; each plan costs one computation of the standings. The same options give the same
 * result. A plan that was not tried may be cheaper.
 *
 * @throws TypeError or RangeError for an invalid option; the message names it.
 */
export function searchAttacks(options: AttackSearchOptions): AttackSearch {
  validateOptions('options', options, {
    seed: atLeast(0),
    scenario: optional(requireString),
    options: optional(requireObject),
    model: requireObject,
    budget: optional(atLeast(1)),
    points: optional(requirePoints),
    reliability: optional(requireReliability),
    onTried: optional(requireFunction),
  });
  const { seed, scenario = 'base', model, budget = 60, points = 50, reliability = 3, onTried } = options;
  const given = options.options?.attack ?? {};
  requireObject('world.attack', given);
  const { victims = VICTIMS, day = WORLD_OPTIONS.attack.day } = given;
  const chosen = { ...fitTo(day), victims, patientVictims: victims };
  const overrides: WorldOverrides = { ...options.options, attack: { ...given, ...chosen } };
  const { world, events, attackWith } = createAttackableWorld({ seed, scenario, options: overrides });
  const target = createTarget(events, model);
  const kinds = createPlanKinds(world);
  const streams = createStreams(seed);

  let last: { readonly plan: Plan; readonly events: readonly LabEvent[] } | undefined;
  const eventsOf = (plan: Plan): readonly LabEvent[] => {
    if (last?.plan !== plan) last = { plan, events: attackWith(plan.attack, plan.options) };
    return last.events;
  };
  const searches = (['unverified', 'verified'] as const).map((name) => ({
    attacker: name === 'unverified' ? ('unverified' as const) : ('one-verified-key' as const),
    plans: searchPlans({
      kinds: kinds[name],
      world,
      random: streams('attack search', name),
      isPossible: (plan) => lasts(plan, world) && hasTrueReports(plan, world, eventsOf(plan)),
    }),
    outcome: undefined as Outcome | undefined,
    tried: 0,
    cheapest: undefined as Found | undefined,
    strongest: undefined as Found | undefined,
    ended: false,
  }));

  let tried = 0;
  while (tried < budget && searches.some(({ ended }) => !ended)) {
    for (const search of searches) {
      if (search.ended || tried >= budget) continue;
      // A generator ignores the first value that it is passed.
      const step = search.plans.next(search.outcome ?? { passes: false, share: 0 });
      if (step.done) {
        search.ended = true;
        continue;
      }
      const plan = step.value;
      const reached = target.reach(eventsOf(plan));
      const passes = reached.points >= points && reached.reliability >= reliability;
      const share = Math.min(reached.points / points, reliability === 0 ? Infinity : reached.reliability / reliability);
      const found: Found = { plan, share, ...reached };
      if (passes && isCheaper(plan, search.cheapest?.plan)) search.cheapest = found;
      if (search.strongest === undefined || share > search.strongest.share) search.strongest = found;
      search.outcome = { passes, share };
      search.tried++;
      tried++;
      onTried?.(tried);
    }
  }
  return {
    seed,
    scenario,
    model: model.name,
    points,
    reliability,
    victims,
    tried,
    attackers: searches.map((search) => ({
      attacker: search.attacker,
      tried: search.tried,
      cheapest: toTried(search.cheapest, chosen),
      strongest: toTried(search.strongest, chosen),
    })),
  };
}

/** Returns the defaults that an early day of the attack would refuse, shortened. The search replaces these numbers. */
function fitTo(day: number): Overrides<WorldOptions['attack']> {
  const { ringDays, camouflageDays, patientDays } = WORLD_OPTIONS.attack;
  const shortened = Object.entries({ ringDays, camouflageDays, patientDays }).filter(([, days]) => days > day);
  return Object.fromEntries(shortened.map(([name]) => [name, day]));
}

interface Found {
  readonly plan: Plan;
  readonly share: number;
  readonly points: number;
  readonly reliability: number;
}

function toTried(found: Found | undefined, chosen: TriedAttack['options']): TriedAttack | null {
  if (found === undefined) return null;
  const { plan, points, reliability } = found;
  return {
    name: formatAttack(plan.attack),
    attack: plan.attack,
    options: { ...chosen, ...plan.options },
    points,
    reliability,
    price: plan.price,
  };
}

/** True if the world does not end before the queries about the victims. */
function lasts({ attack, options }: Plan, { attack: numbers, days }: WorldOptions): boolean {
  return numbers.day + accusingDays(attack, { ...numbers, ...options }) + numbers.askedAfterDays <= days;
}

/** True if the world has all true reports that the plan needs for its victims. */
function hasTrueReports(
  { attack, price }: Plan,
  { attack: numbers }: WorldOptions,
  events: readonly LabEvent[],
): boolean {
  if (!isLeading(attack) && attack.kind !== 'camouflage') return true;
  const victims = isLeading(attack) ? numbers.patientVictims : 1;
  const accusers = isLeading(attack) ? victims : numbers.victims;
  const reports = events.filter((event) => event.do === 'report').length;
  return reports >= price.trueReports * victims + price.accusingReports * accusers;
}

function requirePoints(label: string, value: unknown): void {
  requireWhole(label, value, 1, 100);
}

function requireReliability(label: string, value: unknown): void {
  requireFinite(label, value);
  if (value < 0 || value > 10) throw new RangeError(`"${label}" expected a number from 0 to 10, got ${value}`);
}
