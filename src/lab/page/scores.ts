import type { ModelResult } from '../result.ts';
import { boxOf, colourOf, drawing, horizontal, numbersOf, xAxis, yAxis } from './chart.ts';
import { linearScale } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { count, percent, place } from './numbers.ts';

export function scores(models: readonly ModelResult[]): Markup | undefined {
  const drawn = models
    .map((model, index) => ({ model, index }))
    .filter(({ model }) => total(model.scores.ones) + total(model.scores.zeros) > 0);
  if (drawn.length === 0) return undefined;
  // One scale for all models, so that their bars can be compared.
  const tallest = Math.max(
    ...drawn.flatMap(({ model }) => [...shares(model.scores.ones), ...shares(model.scores.zeros)]),
  );
  return html`<section>
    <h2>Distribution of scores</h2>
    <p class="reading">How to read this: bars above the line are positives, bars below it negatives, each as a share of
      its own label. A good score has its positives at the right and its negatives at the left.</p>
    <div class="grid">${drawn.map(({ model, index }) => panel(model, index, tallest))}</div>
  </section>`;
}

function panel({ name, scores }: ModelResult, index: number, tallest: number): Markup {
  const { most, ones, zeros } = scores;
  const title = `Scores of ${name}`;
  const rows = ones.map((number, bin) => [
    `${edge(most, bin, ones.length)} to ${edge(most, bin + 1, ones.length)}`,
    count(number),
    count(zeros[bin] ?? 0),
  ]);
  return html`<figure class="${colourOf(index)}">
    <h3>${name}</h3>${mirrored(title, scores, tallest)}
    ${numbersOf(title, { head: ['Points', 'Positives', 'Negatives'], rows })}
  </figure>`;
}

function mirrored(title: string, { most, ones, zeros }: ModelResult['scores'], tallest: number): Markup {
  const box = boxOf(290, { top: 34, bottom: 68 });
  const x = horizontal(box, most);
  const middle = (box.top + box.height - box.bottom) / 2;
  const y = linearScale([-tallest, tallest], [box.height - box.bottom, box.top]);
  const wide = (x(most) - x(0)) / Math.max(ones.length, 1);
  const bars = (numbers: readonly number[], side: 'ones' | 'zeros', words: string): Markup[] =>
    shares(numbers).map((share, bin) => {
      const height = Math.abs(y(share) - y(0));
      const range = `${edge(most, bin, numbers.length)} to ${edge(most, bin + 1, numbers.length)} points`;
      return html`<rect class="${side}" x="${place(x(0) + bin * wide + 0.75)}"
        y="${place(side === 'ones' ? middle - height : middle)}" width="${place(wide - 1.5)}" height="${place(height)}">
        <title>${range}: ${count(numbers[bin] ?? 0)} ${words}, ${percent(share, 1)}</title>
      </rect>`;
    });
  const xPoints = { scale: x, ticks: x.ticks(5), say: (points: number) => count(points), label: 'Score, points' };
  return drawing(
    box,
    `${title}, shares by label. ${half('positives', ones, most)}; ${half('negatives', zeros, most)}.`,
    html`<g class="axes">
      ${yAxis(box, { scale: y, ticks: y.ticks(5), say: (share) => percent(Math.abs(share)) })}
      ${xAxis(box, xPoints, box.height - 46)}
    </g>
    ${bars(ones, 'ones', 'positives')}
    ${bars(zeros, 'zeros', 'negatives')}
    <text class="name" x="2" y="15">% of ${count(total(ones))} positives</text>
    <text class="name" x="2" y="${box.height - 8}">% of ${count(total(zeros))} negatives</text>`,
  );
}

/** Returns a phrase with the median of one label, rounded up to the end of its bin. */
function half(of: string, numbers: readonly number[], most: number): string {
  const all = total(numbers);
  if (all === 0) return `no ${of}`;
  const median = numbers.findIndex((_, bin) => total(numbers.slice(0, bin + 1)) * 2 >= all);
  return `half of ${count(all)} ${of} have ${edge(most, median + 1, numbers.length)} points or fewer`;
}

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
