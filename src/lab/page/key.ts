import type { Point } from '../result.ts';
import type { Box } from './frame.ts';
import { html, type Markup } from './markup.ts';
import { place } from './numbers.ts';
import { colourOf, dashOf, shortName, weightOf } from './series.ts';

export interface KeyRow {
  readonly index: number;
  readonly name: string;
  /** Shown beside the name, e.g. the area under the curve. */
  readonly figure: string;
}

const ROW = 20;
const SAMPLE = 30;
const GAP = 10;

/**
 * Returns the key of a plot, best model first. The key is in a corner that `paths` leave free. Without a free corner,
 * the key is below the plot, and the drawing must be higher by `taller`. All lengths are in units of the drawing.
 */
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
    const bold = index === 0 && html` class="first"`;
    return html`<g class="${colourOf(index)}">
      <line x1="${left}" x2="${left + SAMPLE - 8}" y1="${y}" y2="${y}" stroke-width="${weightOf(index)}"
        stroke-dasharray="${dashOf(index)}"/>
      <text x="${left + SAMPLE}" y="${y}" dy=".35em"${bold}>${shortName(name)}</text>
      <text x="${place(left + width)}" y="${y}" dy=".35em" text-anchor="end"${bold}>${figure}</text>
    </g>`;
  })}</g>`;
  return { key, taller: corner === undefined ? rows.length * ROW + 8 : 0 };
}

/** Estimates the width of a text at the font size for phones, for most sans-serif fonts. */
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
  const points = paths.flatMap(pointsAlong);
  return corners.find(
    ([left, top]) =>
      !points.some(([x, y]) => x > left - 6 && x < left + width + 6 && y > top - 4 && y < top + height + 4),
  );
}

/** Returns points along a path, at most 4 units apart, to detect every segment that crosses a key. */
function pointsAlong(path: readonly Point[]): Point[] {
  return path.flatMap(([x, y], index) => {
    const [toX, toY] = path[index + 1] ?? [x, y];
    const steps = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / 4));
    return Array.from({ length: steps }, (_, step): Point => [
      x + ((toX - x) * step) / steps,
      y + ((toY - y) * step) / steps,
    ]);
  });
}
