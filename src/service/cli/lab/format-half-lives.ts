import { count } from '../../../core/domain/text.ts';
import { MIN_QUERIES, type HalfLife } from '../../../lab/fit-half-lives.ts';
import type { Areas, LaterFigures, LearntHalfLives } from '../../../lab/learn-half-lives.ts';
import { MIN_LABEL_QUERIES } from '../../../lab/summarise.ts';
import type { Estimate } from '../../../lab/result.ts';
import { formatTable } from '../output.ts';
import { show } from './deliver.ts';

const ADVICE: Readonly<Record<LearntHalfLives['advice'], string>> = {
  use: 'Use the learnt half-lives: they rank the later queries better.',
  uncertain: 'No difference is certain: the learnt half-lives may rank later queries better or worse.',
  keep: 'Keep the half-lives that you have: the learnt ones rank the later queries worse.',
};

/** Describes what was learnt and what it changes on later queries. The last line says what to do. */
export function formatHalfLives(
  title: string,
  { splitAt, earlier, halfLives, later, advice }: LearntHalfLives,
): string {
  const queries = (number: number): string => count(number, 'labelled query', 'labelled queries');
  return [
    `${title}: fitted on ${queries(earlier.labelled)} before ${new Date(splitAt).toISOString()}, ${earlier.matched} of them with a match.`,
    'A query tells about its strongest kind. Half-lives are days.',
    '',
    formatTable([
      ['KIND', 'BEFORE', 'LEARNT', '95 % INTERVAL', 'QUERIES', 'LABELLED 1', 'RESULT'],
      ...halfLives.map(rowOf),
    ]),
    later === undefined
      ? 'Keep the half-lives that you have: no kind has enough labelled queries of both labels.\n'
      : `${formatLater(later)}\n${ADVICE[advice]}\n`,
  ].join('\n');
}

function rowOf({ kind, beforeDays, halfLifeDays, lowDays, highDays, queries, ones, learnt }: HalfLife): string[] {
  const few = queries < MIN_QUERIES ? `kept: fewer than ${MIN_QUERIES} queries` : 'kept: one label only';
  const found = learnt ? [String(halfLifeDays), `${lowDays} to ${highDays}`] : ['-', '-'];
  return [kind, String(beforeDays), ...found, String(queries), String(ones), learnt ? 'learnt' : few];
}

function formatLater({ matched, ones, before, learnt, difference }: LaterFigures): string {
  const few = Math.min(ones, matched - ones) < MIN_LABEL_QUERIES;
  return [
    `Checked on the ${matched} later labelled queries with a match, ${ones} of them labelled 1. In parentheses: 95 % intervals, paired for the difference.`,
    ...(few ? [`Warning: with fewer than ${MIN_LABEL_QUERIES} of a label, the figures may be due to chance.`] : []),
    '',
    formatTable([
      ['HALF-LIVES', 'ROC-AUC', 'PR-AUC of 1'],
      ['before', ...cells(before, show)],
      ['learnt', ...cells(learnt, show)],
      ['difference', ...cells(difference, signed)],
    ]),
  ].join('\n');
}

function cells({ rocAuc, prAuc }: Areas, format: (figure: number) => string): string[] {
  const cell = ({ value, low, high }: Estimate): string => `${format(value)} (${format(low)} to ${format(high)})`;
  return [cell(rocAuc), cell(prAuc)];
}

/** Formats a difference as in +.012 and -.003. */
function signed(figure: number): string {
  return `${figure < 0 ? '-' : '+'}${show(Math.abs(figure))}`;
}
