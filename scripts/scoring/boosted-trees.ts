// Gradient-boosted trees: Yggdrasil Decision Forests, compiled to WebAssembly (decision 83).
import createYdf from 'ydf-training';
import { shuffled } from './shuffled.ts';

export interface FittedTrees {
  /** Returns the chance of label 1 for each row, 0 to 1. Throws after {@link free}. */
  predict(rows: readonly (readonly number[])[]): number[];
  /** Frees the memory of the trees, which WebAssembly does not collect. */
  free(): void;
}

/**
 * Trains on rows of equal length. The seed selects the rows by which the library stops early: the same rows with the
 * same seed give the same trees.
 *
 * @throws RangeError without rows of both labels.
 */
export type TrainBoosted = (
  rows: readonly (readonly number[])[],
  labels: readonly (0 | 1)[],
  seed: number,
) => FittedTrees;

const LABEL = 'label';
const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

export async function loadBoostedTrees(): Promise<{ readonly train: TrainBoosted }> {
  // The loader adds listeners that end the process on any error. They are removed again.
  const before = EVENTS.map((event) => process.listeners(event as 'uncaughtException'));
  const silent = (): void => {};
  const ydf = await createYdf({ print: silent, printErr: silent });
  for (const [i, event] of EVENTS.entries())
    for (const listener of process.listeners(event as 'uncaughtException'))
      if (!before[i]!.includes(listener)) process.off(event, listener);

  return {
    train(rows, labels, seed) {
      if (!labels.includes(0) || !labels.includes(1))
        throw new RangeError('"labels" expected both labels, got only one');
      const order = shuffled(
        rows.map((_, at) => at),
        seed,
      );
      const model = new ydf.GradientBoostedTreesLearner(LABEL, 'CLASSIFICATION').train({
        ...columnsOf(order.map((at) => rows[at]!)),
        // A column of text is a class. Numbers would be a regression.
        [LABEL]: order.map((at) => `is ${labels[at]!}`),
      });
      // The library sorts classes by their frequency and returns the chance of the second one.
      const isReversed = model.getLabelClasses()[1] === 'is 0';
      return {
        predict: (asked) => {
          const chances = model.predict(columnsOf(asked));
          return isReversed ? chances.map((chance) => 1 - chance) : chances;
        },
        free: () => model.unload(),
      };
    },
  };
}

function columnsOf(rows: readonly (readonly number[])[]): Record<string, number[]> {
  return Object.fromEntries((rows[0] ?? []).map((_, at) => [`f${at}`, rows.map((row) => row[at]!)]));
}
