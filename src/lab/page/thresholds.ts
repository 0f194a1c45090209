import type { Estimate, LabResult, ThresholdEffect, Thresholds } from '../result.ts';
import { axes, boxOf, drawing, horizontal, numbersOf, vertical } from './chart.ts';
import { toArea } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { count, percent, place } from './numbers.ts';

/** Returns what thresholds of the first model would have stopped; undefined for a result of an older version. */
export function thresholds({ thresholds: found, models }: LabResult): Markup | undefined {
  if (found === undefined || found.effects.length === 0) return undefined;
  const { recommended, frauds, honest } = found;
  const title = 'What each threshold would have stopped';
  const shares = (estimate: Estimate): string => `${percent(estimate.value, 1)} (${range(estimate, 100, 1)})`;
  const table = {
    head: ['Points', 'Frauds stopped', 'Frauds missed', 'Honest stopped'],
    rows: found.effects.map(({ threshold, fraudsStopped, honestStopped }) => [
      `${threshold} or more`,
      shares(fraudsStopped),
      percent(1 - fraudsStopped.value, 1),
      shares(honestStopped),
    ]),
    note: 'In parentheses: 95 % confidence intervals (Wilson).',
  };
  return html`<section>
    <h2>Which orders would have been stopped?</h2>
    <p class="reading">How to read this: a shop stops an order if its points, here of ${models[0]?.name}, reach a
      threshold. All ${count(frauds)} labelled queries of frauds and all ${count(honest)} of honest customers count,
      also those that match no report. In parentheses: 95 % confidence intervals.</p>
    ${recommended.length > 0 && html`<div class="advice">${recommended.map((one) => advice(found, one))}</div>`}
    ${
      recommended.length === 0 &&
      html`<p class="notice warn">No threshold stops a fraud without stopping more than 50 of
      1,000 honest customers.</p>`
    }
    <div class="grid">
      ${panel('Orders with fraud', 'frauds', 'fraudsStopped', found, 1)}
      ${panel('Honest customers', 'honest', 'honestStopped', found, mostHonest(found))}
    </div>
    <p class="reading">The thresholds were chosen with the same queries that measured them, so later orders may be a
      little worse. A shop with past orders can check this: <code>redflag lab import-orders</code>.</p>
    ${numbersOf(title, table)}
  </section>`;
}

/** A threshold in a sentence that needs no statistics. */
function advice({ effects }: Thresholds, { threshold, honestMost }: Thresholds['recommended'][number]): Markup {
  const effect = effects.find((each) => each.threshold === threshold);
  if (effect === undefined) return html``;
  const { fraudsStopped, honestStopped } = effect;
  return html`<div class="card">
    <h3>Stop orders with ${threshold} points or more</h3>
    <p class="plain-words">Of 100 orders with fraud this would have stopped ${stopped(fraudsStopped, 100)}; of
      1,000 honest customers it would have stopped ${stopped(honestStopped, 1000)}.</p>
    <p class="quiet">The lowest threshold that stops at most ${count(honestMost * 1000)} of 1,000 honest customers.</p>
  </div>`;
}

function stopped(share: Estimate, of: number): Markup {
  return html`<b>${inWords(share.value * of)}</b> <span class="quiet">(${range(share, of)})</span>`;
}

function inWords(number: number): string {
  return number > 0 && number < 0.5 ? 'fewer than 1' : count(Math.round(number));
}

/** The interval in the unit `of`, rounded outwards to `digits`, because it must not look narrower than it is. */
function range({ low, high }: Estimate, of: number, digits = 0): string {
  const scale = 10 ** digits;
  // A share of 0.07 is 7.000000000000001 of 100.
  const from = Math.floor(low * of * scale + 1e-6) / scale;
  const to = Math.ceil(high * of * scale - 1e-6) / scale;
  return `${from.toFixed(digits)} to ${to.toFixed(digits)}`;
}

/** Thresholds of very few points may stop many. The scale shows those that a shop would use. */
function mostHonest({ effects, recommended }: Thresholds): number {
  const lowest = Math.min(...recommended.map(({ threshold }) => threshold), 10);
  const shown = effects.filter(({ threshold }) => threshold >= lowest);
  const most = Math.max(...shown.map(({ honestStopped }) => honestStopped.high), 0.01);
  return [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((end) => end >= most) ?? 1;
}

function panel(
  title: string,
  of: 'frauds' | 'honest',
  key: 'fraudsStopped' | 'honestStopped',
  found: Thresholds,
  most: number,
): Markup {
  const { effects, recommended } = found;
  const box = boxOf(300);
  const [x, y] = [horizontal(box, 100), vertical(box, most)];
  const top = (share: number): number => y(Math.min(share, most));
  const steps = [...effects].sort((a, b) => a.threshold - b.threshold);
  const draw = (low: (one: ThresholdEffect) => number, high: (one: ThresholdEffect) => number): string =>
    toArea(
      steps.map((one) => [x(one.threshold), top(high(one))]),
      steps.map((one) => [x(one.threshold), top(low(one))]),
    );
  const words = recommended
    .map(({ threshold }) => steps.find((one) => one.threshold === threshold))
    .filter((one) => one !== undefined)
    .map((one) => `from ${one.threshold} points: ${percent(one[key].value, 1)}`)
    .join('; ');
  // A quarter of 10 % is 2.5 %: a rounded tick would be wrong.
  const digits = [0, 1].find((some) => Number.isInteger(Math.round(most * 25 * 1e6 * 10 ** some) / 1e6)) ?? 2;
  const yAxis = {
    scale: y,
    ticks: [0, most / 4, most / 2, (most * 3) / 4, most],
    say: (share: number) => percent(share, digits),
    label: of === 'frauds' ? 'Stopped, % of frauds' : 'Stopped, % of honest customers',
  };
  const xAxis = { scale: x, ticks: [0, 20, 40, 60, 80, 100], say: String, label: 'Threshold, points' };
  const mark = (threshold: number): Markup => {
    const at = place(x(threshold));
    const { value } = steps.find((one) => one.threshold === threshold)?.[key] ?? { value: 0 };
    return html`<line class="truth mark" x1="${at}" x2="${at}" y1="${box.top}" y2="${box.height - box.bottom}"/>
      <circle class="dot" cx="${at}" cy="${place(top(value))}" r="4.5"/>`;
  };
  return html`<figure class="${of === 'frauds' ? 's0' : 's1'}"><h3>${title}</h3>
    ${drawing(
      box,
      `${title}: share that a threshold would have stopped. ${words}.`,
      html`${axes(box, xAxis, yAxis)}
      <path class="area" d="${draw(
        () => 0,
        (one) => one[key].value,
      )}"/>
      <path class="band" d="${draw(
        (one) => one[key].low,
        (one) => one[key].high,
      )}"/>
      ${
        of === 'frauds' &&
        html`<text class="note" x="${place(x(98))}" y="${place(y(0.93))}" text-anchor="end">missed</text>
        <text class="tick strong" x="${place(x(3))}" y="${place(y(0.05))}">stopped</text>`
      }
      ${recommended.map(({ threshold }) => mark(threshold))}`,
    )}
    <figcaption>${
      of === 'frauds'
        ? 'The filled part is stopped, the part above it is missed.'
        : 'The filled part is stopped. The scale differs from the other picture.'
    } The paler band is the interval. Vertical lines: the thresholds above.</figcaption>
  </figure>`;
}
