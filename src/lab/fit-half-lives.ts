import { requireString } from '../core/domain/options.ts';
import {
  kindConstants,
  LINK_CLAIM_CONSTANTS,
  validateConstants,
  type LinkClaimConstants,
} from '../core/scoring/constants.ts';
import { maxLogLikelihood, type Point } from './fading-rate.ts';
import { labelError, requireFinite, requireList, requireObject } from './options.ts';

/** How old the youngest report is that matches a query by a kind. */
export interface KindAge {
  /** Kind of the matching identifier. */
  readonly kind: string;
  /** Age of the youngest matching report in days, 0 or more. */
  readonly ageDays: number;
}

/** A labelled query, as the fit of half-lives needs it. A `Judged` of a replay is one. */
export interface AgedQuery {
  /** The truth: 1 for a person to warn about, otherwise 0. */
  readonly label: 0 | 1;
  /** Each matching kind once; empty without a match. */
  readonly youngest: readonly KindAge[];
}

/** What labelled queries say about the half-life of a kind. All times are days. */
export interface HalfLife {
  /** Kind of identifier. */
  readonly kind: string;
  /** The half-life of the constants that were given. */
  readonly beforeDays: number;
  /** The fitted half-life, with three digits; `beforeDays` if `learnt` is false. */
  readonly halfLifeDays: number;
  /** Lower end of the 95 % interval; undefined if `learnt` is false. */
  readonly lowDays: number | undefined;
  /** Upper end of the 95 % interval; undefined if `learnt` is false. */
  readonly highDays: number | undefined;
  /** Number of queries that tell about this kind. */
  readonly queries: number;
  /** How many of them have label 1. */
  readonly ones: number;
  /** False if there are too few queries: the half-life is the one before. */
  readonly learnt: boolean;
}

/** Least number of queries that tell about a kind. */
export const MIN_QUERIES = 100;
/** Standard deviation of the prior of log2(half-life): a factor of 4. Chosen in simulated worlds (decision 83). */
const PRIOR_DOUBLINGS = 2;
/** Half-lives are tried in steps of 2^(1/16), up to a factor of 32. */
const STEPS_PER_DOUBLING = 16;
const MAX_DOUBLINGS = 5;
/** Half of the 95th percentile of chi-squared with one degree of freedom. */
const INTERVAL_DROP = 1.92;
/** The maximum of a half-life in the constants. */
const MAX_DAYS = 1e9;

/**
 * Fits the half-lives of kinds to labelled queries. Returns one entry for each kind of the constants and of the
 * queries, in order of kind.
 *
 * A query tells about a kind if no other matching kind has a higher weight. Its chance of label 1 is modelled as
 * `f + (r − f)·2^(−age/H)`: `r` at age 0 falls to `f`, at most `r`, and both are fitted for each H. The result is the H
 * with the highest likelihood times prior. The prior is log-normal around the half-life of the constants, and its
 * standard deviation is a factor of 4. The interval is that of the profile likelihood with this prior. The fit
 * does not know that identifiers of many verified reporters fade more slowly (`slowFadingFrom`).
 *
 * A kind keeps its half-life if fewer than 100 queries tell about it, or if all of these have one label. The result
 * does not depend on the order of the queries, and uses no random numbers.
 *
 * @param constants the weights and the half-lives to begin with; default those of the default model.
 * @throws TypeError or RangeError for an invalid query or constant.
 */
export function fitHalfLives(
  queries: readonly AgedQuery[],
  constants: LinkClaimConstants = LINK_CLAIM_CONSTANTS,
): HalfLife[] {
  validateQueries(queries);
  requireObject('constants', constants);
  validateConstants(constants);
  const byKind = new Map<string, Tally>(Object.keys(constants.kinds).map((kind) => [kind, createTally()]));
  for (const { label, youngest } of queries) {
    const weightOf = ({ kind }: KindAge): number => kindConstants(constants, kind).weight;
    const most = Math.max(...youngest.map(weightOf));
    for (const match of youngest) {
      const tally = byKind.get(match.kind) ?? createTally();
      byKind.set(match.kind, tally);
      if (weightOf(match) === most) addTo(tally, match.ageDays, label);
    }
  }
  return [...byKind]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([kind, tally]): HalfLife => {
      const beforeDays = kindConstants(constants, kind).halfLifeDays;
      const about = { kind, beforeDays, queries: tally.all, ones: tally.ones };
      if (tally.all < MIN_QUERIES || tally.ones === 0 || tally.ones === tally.all)
        return { ...about, ...KEPT, halfLifeDays: beforeDays };
      return { ...about, ...fit(pointsOf(tally), beforeDays), learnt: true };
    });
}

const KEPT = { lowDays: undefined, highDays: undefined, learnt: false };

interface Tally {
  all: number;
  ones: number;
  readonly byAge: Map<number, { ones: number; zeros: number }>;
}

function createTally(): Tally {
  return { all: 0, ones: 0, byAge: new Map() };
}

function addTo(tally: Tally, ageDays: number, label: 0 | 1): void {
  let at = tally.byAge.get(ageDays);
  if (at === undefined) tally.byAge.set(ageDays, (at = { ones: 0, zeros: 0 }));
  if (label === 1) at.ones++;
  else at.zeros++;
  tally.all++;
  tally.ones += label;
}

/** In order of age: sums of floats depend on their order, but the result must not depend on that of the queries. */
function pointsOf({ byAge }: Tally): Point[] {
  return [...byAge].map(([ageDays, counts]) => ({ ageDays, ...counts })).sort((a, b) => a.ageDays - b.ageDays);
}

function fit(points: readonly Point[], beforeDays: number) {
  const tried: { readonly halfLifeDays: number; readonly support: number }[] = [];
  for (let step = -MAX_DOUBLINGS * STEPS_PER_DOUBLING; step <= MAX_DOUBLINGS * STEPS_PER_DOUBLING; step++) {
    const doublings = step / STEPS_PER_DOUBLING;
    const halfLifeDays = beforeDays * 2 ** doublings;
    if (halfLifeDays === 0 || halfLifeDays > MAX_DAYS) continue;
    const fresh = points.map(({ ageDays }) => 2 ** (-ageDays / halfLifeDays));
    tried.push({ halfLifeDays, support: maxLogLikelihood(points, fresh) - (doublings / PRIOR_DOUBLINGS) ** 2 / 2 });
  }
  const best = tried.reduce((most, one) => (one.support > most.support ? one : most));
  const inside = tried.filter(({ support }) => support >= best.support - INTERVAL_DROP);
  return {
    halfLifeDays: roundDays(best.halfLifeDays),
    lowDays: roundDays(inside[0]?.halfLifeDays ?? best.halfLifeDays),
    highDays: roundDays(inside.at(-1)?.halfLifeDays ?? best.halfLifeDays),
  };
}

/** Rounds to three digits: the steps are 4 %. */
function roundDays(days: number): number {
  return Number(days.toPrecision(3));
}

function validateQueries(queries: readonly AgedQuery[]): void {
  requireList('queries', queries);
  for (const [at, query] of queries.entries()) {
    requireObject(`queries[${at}]`, query);
    const { label, youngest } = query;
    if (label !== 0 && label !== 1) throw labelError(`queries[${at}].label`, label);
    requireList(`queries[${at}].youngest`, youngest);
    for (const match of youngest) {
      requireObject(`queries[${at}].youngest`, match);
      requireString(`queries[${at}].kind`, match.kind);
      requireFinite(`queries[${at}].ageDays`, match.ageDays);
      if (match.ageDays < 0)
        throw new RangeError(`"queries[${at}].ageDays" expected a number of at least 0, got ${match.ageDays}`);
    }
  }
}
