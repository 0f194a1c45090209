import { scaleLinear } from 'd3-scale';
import type { ModelResult } from '../result.ts';
import { numbersOf } from './figure.ts';
import { below, boxOf, drawing, horizontal } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { count, percent, place } from './numbers.ts';
import { colourOf } from './series.ts';

/** How each model spreads ones and zeros over its scores; undefined when there is nothing to spread. */
export function scores(models: readonly ModelResult[]): Markup | undefined {
  const drawn = models
    .map((model, index) => ({ model, index }))
    .filter(({ model }) => total(model.scores.ones) + total(model.scores.zeros) > 0);
  if (drawn.length === 0) return undefined;
  // One scale of shares for all: what is tall in one is tall in the next.
  const tallest = Math.max(
    ...drawn.flatMap(({ model }) => [...shares(model.scores.ones), ...shares(model.scores.zeros)]),
  );
  return html`<section><h2>Where the scores lie</h2><p class="reading">How to read this: bars going up are ones, bars going down are zeros, each side as shares of its own number; a good score has its ones at the right and its zeros at the left.</p><div class="grid">${drawn.map(({ model, index }) => panel(model, index, tallest))}</div></section>`;
}

function panel(model: ModelResult, index: number, tallest: number): Markup {
  const {
    name,
    scores: { most, ones, zeros },
  } = model;
  const title = `Scores of ${name}`;
  const rows = ones.map((number, bin) => [
    `${edge(most, bin, ones.length)} to ${edge(most, bin + 1, ones.length)}`,
    count(number),
    count(zeros[bin] ?? 0),
  ]);
  return html`<figure class="${colourOf(index)}"><h3>${name}</h3>${mirrored(title, model.scores, tallest)}${numbersOf(title, { head: ['Points', 'Ones', 'Zeros'], rows })}</figure>`;
}

function mirrored(title: string, { most, ones, zeros }: ModelResult['scores'], tallest: number): Markup {
  const box = boxOf(290, { top: 34, bottom: 68 });
  const x = horizontal(box, most);
  const middle = (box.top + box.height - box.bottom) / 2;
  const y = scaleLinear([-tallest, tallest], [box.height - box.bottom, box.top]);
  const wide = (x(most) - x(0)) / Math.max(ones.length, 1);
  const [up, down] = [shares(ones), shares(zeros)];
  const ticks = y.ticks(5);
  const bars = (heights: readonly number[], numbers: readonly number[], of: string, sign: 1 | -1): Markup[] =>
    heights.map((share, bin) => {
      const height = Math.abs(y(share) - y(0));
      return html`<rect class="${of}" x="${place(x(0) + bin * wide + 0.75)}" y="${place(sign === 1 ? middle - height : middle)}" width="${place(wide - 1.5)}" height="${place(height)}"><title>${edge(most, bin, heights.length)} to ${edge(most, bin + 1, heights.length)} points: ${count(numbers[bin]!)} ${of}, ${percent(share, 1)}</title></rect>`;
    });
  return drawing(
    box,
    `${title}, shares by label. ${words('ones', ones, most)}; ${words('zeros', zeros, most)}.`,
    html`<g class="axes">${ticks.map((tick) => html`<line class="${tick === 0 ? 'base' : 'rule'}" x1="${box.left}" x2="${box.width - box.right}" y1="${place(y(tick))}" y2="${place(y(tick))}"/><text class="tick" x="${box.left - 7}" y="${place(y(tick))}" dy=".35em" text-anchor="end">${percent(Math.abs(tick))}</text>`)}${below(box, { scale: x, ticks: x.ticks(5), say: (points) => count(points), label: 'Score, points' }, box.height - 46)}</g>${bars(up, ones, 'ones', 1)}${bars(down, zeros, 'zeros', -1)}<text class="name" x="2" y="15">% of ${count(total(ones))} ones</text><text class="name" x="2" y="${box.height - 8}">% of ${count(total(zeros))} zeros</text>`,
  );
}

/** The middle of one side, in words. */
function words(of: string, numbers: readonly number[], most: number): string {
  const all = total(numbers);
  if (all === 0) return `no ${of}`;
  const half = numbers.findIndex((_, bin) => total(numbers.slice(0, bin + 1)) * 2 >= all);
  return `half of ${count(all)} ${of} have ${edge(most, half + 1, numbers.length)} points or fewer`;
}

/** Where a bin begins. */
function edge(most: number, bin: number, bins: number): string {
  return String(place((most * bin) / bins));
}

function shares(numbers: readonly number[]): number[] {
  const all = Math.max(total(numbers), 1);
  return numbers.map((number) => number / all);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
