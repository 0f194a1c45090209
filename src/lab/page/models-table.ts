import { scaleLinear } from 'd3-scale';
import type { Estimate, LabResult, ModelResult } from '../result.ts';
import { html, type Markup } from './markup.ts';
import { figure, isNumber, NONE, place } from './numbers.ts';
import { colourOf } from './series.ts';

interface Column {
  readonly name: string;
  /** What it says, in few words. */
  readonly says: string;
  readonly better: 'high' | 'low';
  readonly of: (model: ModelResult) => Estimate | undefined;
  /** What a score that knows only how common ones are would reach. */
  readonly ignorant: (ones: number) => number | undefined;
}

const COLUMNS: readonly Column[] = [
  { name: 'ROC-AUC', says: 'ones above zeros', better: 'high', of: (model) => model.rocAuc, ignorant: () => 0.5 },
  {
    name: 'PR-AUC of ones',
    says: 'finding ones',
    better: 'high',
    of: (model) => model.prAuc,
    ignorant: (ones) => ones,
  },
  {
    name: 'PR-AUC of zeros',
    says: 'clearing zeros',
    better: 'high',
    of: (model) => model.prAucOfZeros,
    ignorant: (ones) => 1 - ones,
  },
  { name: 'ECE', says: 'stated to observed', better: 'low', of: (model) => model.ece, ignorant: () => undefined },
  {
    name: 'Brier',
    says: 'squared error',
    better: 'low',
    of: (model) => model.brier,
    ignorant: (ones) => ones * (1 - ones),
  },
];

/** The models side by side. */
export function modelsTable({ models, counts }: LabResult): Markup {
  const ones = counts.judged > 0 ? counts.positives / counts.judged : undefined;
  return html`<section><h2>Models side by side</h2><p class="reading">How to read this: each figure has its 95 % interval below it (bootstrap over queries), drawn on the same scale down the column; the best of a column is bold, high is good for the areas (AUC) and low for the errors (ECE, Brier).</p><div class="scroll" tabindex="0" role="region" aria-label="Models side by side"><table class="models"><thead><tr><th scope="col">Model</th>${COLUMNS.map((column) => html`<th scope="col">${column.name} <span class="aside">${column.better === 'high' ? '↑' : '↓'} ${column.says}</span></th>`)}</tr></thead><tbody>${models.map((model, index) => html`<tr class="${colourOf(index)}"><th scope="row"><span class="swatch"></span>${model.name}</th>${COLUMNS.map((column) => cell(column, model, models))}</tr>`)}${ones !== undefined && html`<tr class="ignorant"><th scope="row">knowing nothing</th>${COLUMNS.map((column) => html`<td>${figure(column.ignorant(ones))}</td>`)}</tr>`}</tbody></table></div></section>`;
}

function cell(column: Column, model: ModelResult, models: readonly ModelResult[]): Markup {
  const estimate = column.of(model);
  if (!isNumber(estimate?.value)) return html`<td><span class="none">${NONE}</span></td>`;
  const value = figure(estimate.value);
  const known = models.map(column.of).filter((each) => each !== undefined);
  return html`<td>${value === bestOf(column, known) ? html`<strong>${value}</strong>` : html`<span class="plain">${value}</span>`}${interval(estimate, known)}</td>`;
}

/** As printed: what looks the same is as good. */
function bestOf(column: Column, known: readonly Estimate[]): string {
  const values = known.map((estimate) => estimate.value).filter(isNumber);
  return figure(column.better === 'high' ? Math.max(...values) : Math.min(...values));
}

/** The interval in numbers, and as a line on the scale of its column. */
function interval({ value, low, high }: Estimate, known: readonly Estimate[]): Markup {
  const ends = known.flatMap((estimate) => [estimate.low, estimate.value, estimate.high]).filter(isNumber);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const scale = scaleLinear([least, most > least ? most : least + 1], [5, 115]);
  const drawn =
    [value, low, high].every(isNumber) &&
    html`<svg class="strip" viewBox="0 0 120 12" aria-hidden="true"><line class="track" x1="0" x2="120" y1="6" y2="6"/><line class="whisker" x1="${place(scale(low))}" x2="${place(scale(high))}" y1="6" y2="6"/><circle class="dot" cx="${place(scale(value))}" cy="6" r="3"/></svg>`;
  return html`<small>${figure(low)} to ${figure(high)}</small>${drawn}`;
}
