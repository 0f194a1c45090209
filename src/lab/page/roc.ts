import type { ModelResult } from '../result.ts';
import { drawCurves } from './curves.ts';
import { figureOf, readings } from './figure.ts';
import { boxOf, horizontal, vertical } from './frame.ts';
import type { Markup } from './markup.ts';
import { figure, percent } from './numbers.ts';

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const READ_AT = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];

/** The ROC curves of all models. */
export function roc(models: readonly ModelResult[]): Markup {
  const box = boxOf(380);
  const chart = drawCurves(models, {
    box,
    x: {
      scale: horizontal(box, 1),
      ticks: TICKS,
      say: (share) => percent(share),
      label: 'Zeros above the threshold, % of zeros',
    },
    y: {
      scale: vertical(box, 1),
      ticks: TICKS,
      say: (share) => percent(share),
      label: 'Ones above the threshold, % of ones',
    },
    pointsOf: (model) => model.roc,
    valueOf: (model) => model.rocAuc.value,
    say: (value) => figure(value),
    ignorance: { from: [0, 0], to: [1, 1], name: 'chance', at: [0.985, 0.79] },
    label: 'ROC curves: share of ones above the threshold against share of zeros above it. Area under the curve,',
  });
  const read = { name: 'Zeros above', places: READ_AT, say: (share: number) => percent(share) };
  return figureOf(
    'ROC: ones found, zeros bothered',
    chart,
    'How to read this: each point is a threshold; the nearer a line comes to the top left corner, the more ones it finds for the same share of zeros above it.',
    readings(
      models,
      read,
      (model) => model.roc,
      (share) => percent(share, 1),
    ),
  );
}
