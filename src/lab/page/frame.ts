import { scaleLinear, type ScaleLinear } from 'd3-scale';
import { html, type Hole, type Markup } from './markup.ts';
import { place } from './numbers.ts';

export interface Box {
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Axis {
  /** Maps values to coordinates of the drawing. */
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
  readonly say: (value: number) => string;
  /** The quantity with its unit. */
  readonly label: string;
}

/** All drawings are one column wide, so their text has the same size. */
export const WIDTH = 380;

/** Returns a box. Its margins leave room for the larger text on phones. */
export function boxOf(height: number, other: Partial<Box> = {}): Box {
  return { width: WIDTH, height, top: 32, right: 22, bottom: 50, left: 46, ...other };
}

export function horizontal(box: Box, most: number): ScaleLinear<number, number> {
  return scaleLinear([0, most], [box.left, box.width - box.right]);
}

export function vertical(box: Box, most: number): ScaleLinear<number, number> {
  return scaleLinear([0, most], [box.height - box.bottom, box.top]);
}

/** Returns a drawing as one image. Screen readers read `label`. */
export function drawing(box: Box, label: string, inside: Hole): Markup {
  const viewBox = `0 0 ${box.width} ${box.height}`;
  return html`<svg class="chart" viewBox="${viewBox}" role="img" aria-label="${label}">${inside}</svg>`;
}

/** Returns both axes, with horizontal grid lines. The labels are at the ends, where they need no rotation. */
export function axes(box: Box, x: Axis, y: Axis): Markup {
  const right = box.width - box.right;
  const bottom = box.height - box.bottom;
  return html`<g class="axes">
    ${y.ticks.map((tick) => {
      const at = place(y.scale(tick));
      return html`<line class="${tick === 0 ? 'base' : 'rule'}" x1="${box.left}" x2="${right}" y1="${at}" y2="${at}"/>
        <text class="tick" x="${box.left - 7}" y="${at}" dy=".35em" text-anchor="end">${y.say(tick)}</text>`;
    })}
    ${xAxis(box, x, bottom)}
    <text class="name" x="2" y="15">${y.label}</text>
  </g>`;
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
