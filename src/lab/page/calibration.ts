import { withInterval, type IntervalBin } from '../metrics/bins.ts';
import type { ModelResult } from '../result.ts';
import {
  axes,
  boxOf,
  colourOf,
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
import { toLine } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { count, figure, percent, place } from './numbers.ts';

/** Returns a reliability diagram for each model that states a probability; undefined if none does. */
export function calibration(models: readonly ModelResult[]): Markup | undefined {
  const panels = models.flatMap((model, index) => (model.calibration.length === 0 ? [] : [panel(model, index)]));
  if (panels.length === 0) return undefined;
  return html`<section>
    <h2>Are the stated probabilities right?</h2>
    <p class="reading">How to read this: each dot stands for the queries with about the same stated probability. On
      the dotted diagonal, the observed share of positives equals the stated probability. Below the diagonal, there are
      fewer positives; above it, more. Vertical lines are 95 % confidence intervals (Wilson). Bars show the number of
      queries.</p>
    <div class="grid">${panels}</div>
  </section>`;
}

function panel(model: ModelResult, index: number): Markup {
  const { name, ece } = model;
  const bins = model.calibration.map(withInterval);
  const title = `Calibration of ${name}`;
  const numbers = { head: ['Stated', 'Observed', '95 % interval', 'Queries'], rows: bins.map(cellsOf) };
  return html`<figure class="${colourOf(index)}">
    <h3>${name} <span class="quiet">ECE ${figure(ece?.value)}</span></h3>
    ${drawReliability(title, bins)}${numbersOf(title, numbers)}</figure>`;
}

function cellsOf({ stated, observed, low, high, count: queries }: IntervalBin): string[] {
  return [figure(stated), figure(observed), `${figure(low)} to ${figure(high)}`, count(queries)];
}

/** Returns a reliability diagram with bars for the numbers of queries below it. */
function drawReliability(title: string, bins: readonly IntervalBin[]): Markup {
  const box = withCounts(boxOf(430));
  const [x, y] = [horizontal(box, 1), vertical(box, 1)];
  const floor = box.height - 50;
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const words = bins
    .map((bin) => `stated ${percent(bin.stated)}, observed ${percent(bin.observed)} of ${count(bin.count)}`)
    .join('; ');
  const path = toLine(bins.map(({ stated, observed }) => [x(stated), y(observed)]));
  const xAxis = { scale: x, ticks: [], say: percent, label: 'Stated probability, %' };
  const yAxis = {
    scale: y,
    ticks: SHARES,
    say: (share: number) => percent(share),
    label: 'Observed, % positives in bin',
  };
  const drawBin = (bin: IntervalBin): Markup => {
    const at = place(x(bin.stated));
    return html`<g>
      <title>stated ${percent(bin.stated, 1)}, observed ${percent(bin.observed, 1)}, ${count(bin.count)} queries</title>
      ${whisker(at, y, { ...bin, value: bin.observed })}
      ${countBar(box, at - 6, at + 6, bin.count / most)}
    </g>`;
  };
  return drawing(
    box,
    `${title}. ${words}.`,
    html`${axes(box, xAxis, yAxis)}
    <line class="ignorance" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
    <path class="curve faint" d="${path}"/>
    ${bins.map(drawBin)}
    ${countAxis(box, `Queries, tallest ${count(most)}`)}
    ${SHARES.map(
      (tick) => html`<text class="tick" x="${place(x(tick))}" y="${floor + 19}"
        text-anchor="middle">${percent(tick)}</text>`,
    )}`,
  );
}
