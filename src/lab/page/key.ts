import type { Point } from '../result.ts';
import type { Box } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { place } from './numbers.ts';
import { colourOf, dashOf, shortName, weightOf } from './series.ts';

export interface KeyRow {
  /** Place of the model among all. */
  readonly index: number;
  readonly name: string;
  /** Said beside the name, e.g. the area under the curve. */
  readonly figure: string;
}

const ROW = 20;
const SAMPLE = 30;
const GAP = 10;

/** Names and figures of the lines, best first, in a corner of the plot that `paths` (in units of the drawing) leave free; without such a corner below the drawing, which must then be taller. */
export function drawKey(
  box: Box,
  rows: readonly KeyRow[],
  paths: readonly (readonly Point[])[],
): { readonly key: Markup; readonly taller: number } {
  const names = Math.max(...rows.map((row) => widthOf(shortName(row.name))));
  const figures = Math.max(...rows.map((row) => widthOf(row.figure)));
  const width = SAMPLE + names + (figures > 0 ? GAP + figures : 0);
  const corner = freeCorner(box, width, rows.length * ROW, paths);
  const [left, top] = corner ?? [box.left, box.height + 4];
  const key = html`<g class="key">${rows.map(({ index, name, figure }, row) => {
    const y = place(top + (row + 0.5) * ROW);
    return html`<g class="${colourOf(index)}"><line x1="${left}" x2="${left + SAMPLE - 8}" y1="${y}" y2="${y}" stroke-width="${weightOf(index)}" stroke-dasharray="${dashOf(index)}"/><text x="${left + SAMPLE}" y="${y}" dy=".35em"${bold(index)}>${shortName(name)}</text><text x="${place(left + width)}" y="${y}" dy=".35em" text-anchor="end"${bold(index)}>${figure}</text></g>`;
  })}</g>`;
  return { key, taller: corner === undefined ? rows.length * ROW + 8 : 0 };
}

function bold(index: number): Markup | false {
  return index === 0 && html` class="first"`;
}

/** There is nothing here that could measure text; this is what most sans-serif fonts need at the size of a phone. */
function widthOf(text: string): number {
  return [...text].length * 7.8;
}

function freeCorner(box: Box, width: number, height: number, paths: readonly (readonly Point[])[]): Point | undefined {
  const [near, far] = [box.left + 12, place(box.width - box.right - 6 - width)];
  const [high, low] = [box.top + 6, place(box.height - box.bottom - 8 - height)];
  const corners: readonly Point[] = [
    [far, low],
    [far, high],
    [near, low],
    [near, high],
  ];
  const points = paths.flatMap(between);
  return corners.find(
    ([left, top]) =>
      !points.some(([x, y]) => x > left - 6 && x < left + width + 6 && y > top - 4 && y < top + height + 4),
  );
}

/** The points of a path and some along its long stretches, close enough that none jumps over a key. */
function between(path: readonly Point[]): Point[] {
  return path.flatMap(([x, y], index) => {
    const [toX, toY] = path[index + 1] ?? [x, y];
    const steps = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / 4));
    return Array.from({ length: steps }, (_, step): Point => [
      x + ((toX - x) * step) / steps,
      y + ((toY - y) * step) / steps,
    ]);
  });
}
