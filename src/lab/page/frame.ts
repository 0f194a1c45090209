import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { html, type Hole, type Markup } from './markup.ts';
import { place } from './numbers.ts';

/** A drawing and the margins around its plot, in units of its viewBox. */
export interface Box {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Axis {
  /** From values to places in the drawing. */
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
  readonly say: (value: number) => string;
  /** What is measured, with its unit. */
  readonly label: string;
}

/** All drawings are one column wide, so that their text has one size. */
export const WIDTH = 380;

/** The margins leave room for the larger text of a phone. */
export function boxOf(height: number, other: Partial<Box> = {}): Box {
  return { width: WIDTH, height, top: 32, right: 22, bottom: 50, left: 46, ...other };
}

export function horizontal(box: Box, most: number): ScaleLinear<number, number> {
  return scaleLinear([0, most], [box.left, box.width - box.right]);
}

export function vertical(box: Box, most: number): ScaleLinear<number, number> {
  return scaleLinear([0, most], [box.height - box.bottom, box.top]);
}

/** The drawing as one image to a screen reader, which hears `label`. */
export function drawing(box: Box, label: string, inside: Hole): Markup {
  return html`<svg class="chart" viewBox="0 0 ${box.width} ${box.height}" role="img" aria-label="${label}">${inside}</svg>`;
}

/** Both axes: lines across only for y, names at the ends, where they need no turning. */
export function axes(box: Box, x: Axis, y: Axis): Markup {
  const right = box.width - box.right;
  const bottom = box.height - box.bottom;
  return html`<g class="axes">${y.ticks.map((tick) => {
    const at = place(y.scale(tick));
    return html`<line class="${tick === 0 ? 'base' : 'rule'}" x1="${box.left}" x2="${right}" y1="${at}" y2="${at}"/><text class="tick" x="${box.left - 7}" y="${at}" dy=".35em" text-anchor="end">${y.say(tick)}</text>`;
  })}${below(box, x, bottom)}<text class="name" x="2" y="15">${y.label}</text></g>`;
}

/** The axis of x alone, under the line at `bottom`. */
export function below(box: Box, x: Axis, bottom: number): Markup {
  return html`${x.ticks.map((tick) => {
    const at = place(x.scale(tick));
    return html`<line class="base" x1="${at}" x2="${at}" y1="${bottom}" y2="${bottom + 5}"/><text class="tick" x="${at}" y="${bottom + 19}" text-anchor="middle">${x.say(tick)}</text>`;
  })}<text class="name" x="${box.width - box.right}" y="${box.height - 8}" text-anchor="end">${x.label}</text>`;
}
