import { line } from 'd3-shape';
import type { ModelResult, Point } from '../result.ts';
import { axes, drawing, type Axis, type Box } from './frame.ts';
import { drawKey } from './key.ts';
import { html, type Markup } from './markup.ts';
import { isNumber, place } from './numbers.ts';
import { colourOf, dashOf, weightOf } from './series.ts';

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

/** Width of the baseline's name, in units of the drawing. */
const NOTE = 80;

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
  const draw = line<Point>().digits(1);
  const [from, to, note] = [toPlace(baseline.from), toPlace(baseline.to), toPlace(baseline.at)];
  const rows = ranked.map((row) => ({ index: row.index, name: row.name, figure: curves.say(row.value) }));
  const { key, taller } = drawKey(box, rows, [
    ...lines.map(({ path }) => path),
    [from, to],
    [[note[0] - NOTE, note[1]], note],
  ]);
  // The first model is drawn last, on top of the others.
  return drawing(
    { ...box, height: box.height + taller },
    `${curves.label} ${words}.`,
    html`${axes(box, x, y)}
    <line class="ignorance" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/>
    <text class="note" x="${note[0]}" y="${note[1]}" text-anchor="end">${baseline.name}</text>
    ${[...lines].reverse().map(
      ({ index, name, value, path }) => html`<path class="line ${colourOf(index)}" d="${draw(path) ?? ''}"
        stroke-width="${weightOf(index)}" stroke-dasharray="${dashOf(index)}">
        <title>${name}: ${curves.say(value)}</title>
      </path>`,
    )}${key}`,
  );
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
