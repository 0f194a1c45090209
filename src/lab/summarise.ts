import { requireOneOf, requireString, requireWhole } from '../core/domain/options.ts';
import { RedflagError } from '../core/domain/redflag-error.ts';
import type { CalibrationMap } from '../core/scoring/calibration-map.ts';
import { fitCalibration } from './fit-map.ts';
import { effectsOf } from './metrics/effects.ts';
import { evaluate, valuesOf } from './metrics/evaluate.ts';
import { advantages } from './metrics/paired.ts';
import { atLeast, listOf, optional, requireList, validateOptions } from './options.ts';
import type { Judged, Replayed } from './replayed.ts';
import { largestOf } from './reporter-standings.ts';
import type { AttackResult, Difference, LabResult, Miss, ModelResult, Subset } from './result.ts';
import type { Sample } from './sample.ts';

/** Options of {@link summarise}. */
export interface SummaryOptions {
  /** One line: what was replayed. */
  readonly title: string;
  /** Names of the models, in the order of the replay. */
  readonly models: readonly string[];
  /** Judges labelled queries with a match (`matched`, default) or all. A query without a match has score 0. */
  readonly judged?: 'matched' | 'all';
  /** Seed of the bootstrap, a whole number of at least 0; default 1. */
  readonly seed?: number;
  /** Resamples of the bootstrap, at least 1; default 200. */
  readonly resamples?: number;
  /** Copied to the result; default none. */
  readonly attacks?: readonly AttackResult[];
}

/** No figure is defined, because the judged queries do not have both labels. */
export class NothingJudgedError extends RedflagError {
  static override readonly kind = 'NothingJudgedError';
}

/**
 * Returns the combined figures of one or more replays of the same models.
 *
 * @throws NothingJudgedError without judged queries of both labels; TypeError or RangeError for an invalid option.
 */
export function summarise(replays: readonly Replayed[], options: SummaryOptions): LabResult {
  requireList('replays', replays);
  validateOptions('options', options, {
    title: requireString,
    models: listOf(requireString),
    judged: optional((label, value) => requireOneOf(label, value, ['matched', 'all'])),
    seed: optional(atLeast(0)),
    resamples: optional(atLeast(1)),
    attacks: optional(requireList),
  });
  const { title, models, judged = 'matched', seed = 1, resamples = 200, attacks = [] } = options;

  const all = replays.flatMap(({ samples }) => samples);
  const matched = matchedOf(all);
  const main = judged === 'all' ? all : matched;
  const positives = main.filter(({ label }) => label === 1).length;
  if (positives === 0 || positives === main.length) {
    throw new NothingJudgedError(
      `of ${main.length} judged queries, ${positives} are labelled 1: the figures need queries of both labels`,
    );
  }
  const sum = (of: (replayed: Replayed) => number): number =>
    replays.reduce((total, replayed) => total + of(replayed), 0);
  const times = replays.flatMap(({ from, to }) => (from === null || to === null ? [] : [from, to]));
  return {
    version: 1,
    title,
    seed,
    from: new Date(Math.min(...times)).toISOString(),
    to: new Date(Math.max(...times)).toISOString(),
    counts: {
      reporters: sum((r) => r.reporters),
      reports: sum((r) => r.reports),
      removed: sum((r) => r.removed),
      disputes: sum((r) => r.disputes),
      queries: sum((r) => r.queries),
      matched: sum((r) => r.matched),
      judged: main.length,
      positives,
    },
    judged,
    warnings: warningsOf(positives, main.length - positives),
    models: models.map((name, model): ModelResult => {
      const samples = samplesOf(main, model);
      const statesChance = samples[0]?.chance !== undefined;
      return {
        name,
        ...evaluate(samples, { seed, resamples }),
        misses: replays
          .flatMap(({ misses }) => misses[model] ?? [])
          .sort((a, b) => errorOf(b, statesChance) - errorOf(a, statesChance))
          .slice(0, 10),
      };
    }),
    differences: differencesOf(main, models, { seed, resamples }),
    ...standingsOf(replays),
    thresholds: effectsOf(all.map(({ label, kinds, answers }) => ({ label, kinds, points: answers[0]?.points ?? 0 }))),
    subsets: subsetsOf(all, matched, models, judged),
    attacks,
  };
}

/** Reporters of several worlds have the same names. */
function standingsOf([only, ...more]: readonly Replayed[]): Pick<LabResult, 'standings'> {
  return only?.standings === undefined || more.length > 0 ? {} : { standings: largestOf(only.standings) };
}

function differencesOf(
  main: readonly Judged[],
  models: readonly string[],
  options: { readonly seed: number; readonly resamples: number },
): Difference[] {
  const found = advantages(
    models.map((_, model) => samplesOf(main, model)),
    options,
  );
  return found.map((advantage, at) => ({ name: models[at + 1]!, ...advantage }));
}

/** With fewer queries of a label, bootstrap intervals are too narrow. */
export const MIN_LABEL_QUERIES = 30;

function warningsOf(ones: number, zeros: number): string[] {
  return [
    { label: 1, count: ones },
    { label: 0, count: zeros },
  ]
    .filter(({ count }) => count < MIN_LABEL_QUERIES)
    .map(
      ({ label, count }) =>
        `Only ${count} judged ${count === 1 ? 'query is' : 'queries are'} labelled ${label}. With fewer than ${MIN_LABEL_QUERIES} of a label the figures may be due to chance. The intervals are narrower than the true ones, because the bootstrap redraws only these few queries.`,
    );
}

export function matchedOf(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ reported }) => reported > 0);
}

/**
 * Returns a model's answers to judged queries.
 *
 * @param model index in the order of the replay. RangeError if no model has it, TypeError if it is not a number.
 */
export function samplesOf(judged: readonly Judged[], model: number): Sample[] {
  requireList('judged', judged);
  requireWhole('model', model, 0);
  return judged.map(({ at, label, answers }) => {
    const answer = answers[model];
    if (answer === undefined) throw new RangeError(`"model" expected a number below ${answers.length}, got ${model}`);
    const { score, chance } = answer;
    return chance === undefined ? { at, label, score } : { at, label, score, chance };
  });
}

/**
 * Fits a model's calibration map to judged queries with a match. Throws the errors of `samplesOf` and `fitCalibration`.
 */
export function fitMap(replays: readonly Replayed[], model = 0): CalibrationMap {
  requireList('replays', replays);
  return fitCalibration(
    samplesOf(
      replays.flatMap(({ samples }) => matchedOf(samples)),
      model,
    ),
  );
}

/**
 * Returns the set of queries that is not the main one, and each group of ones (label 1) against all zeros (label 0).
 */
function subsetsOf(
  all: readonly Judged[],
  matched: readonly Judged[],
  models: readonly string[],
  judged: 'matched' | 'all',
): Subset[] {
  const groups = [...new Set(all.flatMap(({ group }) => group ?? []))].sort();
  const sets: [string, readonly Judged[]][] = [
    judged === 'all' ? ['with a match', matched] : ['all labelled', all],
    ...groups.flatMap((name): [string, readonly Judged[]][] => {
      const of = (queries: readonly Judged[]): Judged[] =>
        queries.filter(({ label, group }) => label === 0 || group === name);
      return [
        [name, of(all)],
        [`${name}, with a match`, of(matched)],
      ];
    }),
  ];
  return sets.flatMap(([name, queries]): Subset[] => {
    const positives = queries.filter(({ label }) => label === 1).length;
    if (positives === 0 || positives === queries.length) return [];
    return [
      {
        name,
        judged: queries.length,
        positives,
        models: models.map((model, at) => {
          const { rocAuc, prAuc, prAucOfZeros } = valuesOf(samplesOf(queries, at));
          return { name: model, rocAuc, prAuc, prAucOfZeros };
        }),
      },
    ];
  });
}

/** Returns the error that ranks a miss, from the rounded answer. The sort is stable, so ties keep their order. */
function errorOf({ label, points, reliability }: Miss, statesChance: boolean): number {
  return Math.abs(label - (statesChance ? reliability / 10 : points / 100));
}
