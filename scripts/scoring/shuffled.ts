import { createRandom } from '../../src/lab/random.ts';

/** Returns the values in an order that depends only on the seed (Fisher–Yates). */
export function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = createRandom(seed);
  const mixed = [...values];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
