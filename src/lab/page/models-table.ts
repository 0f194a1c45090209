import type { Estimate, LabResult, ModelResult, Subset } from '../result.ts';
import { colourOf, isKnown, tableOf } from './chart.ts';
import { linearScale } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { count, figure, isNumber, NONE, place } from './numbers.ts';

interface Column {
  readonly name: string;
  /** What the figure measures, in a few words. */
  readonly says: string;
  readonly better: 'high' | 'low';
  readonly of: (model: ModelResult) => Estimate | undefined;
  /** The figure of a constant score, from the share of positives; undefined if the figure has none. */
  readonly baseline: (positives: number) => number | undefined;
}

const COLUMNS: readonly Column[] = [
  { name: 'ROC-AUC', says: 'ranking', better: 'high', of: (model) => model.rocAuc, baseline: () => 0.5 },
  { name: 'PR-AUC of positives', says: 'precision', better: 'high', of: (model) => model.prAuc, baseline: (p) => p },
  {
    name: 'PR-AUC of negatives',
    says: 'precision',
    better: 'high',
    of: (model) => model.prAucOfZeros,
    baseline: (p) => 1 - p,
  },
  { name: 'ECE', says: 'calibration error', better: 'low', of: (model) => model.ece, baseline: () => undefined },
  { name: 'Brier', says: 'squared error', better: 'low', of: (model) => model.brier, baseline: (p) => p * (1 - p) },
];

export function modelsTable({ models, counts }: LabResult): Markup {
  const positives = counts.positives / counts.judged;
  const baseline =
    counts.judged > 0 &&
    html`<tr class="ignorant"><th scope="row">no information</th>
      ${COLUMNS.map((column) => html`<td>${figure(column.baseline(positives))}</td>`)}</tr>`;
  return html`<section>
    <h2>Models side by side</h2>
    <p class="reading">How to read this: each figure has its 95 % confidence interval below it (bootstrap over queries),
      drawn on the same scale in the whole column. The best figure of a column is bold. High is good for the areas
      (AUC), low for the errors (ECE, Brier).</p>
    <p class="scrolls" aria-hidden="true">The table goes on at the right →</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Models side by side"><table class="models">
      <thead><tr><th scope="col">Model</th>${COLUMNS.map(heading)}</tr></thead>
      <tbody>${models.map((model, index) => row(model, index, models))}${baseline}</tbody>
    </table></div>
  </section>`;
}

function heading({ name, better, says }: Column): Markup {
  const arrow = better === 'high' ? '↑' : '↓';
  return html`<th scope="col">${name} <span class="quiet">${arrow} ${says}</span></th>`;
}

function row(model: ModelResult, index: number, models: readonly ModelResult[]): Markup {
  return html`<tr class="${colourOf(index)}"><th scope="row"><span class="swatch"></span>${model.name}</th>
    ${COLUMNS.map((column) => cell(column, model, models))}</tr>`;
}

function cell(column: Column, model: ModelResult, models: readonly ModelResult[]): Markup {
  const estimate = column.of(model);
  if (!isNumber(estimate?.value)) return html`<td><span class="none">${NONE}</span></td>`;
  const value = figure(estimate.value);
  const known = models.map(column.of).filter((each) => each !== undefined);
  const isBest = value === bestOf(column, known);
  const shown = isBest ? html`<strong>${value}</strong>` : html`<span class="plain">${value}</span>`;
  return html`<td>${shown}${interval(estimate, known)}</td>`;
}

/** Compares figures as printed, so that figures that look equal count as equal. */
function bestOf(column: Column, known: readonly Estimate[]): string {
  const values = known.map((estimate) => estimate.value).filter(isNumber);
  return figure(column.better === 'high' ? Math.max(...values) : Math.min(...values));
}

/** Returns the interval as numbers, and as a line on its column's scale. */
function interval(estimate: Estimate, known: readonly Estimate[]): Markup {
  const { value, low, high } = estimate;
  const ends = known.flatMap((each) => [each.low, each.value, each.high]).filter(isNumber);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const scale = linearScale([least, most > least ? most : least + 1], [5, 115]);
  const drawn =
    isKnown(estimate) &&
    html`<svg class="strip" viewBox="0 0 120 12" aria-hidden="true">
      <line class="rule" x1="0" x2="120" y1="6" y2="6"/>
      <line class="whisker" x1="${place(scale(low))}" x2="${place(scale(high))}" y1="6" y2="6"/>
      <circle class="dot" cx="${place(scale(value))}" cy="6" r="3"/>
    </svg>`;
  return html`<small>${figure(low)} to ${figure(high)}</small>${drawn}`;
}

export function subsetTables({ subsets }: LabResult): Markup | undefined {
  if (subsets.length === 0) return undefined;
  return html`<section>
    <h2>Other sets of queries</h2>
    <p class="reading">How to read this: the same answers, judged on other queries. Each group compares its
      positives with all negatives.</p>
    <p class="scrolls" aria-hidden="true">The table goes on at the right →</p>${subsets.map(subsetTable)}
  </section>`;
}

function subsetTable({ name, judged, positives, models }: Subset): Markup {
  const head = ['Model', ...COLUMNS.slice(0, 3).map((column) => column.name)];
  const rows = models.map((model) => [
    model.name,
    ...[model.rocAuc, model.prAuc, model.prAucOfZeros].map((x) => figure(x)),
  ]);
  return tableOf('models', name, { head, rows }, `${name}: ${count(judged)} queries, ${count(positives)} labelled 1`);
}
