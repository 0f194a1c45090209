// Figures of one candidate on one task.
import { median } from 'simple-statistics';
import { valuesOf } from '../../src/lab/metrics/evaluate.ts';
import type { Sample } from '../../src/lab/sample.ts';
import type { EvidenceReport } from '../../src/core/scoring/evidence.ts';
import { answersOf, type Answer, type Candidate, type TableCache, type Task } from './task.ts';

/** Figures by name, 0 to 1 except Points; a figure is missing if the task has too few queries for it. */
export type Figures = Readonly<Record<string, number>>;

/** Fewer queries of one label say nothing. */
const MIN_QUERIES = 20;

export function figuresOf(candidate: Candidate, task: Task, cache: TableCache): Figures {
  const answers = task.epochs.flatMap((epoch) => answersOf(candidate, epoch, cache));
  const matched = answers.filter(({ reports }) => reports.length > 0);
  const later = matched.filter((answer) => answer.later || answer.label === 0);
  const frauds = matched.filter(({ label }) => label === 1);
  const typical = frauds.length === 0 ? Number.NaN : median(frauds.map(({ points }) => points));
  const weaklyKnown = frauds.filter(({ reports }) => isWeaklyKnown(reports, candidate)).length;
  const attacks = task.attacks.flatMap(({ name, epoch }) => {
    const victims = median(answersOf(candidate, epoch, new Map()).map(({ points }) => points));
    return [
      [`${name} points`, victims],
      [`${name} ratio`, victims / typical],
    ] as const;
  });
  return {
    ...areas(answers, ''),
    ...(answers.some((answer) => answer.later) ? areas(later, 'later ') : {}),
    ...errorOf(matched),
    ...Object.fromEntries(attacks),
    ...(frauds.length === 0 ? {} : { 'weakly known': weaklyKnown / frauds.length }),
  };
}

/**
 * Returns true if one reporter alone reports the person, or only weak kinds match. A fresh report of severity 10 by all
 * identifiers ranks above such evidence, if its reporter has as good a record (decision 83).
 */
function isWeaklyKnown(reports: readonly EvidenceReport[], { model }: Candidate): boolean {
  const isStrong = (kind: string): boolean => model.trust?.isStrong(kind) ?? true;
  return (
    new Set(reports.map(({ reporterId }) => reporterId)).size === 1 ||
    !reports.some(({ shared }) => shared.some(({ kind }) => isStrong(kind)))
  );
}

function areas(answers: readonly Answer[], prefix: string): Figures {
  const figures = rankingOf(answers.map(({ label, points }) => ({ label, score: points })));
  return Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`${prefix}${name}`, figure]));
}

/** Returns the calibration error. Without a match, Reliability is 0.0 and says nothing. */
function errorOf(matched: readonly Answer[]): Figures {
  const stated = matched.flatMap(({ label, chance }) =>
    chance === undefined ? [] : [{ label, score: chance, chance }],
  );
  if (!isEnough(stated)) return {};
  const { ece } = valuesOf(stated);
  return ece === undefined ? {} : { ece };
}

/** Returns AUC and PR-AUC; nothing for too few samples. */
export function rankingOf(samples: readonly Sample[]): Figures {
  if (!isEnough(samples)) return {};
  const { rocAuc, prAuc } = valuesOf(samples);
  return { auc: rocAuc, pr: prAuc };
}

function isEnough(samples: readonly Sample[]): boolean {
  const ones = samples.filter(({ label }) => label === 1).length;
  return ones >= MIN_QUERIES && samples.length - ones >= MIN_QUERIES;
}
