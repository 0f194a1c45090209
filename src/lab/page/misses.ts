import type { Miss, ModelResult } from '../result.ts';
import { colourOf } from './chart.ts';
import { html, type Markup } from './markup.ts';
import { count, day } from './numbers.ts';

export function misses(models: readonly ModelResult[]): Markup | undefined {
  const missed = models.map((model, index) => ({ model, index })).filter(({ model }) => model.misses.length > 0);
  if (missed.length === 0) return undefined;
  // Expand the first miss, to show that misses can be expanded.
  return html`<section>
    <h2>Worst misses</h2>
    <p class="reading">How to read this: the queries with the largest errors of each model, worst first, with the answer
      to them (points-reported-reliability). Open a query to see the model’s explanation.</p>
    <div class="grid misses">${missed.map(
      ({ model, index }, column) => html`<div class="${colourOf(index)}">
        <h3><span class="swatch"></span>${model.name}</h3>
        ${model.misses.map((miss, row) => entry(miss, column === 0 && row === 0))}</div>`,
    )}</div>
  </section>`;
}

function entry({ at, label, points, reported, reliability, sentences }: Miss, open: boolean): Markup {
  const answer = `${count(points)}-${count(reported)}-${reliability.toFixed(1)}`;
  const word = label === 1 ? 'a positive' : 'a negative';
  const list = html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;
  return html`<details class="miss"${open && html` open`}><summary>
    <span class="tag${label !== 1 && ' plain'}">${word}</span> scored <b>${count(points)}</b>
    <span class="quiet">${answer} · <time datetime="${at}">${day(at)}</time></span>
    </summary>${sentences.length === 0 ? html`<p>The model gave no explanation.</p>` : list}</details>`;
}
