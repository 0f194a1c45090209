// The judged queries of a task as rows of numbers, with what the model answers.
import { FEATURES, featuresOf } from './features.ts';
import { answersOf, standingsAt, type Candidate, type TableCache, type Task } from './task.ts';

/** Lists of equal length: one entry per query. */
export interface FeatureSample {
  /** Family of worlds. */
  readonly group: string;
  /** Number of the world. */
  readonly unit: string;
  /** Numbers in the order of `FEATURES`. */
  readonly rows: readonly (readonly number[])[];
  readonly labels: readonly (0 | 1)[];
  /** Unrounded Points of the model. */
  readonly points: readonly number[];
}

/** Returns the queries of a task that match a report. Features and Points are from the same standings. */
export function drawSample(candidate: Candidate, task: Task): FeatureSample {
  const cache: TableCache = new Map();
  const drawn = task.epochs.flatMap((epoch) => {
    const context = { standings: standingsAt(candidate, epoch, cache), model: candidate.model };
    return answersOf(candidate, epoch, cache).map(({ reports, label, points }) => ({
      row: featuresOf(reports, context),
      label,
      points,
    }));
  });
  return {
    group: task.group,
    unit: task.unit,
    rows: drawn.map(({ row }) => row),
    labels: drawn.map(({ label }) => label),
    points: drawn.map(({ points }) => points),
  };
}

/** Returns all queries as CSV with a header. Names and numbers need no quotes. */
export function toCsv(samples: readonly FeatureSample[]): string {
  const header = ['family', 'world', 'label', 'points', ...FEATURES.map(({ name }) => name)];
  const lines = samples.flatMap(({ group, unit, rows, labels, points }) =>
    rows.map((row, i) => [group, unit, labels[i], points[i], ...row].join(',')),
  );
  return [header.join(','), ...lines, ''].join('\n');
}
