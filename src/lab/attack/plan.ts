import { formatAttack, type Attack } from '../simulate/attacks.ts';
import { KINDS, type Range, type WorldOptions } from '../simulate/world-options.ts';
import type { AttackNumbers } from '../simulate/world.ts';
import { priceOf, type AttackPrice } from './price.ts';

/** The numbers that the search changes, by name. All are whole. */
export type PlanNumbers = Readonly<Record<string, number>>;

/** One way to attack, which the search tries with many numbers. */
export interface PlanKind {
  readonly name: Attack['kind'];
  /** Least and greatest of each number. A lower one is never more expensive. The search lowers the first one first. */
  readonly bounds: Readonly<Record<string, Range>>;
  /** The cheapest numbers that are worth a try. */
  readonly start: PlanNumbers;
  /** Names of the numbers that grow, in turn. The names of one list grow together. */
  readonly growing: readonly (readonly string[])[];
  /** True if growth ends when it adds nothing. Trust is different: it appears at a certain number of reports. */
  readonly saturates: boolean;
  /** Factor by which a number grows. */
  readonly growth: number;
  toAttack(numbers: PlanNumbers): { readonly attack: Attack; readonly numbers: AttackNumbers };
}

/** A plan of an attacker: what `simulateWorld` needs to carry it out, and its price. */
export interface Plan {
  readonly kind: PlanKind;
  readonly numbers: PlanNumbers;
  readonly attack: Attack;
  /** Numbers of `WorldOptions.attack` that the attack uses. */
  readonly options: AttackNumbers;
  readonly price: AttackPrice;
  /** Identifies the plan: equal texts are equal plans. */
  readonly text: string;
}

export function createPlan(kind: PlanKind, numbers: PlanNumbers, world: WorldOptions): Plan {
  const { attack, numbers: own } = kind.toAttack(numbers);
  const options: AttackNumbers = {
    ...own,
    severity: numbers['severity'] ?? 10,
    identifiers: numbers['identifiers'] ?? 4,
  };
  return {
    kind,
    numbers,
    attack,
    options,
    price: priceOf(attack, { ...world.attack, ...options }),
    text: `${formatAttack(attack)} ${JSON.stringify(options)}`,
  };
}

/** True if `plan` is cheaper, or as cheap with less severe accusations, which draw less attention. */
export function isCheaper(plan: Plan, other: Plan | undefined): boolean {
  if (other === undefined || plan.price.total !== other.price.total)
    return other === undefined || plan.price.total < other.price.total;
  return (plan.options.severity ?? 0) < (other.options.severity ?? 0);
}

/** Keys or copies of one victim that a plan may have, as in `parseAttack`. */
const MAX_KEYS = 1000;
/** Keys that file true reports: even ten of them need more frauds than most shops see. */
const MAX_LEADING_KEYS = 64;
const MAX_REPORTS = 100;
/** Days for true reports at the start of the search. */
const START_WINDOW_DAYS = 90;
/** Below this, a sleeper is a patient attacker. */
const MIN_SLEEPER_DAYS = 180;

const ACCUSATION = { identifiers: [1, KINDS.length], severity: [1, 10] } as const;
const STRONGEST = { identifiers: KINDS.length, severity: 10 };

/** Returns the kinds of plans with new, unverified keys only, and those that also have one verified key. */
export function createPlanKinds({ attack: { day }, days }: WorldOptions): {
  readonly unverified: readonly PlanKind[];
  readonly verified: readonly PlanKind[];
} {
  const before = (most: number): number => Math.max(1, Math.min(most, day));

  /** `more` names a number of days of the world's attack, its bounds and its start. */
  const leading = (
    name: 'patient' | 'sleeper' | 'drip' | 'launder',
    [leastKeys, leastReports]: Range,
    more?: { readonly name: 'dripDays' | 'launderDays'; readonly bounds: Range },
  ): PlanKind => {
    const quiet = name === 'sleeper' ? 'sleeperDays' : 'patientDays';
    const leastQuiet = name === 'sleeper' ? before(MIN_SLEEPER_DAYS) : 1;
    const quietDays = before(name === 'sleeper' ? 365 : 60);
    return {
      name,
      bounds: {
        keys: [leastKeys, MAX_LEADING_KEYS],
        reports: [leastReports, MAX_REPORTS],
        windowDays: [1, day],
        quietDays: [leastQuiet, day],
        ...(more === undefined ? {} : { [more.name]: more.bounds }),
        ...ACCUSATION,
      },
      start: {
        keys: leastKeys,
        reports: leastReports,
        windowDays: before(START_WINDOW_DAYS),
        quietDays,
        ...(more === undefined ? {} : { [more.name]: more.bounds[0] }),
        ...STRONGEST,
      },
      growing: [['keys'], ['reports', 'windowDays']],
      saturates: false,
      growth: 2,
      toAttack: (numbers) => {
        const { keys = 1, reports = 0, windowDays = 1, quietDays: days = 1 } = numbers;
        return {
          attack: { kind: name, keys, reports },
          numbers: {
            patientFromDay: Math.max(0, day - days - windowDays),
            [quiet]: days,
            ...(more === undefined ? {} : { [more.name]: numbers[more.name] }),
          },
        };
      },
    };
  };

  const unverified: PlanKind[] = [
    {
      name: 'duplicates',
      bounds: { copies: [1, MAX_KEYS], ...ACCUSATION },
      start: { copies: 1, ...STRONGEST },
      growing: [['copies']],
      saturates: true,
      growth: 8,
      toAttack: ({ copies = 1 }) => ({ attack: { kind: 'duplicates', copies }, numbers: {} }),
    },
    {
      name: 'sybil',
      bounds: { keys: [1, MAX_KEYS], ...ACCUSATION },
      start: { keys: 2, ...STRONGEST },
      growing: [['keys']],
      saturates: true,
      growth: 4,
      toAttack: ({ keys = 1 }) => ({ attack: { kind: 'sybil', keys }, numbers: {} }),
    },
    {
      name: 'ring',
      bounds: { keys: [2, 256], parties: [1, 64], ringDays: [1, day], ...ACCUSATION },
      start: { keys: 2, parties: 4, ringDays: before(90), ...STRONGEST },
      growing: [['keys'], ['parties']],
      saturates: true,
      growth: 3,
      toAttack: ({ keys = 1, parties = 1, ringDays = 1 }) => ({
        attack: { kind: 'ring', keys },
        numbers: { ringParties: parties, ringDays },
      }),
    },
    {
      name: 'camouflage',
      bounds: { keys: [1, 256], copies: [1, MAX_REPORTS], camouflageDays: [1, day], ...ACCUSATION },
      start: { keys: 1, copies: 4, camouflageDays: before(90), ...STRONGEST },
      growing: [['keys'], ['copies']],
      saturates: true,
      growth: 3,
      toAttack: ({ keys = 1, copies = 1, camouflageDays = 1 }) => ({
        attack: { kind: 'camouflage', keys },
        numbers: { camouflageReports: copies, camouflageDays },
      }),
    },
    leading('patient', [1, 3]),
    leading('sleeper', [1, 3]),
    leading('drip', [2, 3], { name: 'dripDays', bounds: [7, Math.max(7, days)] }),
  ];
  const verified: PlanKind[] = [
    {
      name: 'rogue',
      bounds: ACCUSATION,
      start: STRONGEST,
      growing: [],
      saturates: true,
      growth: 1,
      toAttack: () => ({ attack: { kind: 'rogue', keys: 1 }, numbers: {} }),
    },
    leading('launder', [1, 0], { name: 'launderDays', bounds: [1, Math.max(1, days - day)] }),
  ];
  return { unverified, verified };
}
