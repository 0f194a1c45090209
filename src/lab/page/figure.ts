import type { Point, ModelResult } from '../result.ts';
import { html, type Hole, type Markup } from './markup.ts';

export interface Numbers {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How the numbers were computed, if this is not obvious. */
  readonly note?: string;
}

export function figureOf(title: string, chart: Hole, reading: string, numbers: Numbers): Markup {
  return html`<figure><h3>${title}</h3>${chart}<figcaption>${reading}</figcaption>${numbersOf(title, numbers)}</figure>`;
}

/** Returns the numbers as a collapsed table, for readers who cannot see the chart or want to copy them. */
export function numbersOf(title: string, { head, rows, note }: Numbers): Markup {
  return html`<details class="numbers"><summary>Numbers</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="${title}: numbers"><table>
      <caption>${title}${note !== undefined && html`. ${note}`}</caption>
      <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows.map(
        ([first, ...others]) =>
          html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody>
    </table></div></details>`;
}

/** Returns curve values as a table: a column for each model, a row for each `x`. */
export function readings(
  models: readonly ModelResult[],
  at: { readonly name: string; readonly places: readonly number[]; readonly say: (place: number) => string },
  pointsOf: (model: ModelResult) => readonly Point[],
  say: (value: number | undefined) => string,
): Numbers {
  return {
    head: [at.name, ...models.map((model) => model.name)],
    rows: at.places.map((place) => [at.say(place), ...models.map((model) => say(readCurve(pointsOf(model), place)))]),
    note: 'Values are read from the curves, with linear interpolation between points.',
  };
}

/**
 * Returns the height of a curve at `x`, by linear interpolation; undefined outside the curve. If the curve is vertical
 * at `x`, the last point counts.
 */
export function readCurve(points: readonly Point[], x: number): number | undefined {
  const after = points.findIndex(([at]) => at > x);
  const before = points[after === -1 ? points.length - 1 : after - 1];
  if (before === undefined || (after === -1 && before[0] < x)) return undefined;
  const next = points[after];
  if (next === undefined || next[0] === before[0]) return before[1];
  return before[1] + ((next[1] - before[1]) * (x - before[0])) / (next[0] - before[0]);
}
