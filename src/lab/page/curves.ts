import type { ModelResult, Point } from '../result.ts';
import { axes, colourOf, drawing, legend, strokeOf, type Axis, type Box, type Numbers } from './chart.ts';
import { toLine } from './scale.ts';
import { html, type Markup } from './markup.ts';
import { isNumber, place } from './numbers.ts';

export interface Curves {
  readonly box: Box;
  readonly x: Axis;
  readonly y: Axis;
  readonly pointsOf: (model: ModelResult) => readonly Point[];
  /** The figure beside a model's name. Models are ranked by it; models without a figure come last. */
  readonly valueOf: (model: ModelResult) => number | undefined;
  readonly say: (value: number | undefined) => string;
  /** The straight line of a score without information: both ends, its name, and the point where the name ends. */
  readonly baseline: { readonly from: Point; readonly to: Point; readonly name: string; readonly at: Point };
  /** Describes the chart for screen readers. The models' figures follow it. */
  readonly label: string;
}

/** Points closer than this, in units of the drawing, look like one point. */
const FINEST = 0.5;

export function drawCurves(models: readonly ModelResult[], curves: Curves): Markup {
  const { box, x, y, baseline } = curves;
  const toPlace = ([across, up]: Point): Point => [place(x.scale(across)), place(y.scale(up))];
  const lines = models
    .map((model, index) => ({
      index,
      name: model.name,
      value: curves.valueOf(model),
      path: simplify(curves.pointsOf(model), x, y),
    }))
    .filter(({ path }) => path.length > 0);
  const ranked = [...lines].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.index - b.index);
  const words = ranked.map(({ name, value }) => `${name}: ${curves.say(value)}`).join('; ');
  const [from, to, note] = [toPlace(baseline.from), toPlace(baseline.to), toPlace(baseline.at)];
  const key = ranked.map(({ index, name, value }) => ({
    style: colourOf(index),
    line: strokeOf(index),
    name: html`${index === 0 ? html`<b>${name}</b>` : name} ${curves.say(value)}`,
  }));
  // The first model is drawn last, on top of the others.
  const drawn = drawing(
    box,
    `${curves.label} ${words}.`,
    html`${axes(box, x, y)}
    <line class="ignorance" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/>
    <text class="note" x="${note[0]}" y="${note[1]}" text-anchor="end">${baseline.name}</text>
    ${[...lines].reverse().map(
      ({ index, name, value, path }) => html`<path class="curve ${colourOf(index)}" d="${toLine(path)}"
        ${strokeOf(index)}><title>${name}: ${curves.say(value)}</title></path>`,
    )}`,
  );
  return html`${drawn}${legend(key)}`;
}

/** Drops points that look the same as a kept point, so that the page is short. */
function simplify(points: readonly Point[], x: Axis, y: Axis): Point[] {
  const kept: Point[] = [];
  const places = points
    .filter((point) => point.every(isNumber))
    .map(([across, up]): Point => [x.scale(across), y.scale(up)]);
  for (const [index, point] of places.entries()) {
    const last = kept.at(-1);
    const near = last !== undefined && Math.hypot(point[0] - last[0], point[1] - last[1]) < FINEST;
    if (!near || index === places.length - 1) kept.push(point);
  }
  return kept;
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
