import type { Blocking, BlockingEffect, EffectOfPoints } from '../blocking.ts';
import { requireObject } from '../options.ts';
import type { Estimate } from '../result.ts';
import { axes, boxOf, drawing, horizontal, legend, numbersOf, SHARES, strokeOf } from './chart.ts';
import { linearScale, toArea, toLine, type Scale } from './scale.ts';
import { BRAND } from './heading.ts';
import { html, type Markup } from './markup.ts';
import { day, percent, place, rounded } from './numbers.ts';
import { document } from './page.ts';

/** What the page of a shop's owner shows. No field has a value of an order. */
export interface OrdersReport {
  readonly title: string;
  readonly blocking: Blocking;
  /** The later orders begin here, as in `2021-12-12T11:22:53.000Z`. */
  readonly splitAt: string;
  /** False if each order counts as 1. */
  readonly hasAmounts: boolean;
  /** Names and values of what was assumed. */
  readonly assumed: Readonly<Record<string, string>>;
  /** Sentences about what was read and left out. */
  readonly read: readonly string[];
  readonly warnings: readonly string[];
}

const MAX_POINTS = 100;
/** The panel accepts this number of Points: no order reaches it. */
const NEVER = MAX_POINTS + 1;
const BOX = boxOf(300);
const X = horizontal(BOX, MAX_POINTS);

/** Columns of the table. The script shows the cells of one row above it. */
const COLUMNS: readonly {
  readonly name: string;
  readonly of: (effect: BlockingEffect) => Estimate;
  /** The outcome that is counted; without it, the column is money. */
  readonly counts?: 'frauds' | 'goods';
}[] = [
  { name: 'Saved in all', of: ({ saved }) => saved },
  { name: 'Fraud stopped', of: ({ stoppedAmount }) => stoppedAmount },
  { name: 'Lost on good orders', of: ({ lost }) => lost },
  { name: 'Frauds stopped', of: ({ stoppedFrauds }) => stoppedFrauds, counts: 'frauds' },
  { name: 'Good orders held', of: ({ refusedGoods }) => refusedGoods, counts: 'goods' },
];

/** Moves the figures and the lines of the pictures to the number of Points of the slider. */
const SCRIPT = `
const find = (name) => document.querySelectorAll('[data-' + name + ']');
const rows = [...document.querySelectorAll('[data-each] tbody tr')].map(({ cells }) =>
  [...cells].map((cell) => cell.textContent));
const [slider] = find('slider');
function show() {
  const points = Number(slider.value);
  const row = rows.find(([name]) => Number(name.split(' ').at(-1)) >= points);
  find('points')[0].textContent = points;
  find('figure').forEach((figure, at) => {
    const [value, range] = row[at + 1].split(' (');
    figure.firstChild.textContent = value;
    figure.lastChild.textContent = range.slice(0, -1);
  });
  slider.setAttribute('aria-valuetext', points + ' Points: saved ' + row[1]);
  for (const line of find('chosen')) {
    line.setAttribute('x1', ${place(X(0))} + points * ${place(X(1) - X(0))});
    line.setAttribute('x2', line.getAttribute('x1'));
  }
}
slider.addEventListener('input', show);
find('sliding')[0].hidden = false;
show();
`;

/** Returns what past orders say about holding orders, as one HTML document. The same report gives the same bytes. */
export function renderOrders(report: OrdersReport): string {
  requireObject('report', report);
  const { title, blocking, splitAt, assumed, read, warnings } = report;
  return document(
    title,
    html`<header>
      ${BRAND}
      <h1>What would holding orders have saved?</h1>
      <p class="lead">${mainSentence(report)}</p>
      <p class="reading">${title}: the ${rounded(sizeOf(blocking))} orders from ${day(splitAt)} on. Each order is scored
        as of its own time: it finds only what other shops had reported by then.</p>
      ${warnings.map((warning) => html`<p class="notice warn"><strong>Warning:</strong> ${warning}</p>`)}
    </header>
    ${proposal(blocking)}${eachNumber(report)}${certainty(report)}
    <section>
      <h2>What was assumed?</h2>
      <p class="reading">The options of <code>redflag lab import-orders</code> change this.</p>
      <dl class="facts">${Object.entries(assumed).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    </section>
    <section>
      <h2>What was read?</h2>
      <ul>${read.map((sentence) => html`<li>${withOptions(sentence)}</li>`)}</ul>
    </section>`,
    SCRIPT,
  );
}

/** Keeps options on one line. Otherwise, browsers break them at hyphens. */
function withOptions(sentence: string): Markup[] {
  return sentence
    .split(/(--[a-z]+(?:-[a-z]+)*)/)
    .map((part, at) => (at % 2 === 1 ? html`<code class="name-of">${part}</code>` : html`${part}`));
}

function sizeOf({ later }: Blocking): number {
  return later.frauds.count + later.goods.count;
}

function mainSentence({ blocking, hasAmounts }: OrdersReport): Markup {
  const { from, later, saved, stoppedFrauds, refusedGoods } = blocking;
  if (from === null)
    return html`No number of Points would have saved more than it cost: do not hold orders by Points alone.`;
  const frauds = `${rounded(stoppedFrauds.value)} of ${rounded(later.frauds.count)} frauds`;
  const goods = `${rounded(refusedGoods.value)} of ${rounded(later.goods.count)} good orders`;
  return html`Holding orders from ${from} Points would have stopped ${frauds} and held ${goods}.${
    hasAmounts && html` Saved: ${rounded(saved.value)} (${range(saved)}).`
  }`;
}

function range({ low, high }: Estimate): string {
  return `${rounded(low)} to ${rounded(high)}`;
}

/** Returns what to do with an order, and what to type into the panel. */
function proposal({ from, lookFrom, effects, later }: Blocking): Markup {
  const hold = from ?? NEVER;
  const look = lookFrom ?? hold;
  const all = { stoppedFrauds: { value: later.frauds.count }, refusedGoods: { value: later.goods.count } };
  const [held, looked] = [effectAt(effects, hold), effectAt(effects, look)];
  const part = (name: string, points: string, more: Counted, less: Counted, words: string): Markup => {
    const frauds = more.stoppedFrauds.value - less.stoppedFrauds.value;
    return html`<div class="card">
      <h3>${name}</h3>
      <p class="plain-words"><b>${points}</b></p>
      <p class="quiet">Of ${rounded(frauds + more.refusedGoods.value - less.refusedGoods.value)} such orders,
        ${rounded(frauds)} were frauds. ${words}</p>
    </div>`;
  };
  const nothing = effectAt(effects, NEVER);
  return html`<section>
    <h2>What to do with an order</h2>
    <p class="reading">The numbers of Points were chosen on earlier orders. The counts are those of the later ones.</p>
    <div class="advice">
      ${part('Allow', spanOf(0, look - 1), all, looked, 'No other shop warns, or not enough.')}
      ${look < hold && part('Look', spanOf(look, hold - 1), looked, held, 'A person decides.')}
      ${
        hold < NEVER &&
        part('Hold', `${hold} Points or more`, held, nothing, 'This number saved the most on the earlier orders.')
      }
    </div>
    <h3>Type them into the panel</h3>
    <p>Open <b>Look up</b>, then <b>Your thresholds and settings</b>. They are kept in the browser, so type them in each
      browser that you use.</p>
    <dl class="facts">
      <dt>Look at an order from</dt><dd>${look}${look === NEVER && ' (never)'}</dd>
      <dt>Hold an order from</dt><dd>${hold}${hold === NEVER && ' (never)'}</dd>
      <dt>Hold only if reliable from</dt><dd>0, because this page counts answers of any reliability</dd>
    </dl>
  </section>`;
}

interface Counted {
  readonly stoppedFrauds: { readonly value: number };
  readonly refusedGoods: { readonly value: number };
}

/** Returns the effect of a number of Points, also of one that no order reaches. */
function effectAt(effects: readonly EffectOfPoints[], points: number): BlockingEffect {
  const nothing = { value: 0, low: 0, high: 0 };
  return (
    effects.find(({ last }) => last >= points) ?? {
      stoppedFrauds: nothing,
      stoppedAmount: nothing,
      refusedGoods: nothing,
      refusedAmount: nothing,
      lost: nothing,
      saved: nothing,
    }
  );
}

function spanOf(first: number, last: number): string {
  return first === last ? `${first} Points` : `${first} to ${Math.min(last, MAX_POINTS)} Points`;
}

function eachNumber({ blocking, hasAmounts }: OrdersReport): Markup {
  const { from, effects, later } = blocking;
  const shown = from ?? MAX_POINTS;
  const effect = effectAt(effects, shown);
  const columns = COLUMNS.filter(({ counts }) => hasAmounts || counts !== undefined).map(({ name, of, counts }) => ({
    of,
    name: counts ? `${name}, of ${rounded(later[counts].count)}` : name,
  }));
  const title = 'What each number of Points would have saved';
  const table = {
    head: ['Hold from', ...columns.map(({ name }) => name)],
    rows: effects.map((one) => [
      one.first === one.last ? one.first : `${one.first} to ${one.last}`,
      ...columns.map(({ of }) => `${rounded(of(one).value)} (${range(of(one))})`),
    ]),
    note: 'In parentheses: 95 % intervals (bootstrap).',
    open: 'The numbers of each threshold',
  };
  return html`<section>
    <h2>What if you hold more, or fewer?</h2>
    <div class="card">
      <h3>Hold orders from <span data-points>${shown}</span> Points</h3>
      <p hidden data-sliding><label for="from" class="unseen">Hold orders from this number of Points</label>
        <input type="range" id="from" min="1" max="${MAX_POINTS}" value="${shown}" autocomplete="off" data-slider></p>
      <dl class="figures small">${columns.map(
        ({ name, of }) => html`<div><dt>${name}</dt>
          <dd data-figure><span>${rounded(of(effect).value)}</span> <small>${range(of(effect))}</small></dd></div>`,
      )}</dl>
    </div>
    <div class="grid after">${hasAmounts && money(blocking)}${shares(blocking)}</div>
    <div data-each>${numbersOf(title, table)}</div>
  </section>`;
}

interface Line {
  readonly name: string;
  readonly style: string;
  readonly of: (effect: BlockingEffect) => number;
}

/** Each number of Points of one entry blocks the same orders, so the line is level there. */
const ends = (effects: readonly EffectOfPoints[]) =>
  effects.flatMap((effect) => [effect.first, effect.last].map((points) => ({ points, effect })));

const X_AXIS = { scale: X, ticks: [0, 20, 40, 60, 80, 100], say: String, label: 'Hold from, Points' };

function money({ effects, from }: Blocking): Markup {
  const lines: Line[] = [
    { name: 'Saved in all', style: 's0', of: ({ saved }) => saved.value },
    { name: 'Fraud stopped', style: 's2', of: ({ stoppedAmount }) => stoppedAmount.value },
    { name: 'Lost on good orders', style: 's1', of: ({ lost }) => lost.value },
  ];
  const all = effects.flatMap((one) => [one.saved.low, one.saved.high, ...lines.map(({ of }) => of(one))]);
  const y = linearScale([Math.min(0, ...all), Math.max(1, ...all)], [BOX.height - BOX.bottom, BOX.top]).nice(5);
  const [low, high] = (['low', 'high'] as const).map((end) =>
    ends(effects).map(({ points, effect }) => [X(points), y(effect.saved[end])] as const),
  );
  const band = toArea(high!, low!);
  const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
  const yAxis = { scale: y, ticks: y.ticks(5), say: (value: number) => short.format(value), label: 'Amount' };
  return html`<figure><h3>Money saved and lost</h3>
    ${picture('Money saved and lost', { effects, from, lines, y, yAxis, under: html`<path class="band s0" d="${band}"/>` })}
    <figcaption>The paler band is the 95 % interval of what is saved in all.</figcaption>
  </figure>`;
}

function shares({ effects, from, later }: Blocking): Markup {
  const lines: Line[] = [
    { name: 'Frauds stopped', style: 's2', of: ({ stoppedFrauds }) => stoppedFrauds.value / later.frauds.count },
    { name: 'Good orders held', style: 's1', of: ({ refusedGoods }) => refusedGoods.value / later.goods.count },
  ];
  const y = linearScale([0, 1], [BOX.height - BOX.bottom, BOX.top]);
  const yAxis = { scale: y, ticks: SHARES, say: (share: number) => percent(share), label: 'Share of all such orders' };
  return html`<figure><h3>Orders stopped and held</h3>${picture('Orders stopped and held', { effects, from, lines, y, yAxis })}</figure>`;
}

function picture(
  label: string,
  {
    effects,
    from,
    lines,
    y,
    yAxis,
    under,
  }: {
    readonly effects: readonly EffectOfPoints[];
    readonly from: number | null;
    readonly lines: readonly Line[];
    readonly y: Scale;
    readonly yAxis: Parameters<typeof axes>[2];
    readonly under?: Markup;
  },
): Markup {
  const effect = effectAt(effects, from ?? MAX_POINTS);
  const words = lines.map(({ name, of }) => `${name} ${yAxis.say(of(effect))}`).join('; ');
  const at = place(X(from ?? MAX_POINTS));
  const draw = ({ of }: Line): string =>
    toLine(ends(effects).map(({ points, effect: one }) => [X(points), y(of(one))]));
  return html`${drawing(
    BOX,
    `${label}, by the number of Points. From ${from ?? MAX_POINTS} Points: ${words}.`,
    html`${axes(BOX, X_AXIS, yAxis)}${under}
    ${[...lines]
      .reverse()
      .map((one) => html`<path class="curve ${one.style}" d="${draw(one)}" ${strokeOf(lines.indexOf(one))}/>`)}
    <line class="truth mark" data-chosen x1="${at}" x2="${at}" y1="${BOX.top}" y2="${BOX.height - BOX.bottom}"/>`,
  )}${legend(lines.map(({ name, style }, index) => ({ style, name, line: strokeOf(index) })))}`;
}

function certainty({ blocking, splitAt }: OrdersReport): Markup {
  const { weeks, earlier } = blocking;
  const first = earlier.frauds.count + earlier.goods.count;
  return html`<section>
    <h2>How sure are the figures?</h2>
    <ul>
      <li>The number of Points was chosen on the ${rounded(first)} orders (${rounded(earlier.frauds.count)} frauds) before
        ${day(splitAt)}. The figures are about the orders from then on, which had no part in the choice.</li>
      <li>The ranges are 95 % intervals of a bootstrap: the figures were computed 200 times from
        ${weeks > 0 ? `${weeks} weeks, drawn anew each time` : 'orders, drawn anew each time'}. They show what chance
        does, not how the future differs from the past.</li>
      <li>If you choose another number with the slider because it looks best, expect a little less of it.</li>
    </ul>
  </section>`;
}
