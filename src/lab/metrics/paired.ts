import type { Difference } from '../result.ts';
import { validateSamples, type Sample } from '../sample.ts';
import { bootstrap } from './bootstrap.ts';
import { figuresOf, type Figures } from './evaluate.ts';
import { rank } from './ranked.ts';

/** Figures that are compared, and whether a higher one is better. */
const COMPARED = [
  ['rocAuc', 1],
  ['prAuc', 1],
  ['prAucOfZeros', 1],
  ['brier', -1],
] as const satisfies readonly (readonly [keyof Figures, number])[];

export type Advantage = Omit<Difference, 'name'>;

/**
 * Returns the advantage of the first model over each other one. The models answered the same queries, and each resample
 * of the bootstrap draws the same queries for all of them. So these intervals are narrower than a comparison of the
 * models' own intervals.
 *
 * @param answers of each model, in the same order of queries.
 * @param options as of `bootstrap`; the caller validates them.
 */
export function advantages(
  answers: readonly (readonly Sample[])[],
  options: { readonly seed: number; readonly resamples: number },
): Advantage[] {
  for (const samples of answers) validateSamples(samples);
  const [first = [], ...others] = answers;
  if (others.length === 0) return [];
  // One order of the queries for all models, which does not depend on the order in which they were asked.
  const order = [...first.keys()].sort((a, b) => first[a]!.label - first[b]!.label || compareAll(answers, a, b));
  const ranked = answers.map((samples) => rank(order.map((query) => samples[query]!)));
  const labels = Uint8Array.from(order, (query) => first[query]!.label);
  const byRank = new Float64Array(labels.length);
  const figures = (model: number, times: Float64Array): Figures => {
    const { places } = ranked[model]!;
    for (const [at, place] of places.entries()) byRank[at] = times[place]!;
    return figuresOf(ranked[model]!, byRank);
  };
  const estimates = bootstrap(
    labels,
    (times) => {
      const best = figures(0, times);
      const differences: Record<string, number> = {};
      for (const other of others.keys()) {
        const less = figures(other + 1, times);
        for (const [name, sign] of COMPARED) {
          const [ours, theirs] = [best[name], less[name]];
          if (ours === undefined || theirs === undefined) continue;
          differences[`${other} ${name}`] = sign === 1 ? ours - theirs : theirs - ours;
        }
      }
      return differences;
    },
    options,
  );
  return others.map((_, other): Advantage => {
    const of = (name: string) => estimates[`${other} ${name}`];
    const brier = of('brier');
    return { rocAuc: of('rocAuc')!, prAuc: of('prAuc')!, prAucOfZeros: of('prAucOfZeros')!, ...(brier && { brier }) };
  });
}

function compareAll(answers: readonly (readonly Sample[])[], a: number, b: number): number {
  for (const samples of answers) {
    const [one, other] = [samples[a]!, samples[b]!];
    const difference = other.score - one.score || (other.chance ?? 0) - (one.chance ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
