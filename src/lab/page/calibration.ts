import { line } from 'd3-shape';
import { withInterval } from '../metrics/bins.ts';
import type { IntervalBin } from '../result-parts.ts';
import type { ModelResult } from '../result.ts';
import { numbersOf } from './figure.ts';
import { axes, boxOf, drawing, horizontal, vertical, type Box } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { count, figure, percent, place } from './numbers.ts';
import { colourOf } from './series.ts';

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** Height of the bars below the diagram, and of the space for their title. */
const BARS = 44;
const ROOM = 28;

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
  const numbers = {
    head: ['Stated', 'Observed', '95 % interval', 'Queries'],
    rows: bins.map((bin) => [
      figure(bin.stated),
      figure(bin.observed),
      `${figure(bin.low)} to ${figure(bin.high)}`,
      count(bin.count),
    ]),
  };
  return html`<figure class="${colourOf(index)}">
    <h3>${name} <span class="aside">ECE ${figure(ece?.value)}</span></h3>
    ${drawReliability(title, bins, boxOf(430), TICKS)}${numbersOf(title, numbers)}</figure>`;
}

/** Returns a reliability diagram with bars for the numbers of queries below it. */
export function drawReliability(
  title: string,
  bins: readonly IntervalBin[],
  outer: Box,
  ticks: readonly number[],
): Markup {
  const box = { ...outer, bottom: 50 + BARS + ROOM };
  const [x, y] = [horizontal(box, 1), vertical(box, 1)];
  const floor = box.height - 50;
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const words = bins
    .map((bin) => `stated ${percent(bin.stated)}, observed ${percent(bin.observed)} of ${count(bin.count)}`)
    .join('; ');
  const path =
    line<IntervalBin>()
      .x((bin) => x(bin.stated))
      .y((bin) => y(bin.observed))
      .digits(1)(bins) ?? '';
  const xAxis = { scale: x, ticks: [], say: percent, label: 'Stated probability, %' };
  const yAxis = { scale: y, ticks, say: (share: number) => percent(share), label: 'Observed, % positives in bin' };
  const drawBin = (bin: IntervalBin): Markup => {
    const at = place(x(bin.stated));
    const height = place((bin.count / most) * BARS);
    return html`<g>
      <title>stated ${percent(bin.stated, 1)}, observed ${percent(bin.observed, 1)}, ${count(bin.count)} queries</title>
      <line class="whisker" x1="${at}" x2="${at}" y1="${place(y(bin.low))}" y2="${place(y(bin.high))}"/>
      <circle class="dot" cx="${at}" cy="${place(y(bin.observed))}" r="4.5"/>
      <rect class="bar" x="${place(at - 6)}" y="${place(floor - height)}" width="12" height="${height}"/>
    </g>`;
  };
  return drawing(
    box,
    `${title}. ${words}.`,
    html`${axes(box, xAxis, yAxis)}
    <line class="ignorance" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
    <path class="line faint" d="${path}"/>
    ${bins.map(drawBin)}
    <line class="base" x1="${box.left}" x2="${box.width - box.right}" y1="${floor}" y2="${floor}"/>
    <text class="note" x="${box.left}" y="${floor - BARS - 8}">Queries, tallest ${count(most)}</text>
    ${ticks.map(
      (tick) => html`<text class="tick" x="${place(x(tick))}" y="${floor + 19}"
        text-anchor="middle">${percent(tick)}</text>`,
    )}`,
  );
}
