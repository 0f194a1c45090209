import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlan, createPlanKinds, isCheaper, type Plan } from '../../src/lab/attack/plan.ts';
import { ATTACK_PRICES, PRICE_PARTS } from '../../src/lab/attack/price.ts';
import {
  searchAttacks,
  type AttackSearch,
  type AttackSearchOptions,
  type TriedAttack,
} from '../../src/lab/attack/search-attacks.ts';
import { searchPlans, type Outcome } from '../../src/lab/attack/search-plans.ts';
import { createTarget } from '../../src/lab/attack/target.ts';
import type { LabEvent } from '../../src/lab/event.ts';
import { replay } from '../../src/lab/replay.ts';
import { parseAttack, type Attack } from '../../src/lab/simulate/attacks.ts';
import { createStreams } from '../../src/lab/simulate/draws.ts';
import { resolveWorld } from '../../src/lab/simulate/resolve-world.ts';
import { createAttackableWorld, simulateWorld } from '../../src/lab/simulate/world.ts';
import { createReportCountModel } from '../../src/lab/comparisons.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import { createMemoryStore } from '../memory-store.ts';

const model = createLinkClaimModel();
const SMALL = { customers: 1500, reporters: 20 };
const VICTIMS = { victims: 7, patientVictims: 7 };
const search = (options: Partial<AttackSearchOptions> = {}): AttackSearch =>
  searchAttacks({ seed: 3, options: SMALL, model, budget: 30, points: 40, reliability: 3, ...options });

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[(values.length - 1) / 2]!;

/** Replays the complete world with its attack on a real engine. Returns the medians of the victims' replies. */
async function replayed(
  attack: Attack,
  numbers: TriedAttack['options'],
): Promise<{ points: number; reliability: number }> {
  const simulation = { seed: 3, options: { ...SMALL, attack: numbers }, attack };
  const events = [...simulateWorld(simulation)].flatMap((event): LabEvent[] => {
    if (event.do !== 'query') return [event];
    // Only a labelled query has its Reliability in the result.
    return event.group === 'victim' ? [{ ...event, label: 0 }] : [];
  });
  const store = await createMemoryStore();
  const { samples } = await replay(events, store, { models: [model], epochDays: 1 });
  await store.close();
  expect(samples).toHaveLength(7);
  return {
    points: middle(samples.map(({ answers }) => answers[0]!.points)),
    reliability: middle(samples.map(({ answers }) => Math.max(1, Math.round(answers[0]!.chance! * 100) / 10))),
  };
}

describe('what a plan reaches', () => {
  const { events, attackWith } = createAttackableWorld({ seed: 3, options: { ...SMALL, attack: VICTIMS } });
  const target = createTarget(events, model);

  it.each(['duplicates:9', 'sybil:5', 'ring:4', 'camouflage:3', 'rogue:1', 'patient:2x3', 'drip:3x2', 'launder:1x3'])(
    'by %s is what the victims get when the full simulator replays it',
    async (text) => {
      const numbers = { severity: 7, identifiers: 2 };
      const attack = parseAttack(text);
      const reached = target.reach(attackWith(attack, numbers));
      const full = await replayed(attack, { ...VICTIMS, ...numbers });
      expect(reached.points).toBe(full.points);
      expect(reached.reliability).toBeCloseTo(full.reliability, 9);
    },
  );

  it('does not depend on the plans before it', () => {
    const [first, second] = ['patient:2x3', 'sybil:50'].map((text) => attackWith(parseAttack(text)));
    const alone = target.reach(first!);
    target.reach(second!);
    expect(target.reach(first!)).toEqual(alone);
  });

  it('works for a model without standings', () => {
    const counting = createTarget(events, createReportCountModel());
    const reach = (text: string): number => counting.reach(attackWith(parseAttack(text))).points;
    expect(reach('sybil:8')).toBeGreaterThan(reach('sybil:2'));
  });
});

describe('the price of a plan', () => {
  const world = resolveWorld();
  const kinds = Object.values(createPlanKinds(world)).flat();
  const plans = fc
    .constantFrom(...kinds)
    .chain((kind) =>
      fc
        .record(
          Object.fromEntries(Object.entries(kind.bounds).map(([name, [min, max]]) => [name, fc.integer({ min, max })])),
        )
        .map((numbers) => ({ kind, numbers })),
    );

  it('is the weighted sum of its parts', () => {
    fc.assert(
      fc.property(plans, ({ kind, numbers }) => {
        const { price } = createPlan(kind, numbers, world);
        const sum = PRICE_PARTS.reduce((total, part) => total + price[part] * ATTACK_PRICES[part], 0);
        expect(price.total).toBeCloseTo(sum, 1);
        for (const part of PRICE_PARTS) expect(Number.isInteger(price[part]) && price[part] >= 0).toBe(true);
      }),
    );
  });

  it('never falls if a number of the plan rises', () => {
    fc.assert(
      fc.property(plans, fc.nat(), fc.nat(), ({ kind, numbers }, which, by) => {
        const names = Object.keys(kind.bounds);
        const name = names[which % names.length]!;
        const raised = { ...numbers, [name]: Math.min(kind.bounds[name]![1], numbers[name]! + by) };
        expect(createPlan(kind, raised, world).price.total).toBeGreaterThanOrEqual(
          createPlan(kind, numbers, world).price.total,
        );
      }),
    );
  });

  it('counts the keys, reports and days of one victim', () => {
    const plan = (name: string, numbers: Record<string, number>): Plan => {
      const kind = kinds.find((one) => one.name === name)!;
      return createPlan(kind, { ...kind.start, ...numbers }, world);
    };
    expect(plan('patient', { keys: 2, reports: 3, windowDays: 100, quietDays: 50 }).price).toMatchObject({
      verifiedKeys: 0,
      newKeys: 2,
      trueReports: 6,
      accusingReports: 2,
      days: 150,
    });
    expect(plan('drip', { keys: 3, reports: 0, dripDays: 7 }).price).toMatchObject({ trueReports: 0, days: 14 });
    expect(plan('launder', { keys: 2, reports: 0, launderDays: 5 }).price).toMatchObject({
      verifiedKeys: 1,
      newKeys: 2,
      accusingReports: 3,
      days: 5,
    });
    expect(plan('ring', { keys: 3, parties: 4 }).price).toMatchObject({ inventedReports: 12, accusingReports: 3 });
    expect(plan('duplicates', { copies: 9 }).price).toMatchObject({ newKeys: 1, accusingReports: 9, days: 0 });
  });
});

describe('the search', () => {
  const world = resolveWorld();
  const { unverified } = createPlanKinds(world);

  /** Runs a search against a rule instead of a world. Returns all plans in the order of the search. */
  const run = (
    passes: (plan: Plan) => boolean,
    most: number,
    isPossible: (plan: Plan) => boolean = () => true,
  ): Plan[] => {
    const random = createStreams(1)('attack search');
    const plans = searchPlans({ kinds: unverified, world, random, isPossible });
    const tried: Plan[] = [];
    let outcome: Outcome = { passes: false, share: 0 };
    for (let step = plans.next(outcome); !step.done && tried.length < most; step = plans.next(outcome)) {
      tried.push(step.value);
      outcome = { passes: passes(step.value), share: step.value.price.total / 10_000 };
    }
    return tried;
  };
  const cheapestOf = (plans: readonly Plan[]): Plan =>
    plans.reduce((best, plan) => (isCheaper(plan, best) ? plan : best));

  it('starts with the cheapest plans and tries none twice', () => {
    const tried = run(() => false, 300);
    expect(tried).toHaveLength(300);
    expect(new Set(tried.map(({ text }) => text)).size).toBe(300);
    expect(tried[0]!.price.total).toBe(Math.min(...tried.slice(0, 10).map(({ price }) => price.total)));
    const kinds = new Set(tried.map(({ kind }) => kind.name));
    expect([...kinds].sort()).toEqual(unverified.map(({ name }) => name).sort());
  });

  it('finds the cheapest plan of a rule with thresholds in several numbers', () => {
    const rule = ({ attack, options }: Plan): boolean =>
      attack.kind === 'sleeper' && attack.keys >= 5 && attack.reports >= 4 && (options.identifiers ?? 0) >= 2;
    const best = cheapestOf(run(rule, 400).filter(rule));
    expect(best.attack).toEqual({ kind: 'sleeper', keys: 5, reports: 4 });
    expect(best.options).toMatchObject({ identifiers: 2, severity: 1 });
  });

  it('tries no plan that is not cheaper than the one that it has, once it has one', () => {
    const rule = ({ attack }: Plan): boolean => attack.kind === 'sybil' && attack.keys >= 7;
    let best: Plan | undefined;
    for (const plan of run(rule, 200)) {
      if (best !== undefined) expect(isCheaper(plan, best)).toBe(true);
      if (rule(plan)) best = plan;
    }
    expect(best!.attack).toEqual({ kind: 'sybil', keys: 7 });
  });

  it('takes fewer keys or more days where the world has too few true reports, and tries no plan without them', () => {
    const isPossible = ({ price }: Plan): boolean => price.trueReports <= Math.min(60, price.days / 10);
    const rule = ({ attack }: Plan): boolean => attack.kind === 'patient' && attack.reports >= 24;
    const tried = run(rule, 60, isPossible);
    expect(tried.filter((plan) => !isPossible(plan))).toEqual([]);
    expect(cheapestOf(tried.filter(rule)).attack).toEqual({ kind: 'patient', keys: 1, reports: 24 });
    expect(run(rule, 60, () => false)).toEqual([]);
  });

  it('stops the growth of a kind that gains nothing, so that others can grow', () => {
    const growing = run(() => false, 60).filter(({ kind }) => kind.name === 'patient');
    expect(Math.max(...growing.map(({ numbers }) => numbers['reports']!))).toBeGreaterThan(3);
    const plans = searchPlans({ kinds: unverified, world, random: () => 0.5, isPossible: () => true });
    const tried: Plan[] = [];
    for (let step = plans.next(); !step.done && tried.length < 60; step = plans.next({ passes: false, share: 0.3 }))
      tried.push(step.value);
    for (const { name } of unverified.filter(({ saturates }) => saturates))
      expect(tried.filter(({ kind }) => kind.name === name).length).toBeLessThanOrEqual(3);
  });

  it('ends when nothing cheaper is left', () => {
    expect(run(() => true, 1000).length).toBeLessThan(20);
  });
});

describe('searchAttacks', () => {
  it('gives the same result for the same options, and counts the plans exactly', () => {
    const calls: number[] = [];
    const one = search({ onTried: (tried) => calls.push(tried) });
    expect(search()).toEqual(one);
    expect(one.tried).toBe(30);
    expect(calls).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
    expect(one.attackers.reduce((sum, { tried }) => sum + tried, 0)).toBe(30);
    expect(one.attackers.map(({ attacker }) => attacker)).toEqual(['unverified', 'one-verified-key']);
    for (const budget of [1, 2, 7]) expect(search({ budget }).tried).toBe(budget);
  });

  it('finds plans that put the median victim over the threshold in the full simulator', async () => {
    const { attackers } = search();
    const found = attackers.flatMap(({ cheapest }) => cheapest ?? []);
    expect(found.length).toBeGreaterThan(0);
    for (const { attack, options, points, reliability } of found) {
      const full = await replayed(attack, options);
      expect(full.points).toBeGreaterThanOrEqual(40);
      expect(full.reliability).toBeGreaterThanOrEqual(3);
      expect(full.points).toBe(points);
      expect(full.reliability).toBeCloseTo(reliability, 9);
    }
  });

  it('has verified keys in the second row only', () => {
    const { attackers } = search();
    const [unverified, verified] = attackers;
    expect(unverified!.strongest!.price.verifiedKeys).toBe(0);
    expect(verified!.strongest!.price.verifiedKeys).toBe(1);
  });

  it('finds nothing at a threshold that no plan reaches, and says what came nearest', () => {
    const { attackers } = search({ points: 100, reliability: 10, budget: 6 });
    for (const { cheapest, strongest } of attackers) {
      expect(cheapest).toBeNull();
      expect(strongest!.points).toBeGreaterThan(0);
    }
  });

  it('uses the victims and the day of its options', () => {
    const { victims, attackers } = search({ options: { ...SMALL, attack: { victims: 3, day: 250 } }, budget: 20 });
    expect(victims).toBe(3);
    for (const { strongest } of attackers) {
      expect(strongest!.price.days).toBeLessThanOrEqual(250 + 64 * 7);
      expect(strongest!.options).toMatchObject({ victims: 3, patientVictims: 3 });
      const { attack, options } = strongest!;
      const repeated = simulateWorld({ seed: 3, options: { ...SMALL, attack: { day: 250, ...options } }, attack });
      expect([...repeated].filter((event) => event.do === 'query' && event.group === 'victim')).toHaveLength(3);
    }
  });

  it.each<[object, string]>([
    [{ seed: -1 }, '"seed" expected a whole number'],
    [{ budget: 0 }, '"budget" expected a whole number'],
    [{ budget: 1.5 }, '"budget" expected a whole number'],
    [{ points: 0 }, '"points" expected a whole number from 1 to 100, got 0'],
    [{ points: 50.5 }, '"points" expected a whole number from 1 to 100, got 50.5'],
    [{ reliability: 11 }, '"reliability" expected a number from 0 to 10, got 11'],
    [{ reliability: '3' }, '"reliability" expected a number, got'],
    [{ scenario: 'nowhere' }, '"scenario" expected one of base, '],
    [{ model: undefined }, '"model" expected an object'],
    [{ onTried: 1 }, '"onTried" expected a function'],
    [{ options: { customers: 10 } }, '"world.attack.victims" expected at most'],
    [{ options: { days: 1008 } }, '"world.days" expected at least 1009'],
    [{ options: { attack: 5 } }, '"world.attack" expected an object'],
    [{ options: { attack: { days: 5 } } }, '"world.attack.days" is not an option'],
    [{ point: 1 }, '"point" is not an option'],
  ])('refuses %j', (options, message) => {
    expect(() => search(options)).toThrow(message);
  });
});
