/** Queries of one age. */
export interface Point {
  /** Age of the youngest report, days. */
  readonly ageDays: number;
  /** Queries with label 1. */
  readonly ones: number;
  /** Queries with label 0. */
  readonly zeros: number;
}

const MAX_STEPS = 60;
/** Newton's method ends if it expects less than this gain of the log-likelihood. */
const MIN_GAIN = 1e-9;
/** Half a query of each label for both rates: they stay between 0 and 1, also if all queries of an age agree. */
const ADDED = 0.5;

/**
 * Returns the highest log-likelihood of the rates `f + (r − f)·fresh`, over all f and r with f ≤ r. The function is
 * concave, so there is one maximum.
 *
 * @param points at least one, in a fixed order: sums of floats depend on it.
 * @param fresh by point, 1 at age 0 and falling to 0.
 */
export function maxLogLikelihood(points: readonly Point[], fresh: readonly number[]): number {
  const all = points.reduce((sum, { ones, zeros }) => ({ ones: sum.ones + ones, zeros: sum.zeros + zeros }), {
    ones: 0,
    zeros: 0,
  });
  // The best rate if it does not fade. Both additions count: f and r are equal.
  const same = (all.ones + 2 * ADDED) / (all.ones + all.zeros + 4 * ADDED);
  let rates: Rates = { f: same, r: same };
  let likelihood = likelihoodOf(points, fresh, rates);
  const withoutFading = likelihood;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { f, r, gain } = newtonStep(points, fresh, rates);
    if (!(gain > MIN_GAIN)) break;
    // Shorten the step until the likelihood rises enough.
    let length = 1;
    let next = likelihood;
    for (; length > 1e-9; length /= 2) {
      const tried = { f: rates.f + length * f, r: rates.r + length * r };
      if (!isRate(tried.f) || !isRate(tried.r)) continue;
      next = likelihoodOf(points, fresh, tried);
      if (next < likelihood + 0.1 * length * gain) continue;
      rates = tried;
      break;
    }
    if (length <= 1e-9) break;
    likelihood = next;
  }
  // If older matches are frauds more often, the best rates with f ≤ r are equal, because the function is concave.
  return rates.f > rates.r ? withoutFading : likelihood;
}

interface Rates {
  readonly f: number;
  readonly r: number;
}

function isRate(rate: number): boolean {
  return rate > 0 && rate < 1;
}

function likelihoodOf(points: readonly Point[], fresh: readonly number[], { f, r }: Rates): number {
  let sum = ADDED * (Math.log(f) + Math.log(1 - f) + Math.log(r) + Math.log(1 - r));
  for (const [at, { ones, zeros }] of points.entries()) {
    const rate = f + (r - f) * (fresh[at] ?? 0);
    sum += ones * Math.log(rate) + zeros * Math.log(1 - rate);
  }
  return sum;
}

/** Returns the full step of Newton's method, and the gain that it expects, twice. */
function newtonStep(points: readonly Point[], fresh: readonly number[], { f, r }: Rates): Rates & { gain: number } {
  // First derivatives, and second derivatives with the sign changed.
  let byF = ADDED / f - ADDED / (1 - f);
  let byR = ADDED / r - ADDED / (1 - r);
  let byFF = ADDED / f ** 2 + ADDED / (1 - f) ** 2;
  let byRR = ADDED / r ** 2 + ADDED / (1 - r) ** 2;
  let byFR = 0;
  for (const [at, { ones, zeros }] of points.entries()) {
    const toR = fresh[at] ?? 0;
    const toF = 1 - toR;
    const rate = f * toF + r * toR;
    const slope = ones / rate - zeros / (1 - rate);
    const bend = ones / rate ** 2 + zeros / (1 - rate) ** 2;
    byF += slope * toF;
    byR += slope * toR;
    byFF += bend * toF ** 2;
    byRR += bend * toR ** 2;
    byFR += bend * toF * toR;
  }
  const determinant = byFF * byRR - byFR ** 2;
  const stepF = (byRR * byF - byFR * byR) / determinant;
  const stepR = (byFF * byR - byFR * byF) / determinant;
  return { f: stepF, r: stepR, gain: byF * stepF + byR * stepR };
}
