import { formatWhole } from '../../core/domain/text.ts';
import { html, type Hole, type Markup } from './markup.ts';
import { isNumber, place } from './numbers.ts';
import { linearScale, type Scale } from './scale.ts';

// The charts of all pages. A drawing has units, and its text shrinks with it. A plot and bars fill their width: places
// across are percentages, heights are pixels, and HTML has the text. Classes give the colours (style.ts).

export interface Numbers {
  readonly head: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly (string | number)[])[];
  /** How the numbers were computed, if this is not obvious. */
  readonly note?: string;
  /** What opens the table. Default: `The numbers`. */
  readonly open?: string;
}

/** Returns a table that scrolls in its own box. `style` is its class, and `label` is for screen readers. */
export function tableOf(style: string, label: string, { head, rows }: Numbers, caption?: Hole): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="${style}">
    ${caption !== undefined && html`<caption>${caption}</caption>`}
    <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      ([first, ...others]) =>
        html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;
}

/** Returns the numbers as a collapsed table, for readers who cannot see the chart or want to copy them. */
export function numbersOf(title: string, numbers: Numbers): Markup {
  const caption = html`${title}${numbers.note !== undefined && html`. ${numbers.note}`}`;
  return html`<details class="numbers"><summary>${numbers.open ?? 'The numbers'}</summary>
    ${tableOf('dense', `${title}: ${numbers.open ?? 'numbers'}`, numbers, caption)}</details>`;
}

export function figureOf(title: string, chart: Hole, reading: string, numbers: Numbers): Markup {
  return html`<figure><h3>${title}</h3>${chart}<figcaption>${reading}</figcaption>${numbersOf(title, numbers)}</figure>`;
}

/** What a class of the style stands for. */
export interface LegendEntry {
  readonly style: string;
  readonly name: Hole;
  /** The attributes of a line, if it stands for one. */
  readonly line?: Markup;
}

/** Returns which class stands for what, for readers who see the chart. */
export function legend(entries: readonly LegendEntry[], note?: string): Markup {
  return html`<ul class="swatches quiet" aria-hidden="true">${entries.map(
    ({ style, name, line }) => html`<li><svg class="${style}" width="${line ? 24 : 14}" height="14" aria-hidden="true">
        ${
          line
            ? html`<line class="curve" x1="0" x2="24" y1="7" y2="7" ${line}/>`
            : html`<rect x="1" y="1" width="12" height="12" rx="2"/>`
        }
      </svg> <span>${name}</span></li>`,
  )}${note !== undefined && html`<li>${note}</li>`}</ul>`;
}

/** Returns a share from 0 to 1 as a length of SVG. */
export function toPercent(share: number): string {
  return `${place(100 * Math.max(0, Math.min(1, share)))}%`;
}

/** One line of {@link bars}. */
export interface Bar {
  readonly name: string;
  /** The main number in words, such as `12 points`. */
  readonly value: string;
  /** Lengths of its parts from the left, by the class of their colour. */
  readonly parts: Readonly<Record<string, number>>;
  /** What the bar shows, in words: screen readers skip the bar. */
  readonly words: string;
}

/** Returns bars with a name, a number and words. `most` is the value of the full width. */
export function bars(all: readonly Bar[], most: number): Markup {
  return html`<ul class="bars">${all.map(({ name, value, parts, words }) => {
    let from = 0;
    return html`<li>
      <p class="bar-name"><span>${name}</span> <b>${value}</b></p>
      <svg width="100%" height="16" aria-hidden="true">
        <rect class="track" width="100%" height="16"/>
        ${Object.entries(parts).map(([style, length]) => {
          const x = toPercent(from / most);
          from += length;
          if (length <= 0) return html``;
          return html`<rect class="${style}" x="${x}" width="${toPercent(length / most)}" height="16"/>`;
        })}
      </svg>
      <p class="quiet">${words}</p>
    </li>`;
  })}</ul>`;
}

/** One picture of {@link plot}. */
export interface Plot {
  /** What is shown, above the picture. */
  readonly name?: string | undefined;
  /** Height in CSS pixels. */
  readonly height: number;
  /** Labels of the horizontal lines, from the top to the bottom. */
  readonly scale: readonly (string | number)[];
  readonly marks: readonly Markup[];
  /** Space of the outer lines to the edge, in CSS pixels, for marks that lie on them. */
  readonly margin?: number;
}

/** Returns pictures below each other, with `ends` below the last one. `label` says all to screen readers. */
export function plot(label: string, pictures: readonly Plot[], ends: readonly string[]): Markup {
  return html`<div class="plot" role="img" aria-label="${label}">
    ${pictures.map(({ name, height, scale, marks, margin = 0.5 }) => {
      const step = (height - 2 * margin) / (scale.length - 1);
      return html`${name !== undefined && html`<p class="plot-name quiet">${name}</p>`}
        <div class="plot-scale quiet">${scale.map((words) => html`<span>${words}</span>`)}</div>
        <svg width="100%" height="${height}" aria-hidden="true">
          ${scale.map((_, at) => {
            const y = place(margin + at * step);
            return html`<line class="rule" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
          })}
          ${marks}
        </svg>`;
    })}
    <p class="plot-ends quiet">${ends.map((words) => html`<span>${words}</span>`)}</p>
  </div>`;
}

/** Values by place from the left. Series of one column are above each other, the first one at the bottom. */
export interface Series {
  /** Name in the legend and in the table of numbers. */
  readonly name: string;
  /** Class of the colour. */
  readonly style: string;
  readonly values: readonly number[];
}

/** Height of a value above zero next to a large one, in CSS pixels. */
const MIN_HEIGHT = 2;

/** Returns the columns of a picture. `most` is the value at its top. */
export function columns(series: readonly Series[], most: number, height: number): Markup[] {
  const { length } = series[0]?.values ?? [];
  return Array.from({ length }, (_, at) => {
    let top = height;
    return series.flatMap(({ style, values }) => {
      const value = values[at]!;
      if (value === 0) return [];
      const tall = Math.min(Math.max(MIN_HEIGHT, (value / most) * height), top);
      top -= tall;
      return html`<rect class="${style}" x="${toPercent((at + 0.12) / length)}" width="${toPercent(0.76 / length)}"
        y="${place(top)}" height="${place(tall)}"/>`;
    });
  }).flat();
}

/**
 * Returns columns with their legend and numbers. `labels` name the columns; three of them are below the picture. If all
 * values are 0, returns `none` only, a sentence.
 */
export function columnChart(
  summary: string,
  {
    of,
    labels,
    series,
    none,
  }: {
    readonly of: string;
    readonly labels: readonly string[];
    readonly series: readonly Series[];
    readonly none: string;
  },
): Markup {
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + values[at]!, 0));
  if (sums.every((sum) => sum === 0)) return html`<p class="quiet">${none}</p>`;
  const most = toCeiling(Math.max(...sums));
  const [name, isOne] = [series[0]?.name, series.length === 1];
  return html`<figure>
    ${!isOne && legend(series)}
    ${plot(
      summary,
      [
        {
          name: isOne ? name : undefined,
          height: 140,
          scale: [formatWhole(most), 0],
          marks: columns(series, most, 140),
        },
      ],
      [labels[0], labels[Math.floor(labels.length / 2)], labels.at(-1)].map(String),
    )}
    ${numbersOf(summary, {
      head: [of, ...series.map((one) => one.name)],
      rows: labels.map((label, at) => [label, ...series.map(({ values }) => formatWhole(values[at]!))]),
    })}
  </figure>`;
}

const WHOLE_STEPS = [1, 2, 3, 4, 5, 6, 8, 10];

/** Returns a round number that is not below `most`, and at least 1: the top of a picture. */
export function toCeiling(max: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, max)));
  const steps = unit === 1 ? WHOLE_STEPS : [1, 1.5, ...WHOLE_STEPS];
  return steps.map((times) => times * unit).find((top) => top >= max)!;
}

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Axis {
  readonly scale: Scale;
  readonly ticks: readonly number[];
  readonly say: (value: number) => string;
  /** The quantity with its unit. */
  readonly label: string;
}

/** Shares that are marked on an axis. */
export const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** All drawings are one column wide, so their text has the same size. */
export const WIDTH = 380;

/** Returns a box. Its margins leave room for the larger text on phones. */
export function boxOf(height: number, other: Partial<Box> = {}): Box {
  return { width: WIDTH, height, top: 32, right: 22, bottom: 50, left: 46, ...other };
}

export function horizontal(box: Box, max: number): Scale {
  return linearScale([0, max], [box.left, box.width - box.right]);
}

export function vertical(box: Box, max: number): Scale {
  return linearScale([0, max], [box.height - box.bottom, box.top]);
}

/** Returns a drawing as one image. Screen readers read `label`. */
export function drawing({ width, height }: Pick<Box, 'width' | 'height'>, label: string, inside: Hole): Markup {
  const viewBox = `0 0 ${width} ${height}`;
  return html`<svg class="drawing" viewBox="${viewBox}" role="img" aria-label="${label}">${inside}</svg>`;
}

/** Returns both axes, with horizontal grid lines. The labels are at the ends, where they need no rotation. */
export function axes(box: Box, x: Axis, y: Axis): Markup {
  return html`<g class="axes">
    ${yAxis(box, y)}
    ${xAxis(box, x, box.height - box.bottom)}
    <text class="name" x="2" y="15">${y.label}</text>
  </g>`;
}

/** Returns horizontal grid lines with their ticks. */
export function yAxis(box: Box, { scale, ticks, say }: Omit<Axis, 'label'>): Markup[] {
  return ticks.map((tick) => {
    const at = place(scale(tick));
    const style = tick === 0 ? 'base' : 'rule';
    return html`<line class="${style}" x1="${box.left}" x2="${box.width - box.right}" y1="${at}" y2="${at}"/>
      <text class="tick" x="${box.left - 7}" y="${at}" dy=".35em" text-anchor="end">${say(tick)}</text>`;
  });
}

/** Returns the x axis only, with its ticks below the line at `bottom`. */
export function xAxis(box: Box, x: Axis, bottom: number): Markup {
  const [right, end] = [box.width - box.right, box.height - 8];
  return html`${x.ticks.map((tick) => {
    const at = place(x.scale(tick));
    return html`<line class="base" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 5}"/>
      <text class="tick" x="${at}" y="${bottom + 19}" text-anchor="middle">${x.say(tick)}</text>`;
  })}
  <text class="name" x="${right}" y="${end}" text-anchor="end">${x.label}</text>`;
}

/** Returns vertical lines over the whole height, with ticks below. Values are compared to the line at `strong`. */
export function xRules(
  scale: Scale,
  ticks: readonly number[],
  floor: number,
  strong: number,
  say: Axis['say'],
): Markup[] {
  return ticks.map((tick) => {
    const at = place(scale(tick));
    const [style, anchor] = at < 10 ? ['base', 'start'] : [tick === strong ? 'truth' : 'rule', 'middle'];
    return html`<line class="${style}" x1="${at}" x2="${at}" y1="0" y2="${floor}"/>
      <text class="tick${tick === strong && ' strong'}" x="${at}" y="${floor + 16}"
        text-anchor="${anchor}">${say(tick)}</text>`;
  });
}

/** Returns the value of an estimate as a dot on its interval, upright. */
export function whisker(
  at: number,
  y: Scale,
  { value, low, high }: { readonly value: number; readonly low: number; readonly high: number },
): Markup {
  return html`<line class="whisker" x1="${at}" x2="${at}" y1="${place(y(low))}" y2="${place(y(high))}"/>
    <circle class="dot" cx="${at}" cy="${place(y(value))}" r="4.5"/>`;
}

/** Height of the bars of counts below a chart, and of the space for their title. */
const COUNTS = 44;
const ROOM = 28;

/** Returns a box with space for {@link countBars} at its bottom. */
export function withCounts(box: Box): Box {
  return { ...box, bottom: box.bottom + COUNTS + ROOM };
}

/** Returns one bar of counts below a chart, from `left` to `right`. */
export function countBar({ height }: Box, left: number, right: number, share: number): Markup {
  const tall = place(share * COUNTS);
  return html`<rect class="bar" x="${place(left)}" y="${place(height - 50 - tall)}" width="${place(right - left)}"
    height="${tall}"/>`;
}

/** Returns the line below the bars of counts, and their title. */
export function countAxis({ left, right, width, height }: Box, title: string): Markup {
  const floor = height - 50;
  return html`<line class="base" x1="${left}" x2="${width - right}" y1="${floor}" y2="${floor}"/>
    <text class="note" x="${left}" y="${floor - COUNTS - 8}">${title}</text>`;
}

/** The first line is solid. The patterns of the others differ even when printed in grey. */
const DASHES = ['', '8 4', '2 3', '10 3 2 3', '5 2'];
const COLOURS = 6;

/** Returns the class that gives a model its colour, the same in every chart. */
export function colourOf(index: number): string {
  return `s${index % COLOURS}`;
}

/** Returns the attributes of a model's line. The first model has the heavier line. */
export function strokeOf(index: number): Markup {
  return html`stroke-width="${index === 0 ? 2.6 : 1.8}" stroke-dasharray="${DASHES[index % DASHES.length] ?? ''}"`;
}

/** Cuts a name that is too long for a chart. The tables show it in full. */
export function shortName(name: string, maxCharacters = 22): string {
  const characters = [...name];
  return characters.length <= maxCharacters ? name : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** True if the value and both ends of its interval are known. */
export function isKnown<T extends { readonly value: number; readonly low: number; readonly high: number }>(
  estimate: T | undefined,
): estimate is T {
  return estimate !== undefined && [estimate.value, estimate.low, estimate.high].every(isNumber);
}
