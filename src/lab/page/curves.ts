import { line } from 'd3-shape';
import type { ModelResult, Point } from '../result.ts';
import { axes, drawing, type Axis, type Box } from './frame.ts';
import { drawKey } from './key.ts';
import { html, type Markup } from './markup.ts';
import { isNumber, place } from './numbers.ts';
import { colourOf, dashOf, weightOf } from './series.ts';

/** One line a model, in one plot. */
export interface Curves {
  readonly box: Box;
  readonly x: Axis;
  readonly y: Axis;
  readonly pointsOf: (model: ModelResult) => readonly Point[];
  /** Said beside the model's name, and what ranks the names; a model without one comes last. */
  readonly valueOf: (model: ModelResult) => number | undefined;
  readonly say: (value: number | undefined) => string;
  /** What a score that knows nothing would draw: a straight line, its name, and where the name ends. */
  readonly ignorance: { readonly from: Point; readonly to: Point; readonly name: string; readonly at: Point };
  /** The chart in words; the models' figures follow. */
  readonly label: string;
}

/** Points closer to each other than this, in units of the drawing, are one to the eye. */
const FINEST = 0.5;

/** Room that the name of the straight line takes. */
const NOTE = 80;

export function drawCurves(models: readonly ModelResult[], curves: Curves): Markup {
  const { box, x, y } = curves;
  const lines = models
    .map((model, index) => ({
      index,
      name: model.name,
      value: curves.valueOf(model),
      path: thin(curves.pointsOf(model), x, y),
    }))
    .filter(({ path }) => path.length > 0);
  const ranked = [...lines].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || a.index - b.index);
  const words = ranked.map(({ name, value }) => `${name}: ${curves.say(value)}`).join('; ');
  const draw = line<Point>().digits(1);
  const { name, at } = curves.ignorance;
  const [from, to, note] = [curves.ignorance.from, curves.ignorance.to, at].map(([across, up]): Point => [
    place(x.scale(across)),
    place(y.scale(up)),
  ]) as [Point, Point, Point];
  const rows = ranked.map((row) => ({ index: row.index, name: row.name, figure: curves.say(row.value) }));
  const { key, taller } = drawKey(box, rows, [
    ...lines.map(({ path }) => path),
    [from, to],
    [[note[0] - NOTE, note[1]], note],
  ]);
  // The model in question is drawn last, on top of the others.
  return drawing(
    { ...box, height: box.height + taller },
    `${curves.label} ${words}.`,
    html`${axes(box, x, y)}<line class="ignorance" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"/><text class="note" x="${note[0]}" y="${note[1]}" text-anchor="end">${name}</text>${[...lines].reverse().map(({ index, name: of, value, path }) => html`<path class="line ${colourOf(index)}" d="${draw(path) ?? ''}" stroke-width="${weightOf(index)}" stroke-dasharray="${dashOf(index)}"><title>${of}: ${curves.say(value)}</title></path>`)}${key}`,
  );
}

/** Thousands of points would make the page long and look the same. */
function thin(points: readonly Point[], x: Axis, y: Axis): Point[] {
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
