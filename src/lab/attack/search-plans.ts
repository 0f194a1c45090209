import type { Random } from '../simulate/draws.ts';
import type { WorldOptions } from '../simulate/world-options.ts';
import { createPlan, isCheaper, type Plan, type PlanKind, type PlanNumbers } from './plan.ts';

/** What became of a plan. */
export interface Outcome {
  /** True if the median victim is at or over the threshold. */
  readonly passes: boolean;
  /** Share of the threshold that the plan reached, at least 0. The nearest plan has the greatest share. */
  readonly share: number;
}

export interface PlanSearch {
  readonly kinds: readonly PlanKind[];
  readonly world: WorldOptions;
  readonly random: Random;
  /** False for a plan that the world does not allow: too few true reports, or the world ends too early. */
  readonly isPossible: (plan: Plan) => boolean;
}

/** Random plans in a row that are not cheaper or known already, after which the search ends. */
const MAX_IDLE_PLANS = 500;
/** A number is not lowered further if the next step would lower it by less than this share. */
const FINEST = 0.05;

/** A kind whose numbers are growing. */
interface Climber {
  readonly plan: Plan;
  readonly steps: number;
  /** Greatest share so far. */
  readonly maxShare: number;
  /** Steps in a row that added nothing. */
  readonly flatSteps: number;
  /** True after the world had too few true reports for more keys. Then only the reports of each key grow. */
  readonly isNarrow: boolean;
}

const FAILED: Outcome = { passes: false, share: 0 };
/** A step adds something if it multiplies the share by more than this. */
const FLAT = 1.05;
const MAX_FLAT_STEPS = 2;

/**
 * Searches for the cheapest plan that passes. Yields each plan to try and takes its outcome; never yields a plan twice.
 *
 * 1. All kinds start with their cheapest numbers and grow geometrically, the cheapest plan first, as long as it helps.
 * 2. The cheapest plan that passes is lowered, one number at a time.
 * 3. Random neighbours follow: of the cheapest plan that passes, or of the plan that comes nearest.
 */
export function* searchPlans({ kinds, world, random, isPossible }: PlanSearch): Generator<Plan, void, Outcome> {
  const known = new Map<string, Outcome>();
  let cheapest: Plan | undefined;
  let nearest: { readonly plan: Plan; readonly share: number } | undefined;

  function* attempt(plan: Plan): Generator<Plan, Outcome, Outcome> {
    const before = known.get(plan.text);
    if (before !== undefined) return before;
    const outcome = isPossible(plan) ? yield plan : FAILED;
    known.set(plan.text, outcome);
    if (outcome.passes && isCheaper(plan, cheapest)) cheapest = plan;
    if (outcome.share > (nearest?.share ?? 0)) nearest = { plan, share: outcome.share };
    return outcome;
  }

  function* grow(): Generator<Plan, void, Outcome> {
    let climbers = kinds.map((kind): Climber => ({
      plan: createPlan(kind, kind.start, world),
      steps: 0,
      maxShare: 0,
      flatSteps: 0,
      isNarrow: false,
    }));
    for (;;) {
      climbers.sort((a, b) => a.plan.price.total - b.plan.price.total);
      const [climber, ...others] = climbers;
      // The others are as expensive or more.
      if (climber === undefined || (cheapest !== undefined && !isCheaper(climber.plan, cheapest))) return;
      // If the world has too few true reports, a longer time has more, and fewer keys need less.
      const isTooLarge = !isPossible(climber.plan);
      const longer = isTooLarge ? lengthened(climber.plan) : undefined;
      const narrower = isTooLarge && longer === undefined ? narrowed(climber.plan) : undefined;
      const smaller = longer ?? narrower;
      const isNarrow = climber.isNarrow || narrower !== undefined;
      const { passes, share } = smaller === undefined ? yield* attempt(climber.plan) : FAILED;
      const grew = share > climber.maxShare * FLAT;
      const flatSteps = grew || smaller !== undefined ? 0 : climber.flatSteps + 1;
      const { kind } = climber.plan;
      const ended = passes || (kind.saturates && flatSteps === MAX_FLAT_STEPS);
      const numbers = ended ? undefined : (smaller ?? grown(climber.plan, climber.steps, isNarrow));
      climbers = others;
      if (numbers === undefined) continue;
      const plan = createPlan(kind, numbers, world);
      const steps = climber.steps + (smaller === undefined ? 1 : 0);
      climbers.push({ plan, steps, maxShare: Math.max(share, climber.maxShare), flatSteps, isNarrow });
    }
  }

  function* shrink(): Generator<Plan, void, Outcome> {
    for (let start: Plan | undefined; start !== cheapest;) {
      start = cheapest;
      for (const [name, [least]] of Object.entries(start?.kind.bounds ?? {})) {
        let low = least;
        while (cheapest !== undefined) {
          const { kind, numbers }: Plan = cheapest;
          const value: number = numbers[name] ?? low;
          if (value - low < Math.max(1, value * FINEST)) break;
          const middle = Math.floor((low + value) / 2);
          const candidate = createPlan(kind, { ...numbers, [name]: middle }, world);
          const { passes } = yield* attempt(candidate);
          if (!passes || cheapest !== candidate) low = middle + 1;
        }
      }
    }
  }

  function* vary(): Generator<Plan, void, Outcome> {
    for (let idle = 0; idle < MAX_IDLE_PLANS;) {
      const from: Plan | undefined = cheapest ?? nearest?.plan;
      if (from === undefined) return;
      const candidate = createPlan(...neighbour(from, kinds, cheapest === undefined, random), world);
      if (known.has(candidate.text) || (cheapest !== undefined && !isCheaper(candidate, cheapest))) {
        idle++;
        continue;
      }
      // A plan that is not possible was never tried, so it does not end the idle turns.
      idle = isPossible(candidate) ? 0 : idle + 1;
      const { passes } = yield* attempt(candidate);
      if (passes) yield* shrink();
    }
  }

  yield* grow();
  yield* shrink();
  yield* vary();
}

/** Returns the numbers of a plan with twice the time for true reports; undefined if there is no more time. */
function lengthened({ kind, numbers }: Plan): PlanNumbers | undefined {
  const { windowDays } = numbers;
  const most = kind.bounds['windowDays']?.[1] ?? 0;
  if (windowDays === undefined || windowDays >= most) return undefined;
  return { ...numbers, windowDays: Math.min(most, windowDays * 2) };
}

/** Returns the numbers of a plan with true reports and half the keys; undefined if it has no fewer. */
function narrowed({ kind, numbers }: Plan): PlanNumbers | undefined {
  const { keys, windowDays } = numbers;
  const least = kind.bounds['keys']?.[0] ?? 1;
  if (keys === undefined || windowDays === undefined || keys <= least) return undefined;
  return { ...numbers, keys: Math.max(least, Math.floor(keys / 2)) };
}

/**
 * Returns the numbers of the next plan of a kind; undefined if all growing numbers are at their bounds. With
 * `lastOnly`, only the last ones grow.
 */
function grown({ kind, numbers }: Plan, step: number, lastOnly: boolean): PlanNumbers | undefined {
  const turns = lastOnly ? kind.growing.slice(-1) : kind.growing;
  for (let turn = 0; turn < turns.length; turn++) {
    const changed: Record<string, number> = {};
    for (const name of turns[(step + turn) % turns.length] ?? []) {
      const [, most] = kind.bounds[name] ?? [0, 0];
      const value = numbers[name] ?? 0;
      // From 0, the first step is 3: fewer true reports establish no reporter.
      if (value < most) changed[name] = Math.min(most, value === 0 ? 3 : value * kind.growth);
    }
    if (Object.keys(changed).length > 0) return { ...numbers, ...changed };
  }
  return undefined;
}

/** Returns a kind and numbers near those of a plan. `up` prefers larger numbers. */
function neighbour(
  { kind, numbers }: Plan,
  kinds: readonly PlanKind[],
  up: boolean,
  random: Random,
): [PlanKind, PlanNumbers] {
  const other = random() < 0.2 ? (kinds[Math.floor(random() * kinds.length)] ?? kind) : kind;
  const changed: Record<string, number> = { ...other.start };
  const names = Object.keys(other.bounds);
  const count = 1 + Math.floor(random() * 3);
  const chosen = new Set(Array.from({ length: count }, () => names[Math.floor(random() * names.length)] ?? ''));
  for (const [name, [least, most]] of Object.entries(other.bounds)) {
    const value = numbers[name] ?? changed[name] ?? least;
    const factor = Math.exp((random() - (up ? 0.2 : 0.6)) * 1.4);
    const moved = Math.round(value * factor) + Math.round(random() * 2 - 1);
    changed[name] = Math.min(most, Math.max(least, chosen.has(name) ? moved : value));
  }
  return [other, changed];
}
