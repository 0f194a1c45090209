import type { LabResult, ModelResult, Point } from '../result.ts';
import { boxOf, figureOf, horizontal, SHARES, vertical, type Axis } from './chart.ts';
import { drawCurves, readCurve, readings, type Curves } from './curves.ts';
import { html, type Markup } from './markup.ts';
import { figure, isNumber, percent, times } from './numbers.ts';

/** Share of the queries, from the top, whose lift is shown beside the model's name. */
const NAMED_SHARE = 0.1;

const BOX = boxOf(380);

/** Returns the curves that depend only on the order of the queries; undefined without such curves. */
export function ranking(result: LabResult): Markup | undefined {
  const { models } = result;
  const curves = [
    models.some((model) => model.roc.length > 0) && roc(models),
    models.some((model) => model.precisionRecall.length > 0) && precisionRecall(result),
    models.some((model) => model.lift.length > 0) && lift(models),
  ].filter((figure) => figure !== false);
  if (curves.length === 0) return undefined;
  return html`<section><h2>Do positives rank first?</h2><div class="grid">${curves}</div></section>`;
}

function roc(models: readonly ModelResult[]): Markup {
  const pointsOf = (model: ModelResult): readonly Point[] => model.roc;
  return figureOf(
    'ROC curve',
    drawCurves(models, {
      ...shares('False positive rate, % of negatives', 'True positive rate, % of positives'),
      pointsOf,
      valueOf: (model) => model.rocAuc.value,
      say: (value) => figure(value),
      baseline: { from: [0, 0], to: [1, 1], name: 'chance', at: [0.985, 0.79] },
      label: 'ROC curves: true positive rate against false positive rate. Area under the curve,',
    }),
    'How to read this: each point is a threshold. A curve closer to the top left corner finds more positives for the same share of negatives.',
    readings(models, at('False positive rate', [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]), pointsOf, (share) =>
      percent(share, 1),
    ),
  );
}

function precisionRecall({ models, counts }: LabResult): Markup {
  const pointsOf = (model: ModelResult): readonly Point[] => model.precisionRecall;
  const positives = counts.judged > 0 ? counts.positives / counts.judged : 0;
  return figureOf(
    'Precision and recall',
    drawCurves(models, {
      ...shares('Recall, % of all positives', 'Precision, % positives at or above the threshold'),
      pointsOf,
      valueOf: (model) => model.prAuc.value,
      say: (value) => figure(value),
      baseline: {
        from: [0, positives],
        to: [1, positives],
        name: `chance: ${percent(positives)}`,
        at: [0.985, positives - 0.05 > 0.02 ? positives - 0.05 : positives + 0.02],
      },
      label:
        'Precision-recall curves: share of positives at or above the threshold against share of all positives found. Average precision,',
    }),
    'How to read this: to the right, the threshold falls and more positives are found. The height is the share of positives among the queries at or above the threshold.',
    readings(models, at('Recall', [0.05, 0.1, 0.25, 0.5, 0.75, 1]), pointsOf, (share) => percent(share, 1)),
  );
}

function lift(models: readonly ModelResult[]): Markup {
  const pointsOf = (model: ModelResult): readonly Point[] => model.lift;
  const say = (value: number | undefined): string => `${times(value)}×`;
  const heights = models.flatMap((model) => model.lift.map(([, height]) => height)).filter(isNumber);
  const y = vertical(
    BOX,
    heights.reduce((most, height) => Math.max(most, height), 1.5),
  ).nice(4);
  return figureOf(
    'Lift',
    drawCurves(models, {
      ...shares('Highest scores, % of all queries', ''),
      y: {
        scale: y,
        ticks: y.ticks(4),
        say: (height) => `${height}×`,
        label: 'Lift, × the overall share of positives',
      },
      pointsOf,
      valueOf: (model) => readCurve(model.lift, NAMED_SHARE),
      say,
      baseline: { from: [0, 1], to: [1, 1], name: 'chance', at: [0.985, 1 - 0.05 * Math.max(...y.domain)] },
      label:
        'Lift curves: share of positives among the queries with the highest scores, divided by the overall share. In the top tenth,',
    }),
    'How to read this: the number beside a name is the lift of the tenth of queries with the highest scores. A lift of 3× means three times the overall share of positives.',
    readings(models, at('Highest scores', [0.01, 0.05, 0.1, 0.2, 0.5, 1]), pointsOf, say),
  );
}

function shares(x: string, y: string): Pick<Curves, 'box' | 'x' | 'y'> {
  const axis = (label: string, scale: Axis['scale']): Axis => ({
    scale,
    ticks: SHARES,
    say: (share) => percent(share),
    label,
  });
  return { box: BOX, x: axis(x, horizontal(BOX, 1)), y: axis(y, vertical(BOX, 1)) };
}

function at(name: string, places: readonly number[]): Parameters<typeof readings>[1] {
  return { name, places, say: (share) => percent(share) };
}
