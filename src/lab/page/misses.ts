import type { Miss, ModelResult } from '../result.ts';
import { html, type Markup } from './markup.ts';
import { count, day } from './numbers.ts';
import { colourOf } from './series.ts';

/** The worst misses of each model with their explanations; undefined when nothing was missed. */
export function misses(models: readonly ModelResult[]): Markup | undefined {
  const missed = models.map((model, index) => ({ model, index })).filter(({ model }) => model.misses.length > 0);
  if (missed.length === 0) return undefined;
  return html`<section><h2>Worst misses</h2><p class="reading">How to read this: the queries that a model got most wrong, worst first, with what it was told (points-reported-reliability); unfold one for the model’s own explanation.</p><div class="grid misses">${missed.map(({ model, index }) => html`<div class="${colourOf(index)}"><h3><span class="swatch"></span>${model.name}</h3>${model.misses.map((miss, place) => entry(miss, index === missed[0]!.index && place === 0))}</div>`)}</div></section>`;
}

/** The very first one is open, to show that there is something inside. */
function entry({ at, label, points, reported, reliability, sentences }: Miss, open: boolean): Markup {
  return html`<details class="miss"${open && html` open`}><summary><span class="label${label === 1 && ' one'}">${label === 1 ? 'a one' : 'a zero'}</span> scored <b>${count(points)}</b><span class="aside">${count(points)}-${count(reported)}-${reliability.toFixed(1)} · <time datetime="${at}">${day(at)}</time></span></summary>${sentences.length === 0 ? html`<p>No explanation was given.</p>` : html`<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}</details>`;
}
