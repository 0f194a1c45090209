import type { LabResult } from '../result.ts';
import { drawCurves } from './curves.ts';
import { figureOf, readings } from './figure.ts';
import { boxOf, horizontal, vertical } from './frame.ts';
import type { Markup } from './markup.ts';
import { figure, percent } from './numbers.ts';

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const READ_AT = [0.05, 0.1, 0.25, 0.5, 0.75, 1];

/** The precision-recall curves of all models, for label 1. */
export function precisionRecall({ models, counts }: LabResult): Markup {
  const box = boxOf(380);
  const ones = counts.judged > 0 ? counts.positives / counts.judged : 0;
  const chart = drawCurves(models, {
    box,
    x: { scale: horizontal(box, 1), ticks: TICKS, say: (share) => percent(share), label: 'Recall, % of all ones' },
    y: {
      scale: vertical(box, 1),
      ticks: TICKS,
      say: (share) => percent(share),
      label: 'Precision, % ones among those above the threshold',
    },
    pointsOf: (model) => model.precisionRecall,
    valueOf: (model) => model.prAuc.value,
    say: (value) => figure(value),
    ignorance: {
      from: [0, ones],
      to: [1, ones],
      name: `chance: ${percent(ones)}`,
      at: [0.985, ones - 0.05 > 0.02 ? ones - 0.05 : ones + 0.02],
    },
    label:
      'Precision-recall curves: share of ones among those above the threshold against share of all ones found. Average precision,',
  });
  const read = { name: 'Recall', places: READ_AT, say: (share: number) => percent(share) };
  return figureOf(
    'Precision and recall of ones',
    chart,
    'How to read this: going right, the threshold falls and more of all ones are found; the height says how many of those then warned of are ones.',
    readings(
      models,
      read,
      (model) => model.precisionRecall,
      (share) => percent(share, 1),
    ),
  );
}
