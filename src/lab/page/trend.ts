import { line } from 'd3-shape';
import { MIN_GROUP_QUERIES, type Period } from '../result-parts.ts';
import type { Estimate, LabResult } from '../result.ts';
import {
  axes,
  boxOf,
  countAxis,
  countBar,
  drawing,
  horizontal,
  numbersOf,
  SHARES,
  vertical,
  whisker,
  withCounts,
} from './chart.ts';
import { html, type Markup } from './markup.ts';
import { count, day, figure, place } from './numbers.ts';

interface Trend {
  readonly title: string;
  readonly of: (period: Period) => Estimate | undefined;
  /** The figure of a score without information. */
  readonly chance: (period: Period) => number;
}

const TRENDS: readonly Trend[] = [
  { title: 'ROC-AUC over time', of: ({ rocAuc }) => rocAuc, chance: () => 0.5 },
  {
    title: 'PR-AUC of positives over time',
    of: ({ prAuc }) => prAuc,
    chance: ({ positives, judged }) => positives / judged,
  },
];

/** Returns the figures of the first model by period; undefined with fewer than two periods. */
export function trend({ periods = [], models }: LabResult): Markup | undefined {
  if (periods.length < 2) return undefined;
  const cells = (estimate: Estimate | undefined): string =>
    estimate === undefined
      ? 'too few queries'
      : `${figure(estimate.value)} (${figure(estimate.low)} to ${figure(estimate.high)})`;
  const numbers = {
    head: ['Period', 'Queries', 'Positives', 'ROC-AUC', 'PR-AUC of positives'],
    rows: periods.map((period) => [
      wordsOf(period),
      count(period.judged),
      count(period.positives),
      cells(period.rocAuc),
      cells(period.prAuc),
    ]),
    note: 'In parentheses: 95 % confidence intervals (bootstrap).',
  };
  return html`<section>
    <h2>Does the ranking stay good over time?</h2>
    <p class="reading">How to read this: each dot stands for the judged queries of a part of the time, here for
      ${models[0]?.name}. Vertical lines are 95 % confidence intervals (bootstrap), and short dotted lines are scores
      without information. Bars show the number of queries. A period with fewer than ${MIN_GROUP_QUERIES} queries, or without queries of both labels, has
      no dot.</p>
    ${
      periods.some(({ rocAuc }) => rocAuc !== undefined)
        ? html`<div class="grid">${TRENDS.map(
            (one) => html`<figure class="s0"><h3>${one.title}</h3>${chart(one, periods)}</figure>`,
          )}</div>`
        : html`<p class="quiet">No period has ${MIN_GROUP_QUERIES} queries of both labels: too few for a chart.</p>`
    }
    ${numbersOf('Figures by period', numbers)}
  </section>`;
}

function chart({ title, of, chance }: Trend, periods: readonly Period[]): Markup {
  const box = withCounts(boxOf(330));
  const starts = periods.map(({ from }) => Date.parse(from));
  const ends = periods.map(({ to }) => Date.parse(to));
  const [first, last] = [Math.min(...starts), Math.max(...ends)];
  const [x, y] = [horizontal(box, 1), vertical(box, 1)];
  const across = (at: number): number => x((at - first) / (last - first));
  const floor = box.height - 50;
  const most = Math.max(...periods.map(({ judged }) => judged));
  const drawn = periods.map((period, index) => {
    const [left, right] = [across(starts[index]!), across(ends[index]!)];
    return { period, left, right, middle: (left + right) / 2, estimate: of(period) };
  });
  const path =
    line<(typeof drawn)[number]>()
      .defined(({ estimate }) => estimate !== undefined)
      .x(({ middle }) => middle)
      .y(({ estimate }) => y(estimate?.value ?? 0))
      .digits(1)(drawn) ?? '';
  const words = drawn
    .map(
      ({ period, estimate }) =>
        `${wordsOf(period)}: ${estimate === undefined ? 'too few queries' : figure(estimate.value)}`,
    )
    .join('; ');
  const xAxis = { scale: x, ticks: [], say: String, label: 'Time of the query' };
  const yAxis = {
    scale: y,
    ticks: SHARES,
    say: (value: number) => figure(value, 2),
    label: title.replace(' over time', ''),
  };
  return drawing(
    box,
    `${title}. ${words}.`,
    html`${axes(box, xAxis, yAxis)}
    <path class="curve faint" d="${path}"/>
    ${drawn.map(({ period, left, right, middle, estimate }) => {
      const level = place(y(chance(period)));
      const gap = Math.min(1.5, (right - left) / 4);
      return html`<g><title>${wordsOf(period)}: ${figure(estimate?.value)}, ${count(period.judged)} queries</title>
        ${
          estimate &&
          html`<line class="ignorance" x1="${place(left)}" x2="${place(right)}" y1="${level}" y2="${level}"/>
          ${whisker(place(middle), y, estimate)}`
        }
        ${countBar(box, left + gap, right - gap, period.judged / most)}</g>`;
    })}
    ${countAxis(box, `Judged queries, most ${count(most)}`)}
    <text class="tick" x="${box.left}" y="${floor + 19}">${dayOf(first)}</text>
    <text class="tick" x="${box.width - box.right}" y="${floor + 19}" text-anchor="end">${dayOf(last)}</text>`,
  );
}

function dayOf(at: number): string {
  return day(new Date(at).toISOString());
}

function wordsOf({ from, to }: Period): string {
  return `${day(from)} to ${day(to)}`;
}
