import { requireFinite, requireObject } from './options.ts';
import { bootstrap } from './metrics/bootstrap.ts';
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
export interface Blocking {
  /** Orders with at least this number of Points are blocked. Null if on the earlier orders no number saves money. */
  readonly from: number | null;
  /** All orders that chose `from`, blocked or not. */
  readonly earlier: { readonly frauds: Total; readonly goods: Total };
  /** All orders that the estimates are about, blocked or not. */
  readonly later: { readonly frauds: Total; readonly goods: Total };
  /** Number of blocked frauds among the later orders. */
  readonly stoppedFrauds: Estimate;
  /** Amount of the blocked frauds. */
  readonly stoppedAmount: Estimate;
  /** Number of blocked good orders among the later orders. */
  readonly refusedGoods: Estimate;
  /** Amount of the blocked good orders. */
  readonly refusedAmount: Estimate;
  /** `stoppedAmount` less the cost of the refused good orders. */
  readonly saved: Estimate;
}

const MAX_POINTS = 100;
const RESAMPLES = 200;

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
  return { from, ...totals, ...effectOf(later, from ?? Infinity, margin, seed) };
}

function slice({ labels, points, amounts }: PastOrders, start: number, end?: number): PastOrders {
  return {
    labels: labels.subarray(start, end),
    points: points.subarray(start, end),
    amounts: amounts.subarray(start, end),
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

function effectOf({ labels, points, amounts }: PastOrders, from: number, margin: number, seed: number) {
  const blocked = [...points.keys()].filter((i) => (points[i] ?? 0) >= from);
  return bootstrap(
    labels,
    (times) => {
      const sums = { stoppedFrauds: 0, stoppedAmount: 0, refusedGoods: 0, refusedAmount: 0 };
      for (const i of blocked) {
        const counted = times[i] ?? 0;
        const amount = counted * (amounts[i] ?? 0);
        if (labels[i] === 1) {
          sums.stoppedFrauds += counted;
          sums.stoppedAmount += amount;
        } else {
          sums.refusedGoods += counted;
          sums.refusedAmount += amount;
        }
      }
      return { ...sums, saved: sums.stoppedAmount - margin * sums.refusedAmount };
    },
    { seed, resamples: RESAMPLES },
  );
}
