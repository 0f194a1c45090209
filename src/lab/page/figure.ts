import type { Point, ModelResult } from '../result.ts';
import { html, type Hole, type Markup } from './markup.ts';
import { readCurve } from './read-curve.ts';

/** The numbers of a chart, as text. */
export interface Numbers {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Where they come from, when it is not plain. */
  readonly note?: string;
}

/** A chart with its title, how to read it, and its numbers. */
export function figureOf(title: string, chart: Hole, reading: string, numbers: Numbers): Markup {
  return html`<figure><h3>${title}</h3>${chart}<figcaption>${reading}</figcaption>${numbersOf(title, numbers)}</figure>`;
}

/** Folded away: who cannot see the chart, or wants to copy its numbers, unfolds it. */
export function numbersOf(title: string, { head, rows, note }: Numbers): Markup {
  return html`<details class="numbers"><summary>Numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="${title}: numbers"><table><caption>${title}${note !== undefined && html`. ${note}`}</caption><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></details>`;
}

/** A column a model, a row for each place where the curves are read. */
export function readings(
  models: readonly ModelResult[],
  at: { readonly name: string; readonly places: readonly number[]; readonly say: (place: number) => string },
  pointsOf: (model: ModelResult) => readonly Point[],
  say: (value: number | undefined) => string,
): Numbers {
  return {
    head: [at.name, ...models.map((model) => model.name)],
    rows: at.places.map((place) => [at.say(place), ...models.map((model) => say(readCurve(pointsOf(model), place)))]),
    note: 'Read off the curves, with straight lines between points.',
  };
}
