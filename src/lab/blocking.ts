import { requireFinite, requireObject } from './options.ts';
import { bootstrap, type BootstrapOptions } from './metrics/bootstrap.ts';
import type { Estimate } from './result.ts';
import { NothingJudgedError } from './summarise.ts';

/** Past orders, one entry per order in each array, in order of time. */
export interface PastOrders {
  /** 1 for a fraud, 0 for a good order. */
  readonly labels: Uint8Array;
  /** Points of the answer at the time of the order, 0 to 100; 0 without a match. */
  readonly points: Uint8Array;
  /** Money, 0 or more, in any one currency. */
  readonly amounts: Float64Array;
  /**
   * The week of each order, or another part of time, as a whole number of at least 0. The bootstrap draws the orders
   * of one week together, because they depend on each other: a fraudster orders several times. With fewer than 10 weeks
   * among the later orders, or without this list, it draws single orders.
   */
  readonly weeks?: Uint32Array;
}

/** Options of {@link measureBlocking}. */
export interface BlockingOptions {
  /** How many of the first orders choose the number of Points. The other orders check it. */
  readonly earlier: number;
  /** Cost of a refused good order, as a share of its amount: the profit that is lost. 0 or more. */
  readonly margin: number;
  /** Seed of the bootstrap, a whole number of at least 0; default 1. */
  readonly seed?: number;
}

/** Orders of one outcome: how many there are, and their amount. */
export interface Total {
  /** Number of orders. */
  readonly count: number;
  /** Sum of their amounts, in the currency of the orders. */
  readonly amount: number;
}

/** The effect of blocking on the later orders. Estimates have 95 % intervals. */
export interface BlockingEffect {
  /** Number of blocked frauds among the later orders. */
  readonly stoppedFrauds: Estimate;
  /** Amount of the blocked frauds. */
  readonly stoppedAmount: Estimate;
  /** Number of blocked good orders among the later orders. */
  readonly refusedGoods: Estimate;
  /** Amount of the blocked good orders. */
  readonly refusedAmount: Estimate;
  /** Cost of the blocked good orders: `margin` times `refusedAmount`. */
  readonly lost: Estimate;
  /** `stoppedAmount` less `lost`. */
  readonly saved: Estimate;
}

/** The effect of blocking from any number of Points between two numbers: all of them block the same orders. */
export interface EffectOfPoints extends BlockingEffect {
  /** The lowest such number of Points, 1 to 100. */
  readonly first: number;
  /** The highest such number of Points. */
  readonly last: number;
}

/** The number of Points that {@link measureBlocking} chose, and its effect. */
export interface Blocking extends BlockingEffect {
  /** Orders with at least this number of Points are blocked. Null if on the earlier orders no number saves money. */
  readonly from: number | null;
  /**
   * Orders with at least this number of Points that are not blocked are worth a look: on the earlier orders, at least
   * 1 in 10 of them was a fraud. Null if there is no such number below `from`.
   */
  readonly lookFrom: number | null;
  /** All orders that chose `from`, blocked or not. */
  readonly earlier: { readonly frauds: Total; readonly goods: Total };
  /** All orders that the estimates are about, blocked or not. */
  readonly later: { readonly frauds: Total; readonly goods: Total };
  /** How many weeks the bootstrap drew from; 0 if it drew single orders. */
  readonly weeks: number;
  /** The effect of every number of Points, 1 to 100. */
  readonly effects: readonly EffectOfPoints[];
}

const MAX_POINTS = 100;
const RESAMPLES = 200;
/** Intervals from fewer weeks would be too narrow. */
const MIN_WEEKS = 10;
/** Of orders that are worth a look, at least this share was fraud. */
const LOOK_SHARE = 0.1;

/**
 * Chooses the number of Points from which blocking saves the most money on the earlier orders, and measures it on the
 * later ones. A stopped fraud saves its amount; a refused good order costs `margin` of its amount. If numbers in a row
 * save the same, takes the middle one: Points change slowly with time, and the highest would miss later frauds.
 *
 * @throws NothingJudgedError if the earlier or the later orders lack frauds or good orders.
 */
export function measureBlocking(orders: PastOrders, options: BlockingOptions): Blocking {
  requireObject('options', options);
  const { earlier, margin, seed = 1 } = options;
  requireFinite('margin', margin);
  const first = slice(orders, 0, earlier);
  const later = slice(orders, earlier);
  const totals = { earlier: totalsOf(first), later: totalsOf(later) };
  for (const [part, { frauds, goods }] of Object.entries(totals))
    if (frauds.count === 0 || goods.count === 0)
      throw new NothingJudgedError(
        `of the ${frauds.count + goods.count} ${part} orders, ${frauds.count} are frauds: the choice and the check need frauds and good orders`,
      );
  const from = bestThreshold(first, margin);
  const groups = groupsOf(later.weeks);
  const effects = effectsOf(later, margin, { seed, resamples: RESAMPLES, groups });
  const { first: _, last: __, ...effect } = effects.find(({ last }) => last >= (from ?? Infinity)) ?? NO_EFFECT;
  return {
    from,
    lookFrom: lowestWorthALook(first, from ?? MAX_POINTS + 1),
    ...totals,
    weeks: groups === undefined ? 0 : new Set(groups).size,
    ...effect,
    effects,
  };
}

function slice({ labels, points, amounts, weeks }: PastOrders, start: number, end?: number): PastOrders {
  return {
    labels: labels.subarray(start, end),
    points: points.subarray(start, end),
    amounts: amounts.subarray(start, end),
    ...(weeks && { weeks: weeks.subarray(start, end) }),
  };
}

function totalsOf({ labels, amounts }: PastOrders) {
  const totals = { frauds: { count: 0, amount: 0 }, goods: { count: 0, amount: 0 } };
  for (let i = 0; i < labels.length; i++) {
    const total = labels[i] === 1 ? totals.frauds : totals.goods;
    total.count++;
    total.amount += amounts[i] ?? 0;
  }
  return totals;
}

function bestThreshold({ labels, points, amounts }: PastOrders, margin: number): number | null {
  const savedAt = new Float64Array(MAX_POINTS + 1);
  for (let i = 0; i < labels.length; i++) {
    const at = points[i] ?? 0;
    savedAt[at] = (savedAt[at] ?? 0) + (amounts[i] ?? 0) * (labels[i] === 1 ? 1 : -margin);
  }
  let saved = 0;
  const best = { saved: 0, highest: 0, lowest: 0 };
  for (let from = MAX_POINTS; from > 0; from--) {
    saved += savedAt[from] ?? 0;
    if (saved > best.saved) Object.assign(best, { saved, highest: from, lowest: from });
    else if (saved === best.saved && from === best.lowest - 1) best.lowest = from;
  }
  return best.highest === 0 ? null : Math.ceil((best.highest + best.lowest) / 2);
}

function lowestWorthALook({ labels, points }: PastOrders, from: number): number | null {
  const counts = Array.from({ length: from }, () => ({ frauds: 0, all: 0 }));
  for (let i = 0; i < labels.length; i++) {
    const count = counts[points[i] ?? 0];
    if (count === undefined) continue;
    count.all++;
    count.frauds += labels[i] ?? 0;
  }
  let lowest: number | null = null;
  let [frauds, all] = [0, 0];
  for (let at = from - 1; at > 0; at--) {
    frauds += counts[at]!.frauds;
    all += counts[at]!.all;
    if (counts[at]!.all > 0 && frauds >= LOOK_SHARE * all) lowest = at;
  }
  return lowest;
}

/** Numbers the weeks without a gap; undefined if there are too few. */
function groupsOf(weeks: Uint32Array | undefined): Uint32Array | undefined {
  const numbers = new Map<number, number>();
  const groups = weeks?.map((week) => numbers.get(week) ?? (numbers.set(week, numbers.size), numbers.size - 1));
  return numbers.size < MIN_WEEKS ? undefined : groups;
}

const NAMES = ['stoppedFrauds', 'stoppedAmount', 'refusedGoods', 'refusedAmount', 'lost', 'saved'] as const;
type Sums = Record<(typeof NAMES)[number], number>;

const SUMS_OF_FRAUDS = ['stoppedFrauds', 'stoppedAmount'] as const;
const SUMS_OF_GOODS = ['refusedGoods', 'refusedAmount'] as const;

const NOTHING: Estimate = { value: 0, low: 0, high: 0 };
const NO_EFFECT: EffectOfPoints = {
  first: 1,
  last: MAX_POINTS,
  ...(Object.fromEntries(NAMES.map((name) => [name, NOTHING])) as unknown as BlockingEffect),
};

function effectsOf({ labels, points, amounts }: PastOrders, margin: number, options: BootstrapOptions) {
  const levels = [...new Set(points)].filter((level) => level > 0).sort((a, b) => a - b);
  const placeOf = new Map(levels.map((level, place) => [level, place]));
  const scored = [...points.keys()].filter((i) => (points[i] ?? 0) > 0);
  const estimates = bootstrap(
    labels,
    (times) => {
      const sums = levels.map((): Sums => {
        return { stoppedFrauds: 0, stoppedAmount: 0, refusedGoods: 0, refusedAmount: 0, lost: 0, saved: 0 };
      });
      for (const i of scored) {
        const counted = times[i] ?? 0;
        const at = sums[placeOf.get(points[i]!)!]!;
        const [count, amount] = labels[i] === 1 ? SUMS_OF_FRAUDS : SUMS_OF_GOODS;
        at[count] += counted;
        at[amount] += counted * (amounts[i] ?? 0);
      }
      const figures: Record<string, number> = {};
      for (let place = levels.length - 1; place >= 0; place--) {
        const [at, above] = [sums[place]!, sums[place + 1]];
        for (const name of [...SUMS_OF_FRAUDS, ...SUMS_OF_GOODS]) at[name] += above?.[name] ?? 0;
        at.lost = margin * at.refusedAmount;
        at.saved = at.stoppedAmount - at.lost;
        for (const name of NAMES) figures[`${name} ${place}`] = at[name];
      }
      return figures;
    },
    options,
  );
  const effects = levels.map((last, place): EffectOfPoints => {
    const of = (name: keyof Sums): Estimate => estimates[`${name} ${place}`] ?? NOTHING;
    return {
      first: (levels[place - 1] ?? 0) + 1,
      last,
      stoppedFrauds: of('stoppedFrauds'),
      stoppedAmount: of('stoppedAmount'),
      refusedGoods: of('refusedGoods'),
      refusedAmount: of('refusedAmount'),
      lost: of('lost'),
      saved: of('saved'),
    };
  });
  const most = levels.at(-1) ?? 0;
  return most === MAX_POINTS ? effects : [...effects, { ...NO_EFFECT, first: most + 1 }];
}
