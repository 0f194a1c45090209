import type { ModelResult } from '../result.ts';
import { drawCurves } from './curves.ts';
import { figureOf, readings } from './figure.ts';
import { boxOf, horizontal, vertical } from './frame.ts';
import type { Markup } from './markup.ts';
import { isNumber, percent, times } from './numbers.ts';
import { readCurve } from './read-curve.ts';

const READ_AT = [0.01, 0.05, 0.1, 0.2, 0.5, 1];

/** The share of queries whose lift is named beside the line. */
const NAMED = 0.1;

/** The lift curves of all models. */
export function lift(models: readonly ModelResult[]): Markup {
  const box = boxOf(380);
  const heights = models.flatMap((model) => model.lift.map(([, height]) => height)).filter(isNumber);
  const y = vertical(
    box,
    heights.reduce((most, height) => Math.max(most, height), 1.5),
  ).nice(4);
  const chart = drawCurves(models, {
    box,
    x: {
      scale: horizontal(box, 1),
      ticks: [0, 0.25, 0.5, 0.75, 1],
      say: (share) => percent(share),
      label: 'Queries taken from the top, % of queries',
    },
    y: {
      scale: y,
      ticks: y.ticks(4),
      say: (height) => `${height}×`,
      label: 'Lift, times as many ones as in all queries',
    },
    pointsOf: (model) => model.lift,
    valueOf: (model) => readCurve(model.lift, NAMED),
    say: (value) => `${times(value)}×`,
    ignorance: { from: [0, 1], to: [1, 1], name: 'chance', at: [0.985, 1 - 0.05 * y.domain()[1]!] },
    label: 'Lift curves: times as many ones among the queries taken from the top as among all. In the top tenth,',
  });
  const read = { name: 'From the top', places: READ_AT, say: (share: number) => percent(share) };
  return figureOf(
    'Lift: what the top of the list is worth',
    chart,
    'How to read this: among the tenth of queries with the highest scores there are as many times more ones than on average as the number beside the name says.',
    readings(
      models,
      read,
      (model) => model.lift,
      (value) => `${times(value)}×`,
    ),
  );
}
