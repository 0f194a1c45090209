// Compares the model with boosted trees, each family with trees that were trained on the other families.
import type { TrainBoosted } from './boosted-trees.ts';
import { FEATURES } from './features.ts';
import { isHeldOut } from './families.ts';
import type { FeatureSample } from './feature-sample.ts';
import { rankingOf, type Figures } from './figures.ts';
import { meanOf, type Cell } from './intervals.ts';
import { shuffled } from './shuffled.ts';

export interface ComparedRow {
  readonly group: string;
  readonly unit: string;
  readonly candidate: 'model' | 'boosted';
  readonly figures: Figures;
}

/** How much AUC the trees lose, as a mean over families, if the values of a feature are shuffled within each world. */
export interface Importance {
  readonly name: string;
  readonly lost: number;
}

export interface Comparison {
  readonly rows: readonly ComparedRow[];
  /** Of each group of features, the most important one first. */
  readonly importance: readonly Importance[];
}

export interface CompareOptions {
  /** Judge the held-out worlds, and no others. Trees are always trained on worlds for choosing. */
  readonly heldOut: boolean;
  readonly seed: number;
  readonly train: TrainBoosted;
  readonly onFamily?: (family: string) => void;
}

const GROUPS = [...new Set(FEATURES.map(({ group }) => group))];

/** Throws RangeError for samples of fewer than two families. */
export function compareFamilies(samples: readonly FeatureSample[], options: CompareOptions): Comparison {
  const families = [...new Set(samples.map(({ group }) => group))];
  if (families.length < 2) throw new RangeError(`"samples" expected two families, got ${families.length}`);
  const rows: ComparedRow[] = [];
  const lost = new Map<string, Cell[]>(GROUPS.map((group) => [group, []]));
  for (const family of families) {
    const others = samples.filter(({ group, unit }) => group !== family && !isHeldOut(Number(unit)));
    const trees = options.train(
      others.flatMap((sample) => [...sample.rows]),
      others.flatMap((sample) => [...sample.labels]),
      options.seed,
    );
    const judged = samples.filter(({ group, unit }) => group === family && isHeldOut(Number(unit)) === options.heldOut);
    for (const sample of judged) {
      const { group, unit } = sample;
      const figures = figuresOf(sample, trees.predict(sample.rows));
      rows.push({ group, unit, candidate: 'model', figures: figuresOf(sample, sample.points) });
      rows.push({ group, unit, candidate: 'boosted', figures });
      const { auc } = figures;
      if (auc === undefined) continue;
      for (const name of GROUPS) {
        const left = figuresOf(sample, trees.predict(without(sample.rows, name, options.seed)))['auc']!;
        lost.get(name)!.push({ group, unit, value: auc - left });
      }
    }
    trees.free();
    options.onFamily?.(family);
  }
  const importance = [...lost].flatMap(([name, cells]) => (cells.length === 0 ? [] : [{ name, lost: meanOf(cells) }]));
  return { rows, importance: importance.sort((a, b) => b.lost - a.lost || (a.name < b.name ? -1 : 1)) };
}

function figuresOf({ labels }: FeatureSample, scores: readonly number[]): Figures {
  return rankingOf(scores.map((score, i) => ({ label: labels[i]!, score })));
}

/** Returns the rows with the columns of a group shuffled, all in the same way. */
function without(rows: FeatureSample['rows'], name: string, seed: number): number[][] {
  const mixed = shuffled(rows, seed);
  const columns = FEATURES.map(({ group }) => group === name);
  return rows.map((row, i) => row.map((value, at) => (columns[at] ? mixed[i]![at]! : value)));
}
