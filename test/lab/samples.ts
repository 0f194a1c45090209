import fc from 'fast-check';
import { createRandom } from '../../src/lab/random.ts';
import type { Sample } from '../../src/lab/sample.ts';

/** `'1100'` with scores 4, 3, 2, 1: labels from the highest score down. */
export function inOrder(labels: string): Sample[] {
  return [...labels].map((label, at) => ({ label: label === '1' ? 1 : 0, score: labels.length - at }));
}

/** Samples with the true chance, or distorted by `bend`. The score is the chance. */
export function drawn(seed: number, count: number, bend = (chance: number): number => chance): Sample[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const truth = random();
    const label = random() < truth ? 1 : 0;
    return { label, score: bend(truth), chance: bend(truth) };
  });
}

/** Samples of both labels with many equal scores. Whole numbers: no transform rounds two of them to one. */
export const samplesWithTies: fc.Arbitrary<Sample[]> = fc
  .tuple(
    fc.array(fc.record({ label: fc.constantFrom(0 as const, 1 as const), score: fc.integer({ min: 0, max: 30 }) }), {
      maxLength: 60,
    }),
    fc.integer({ min: 0, max: 30 }),
    fc.integer({ min: 0, max: 30 }),
  )
  .map(([rest, one, zero]) => [...rest, { label: 1, score: one }, { label: 0, score: zero }]);

/** The same items in another order. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
