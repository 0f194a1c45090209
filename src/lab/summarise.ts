import { evaluate, valuesOf } from './metrics/evaluate.ts';
import { fitCalibration } from './fit-map.ts';
import type { Judged, Replayed } from './replay.ts';
import type { AttackResult, LabResult, Miss, ModelResult, Subset } from './result.ts';
import type { Sample } from './sample.ts';
import type { CalibrationMap } from '../scoring/calibration.ts';

export interface SummaryOptions {
  readonly title: string;
  /** Names of the models, in the order in which they were replayed. */
  readonly models: readonly string[];
  /** `matched` judges the labelled queries that match a report, `all` every labelled one: what nobody reported scores 0. */
  readonly judged?: 'matched' | 'all';
  readonly seed?: number;
  readonly resamples?: number;
  readonly attacks?: readonly AttackResult[];
}

/** There is nothing to compare scores with. */
export class NothingJudgedError extends Error {
  override readonly name = 'NothingJudgedError';
}

/** The figures of one or more replays of the same models, taken together. Throws {@link NothingJudgedError} without judged queries of both labels. */
export function summarise(replays: readonly Replayed[], options: SummaryOptions): LabResult {
  const { title, models, judged = 'matched', seed = 1, resamples = 200, attacks = [] } = options;
  const all = replays.flatMap(({ samples }) => samples);
  const matched = all.filter(({ reported }) => reported > 0);
  const main = judged === 'all' ? all : matched;
  const positives = main.filter(({ label }) => label === 1).length;
  if (positives === 0 || positives === main.length) {
    throw new NothingJudgedError(
      `of ${main.length} labelled queries that count, ${positives} are labelled 1: figures need some of both labels`,
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
      const statesChance = samples[0]!.chance !== undefined;
      return {
        name,
        ...evaluate(samples, { seed, resamples }),
        misses: replays
          .flatMap(({ misses }) => misses[model] ?? [])
          .sort((a, b) => errorOf(b, statesChance) - errorOf(a, statesChance))
          .slice(0, 10),
      };
    }),
    subsets: subsetsOf(all, matched, models, judged),
    attacks,
  };
}

/** Below this the bootstrap, which knows no other queries than these, gives intervals that are too narrow; of two it may give a single point. */
const LEAST_OF_A_LABEL = 30;

function warningsOf(ones: number, zeros: number): string[] {
  return [
    { label: 1, count: ones },
    { label: 0, count: zeros },
  ]
    .filter(({ count }) => count < LEAST_OF_A_LABEL)
    .map(
      ({ label, count }) =>
        `Only ${count} judged ${count === 1 ? 'query is' : 'queries are'} labelled ${label}. With fewer than ${LEAST_OF_A_LABEL} of a label the figures may be chance, and the intervals are narrower than the truth: they are drawn from these few alone.`,
    );
}

/** What one model said of judged queries. */
export function samplesOf(judged: readonly Judged[], model: number): Sample[] {
  return judged.map(({ label, answers }) => {
    const { score, chance } = answers[model]!;
    return chance === undefined ? { label, score } : { label, score, chance };
  });
}

/** Fits the calibration map of one model on judged queries that match. Throws as `fitCalibration` does. */
export function fitMap(replays: readonly Replayed[], model = 0): CalibrationMap {
  return fitCalibration(
    samplesOf(
      replays.flatMap(({ samples }) => samples).filter(({ reported }) => reported > 0),
      model,
    ),
  );
}

/** The other reading, and each group of ones by itself against all zeros. */
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

/** As the replay ordered them; stable, so that what rounding makes equal stays in that order. */
function errorOf({ label, points, reliability }: Miss, statesChance: boolean): number {
  return Math.abs(label - (statesChance ? reliability / 10 : points / 100));
}
