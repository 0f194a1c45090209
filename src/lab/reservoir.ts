import { createRandom } from './random.ts';

/** At most so many of any number of items, each with the same chance of being kept. */
export interface Reservoir<T> {
  offer(item: T): void;
  /** In the order in which they came to their places; at most `most`. */
  readonly items: readonly T[];
  /** How many were offered. */
  readonly offered: () => number;
}

/** Bounded memory for samples of an unbounded run (Vitter's algorithm R), the same for the same seed. */
export function createReservoir<T>(most: number, seed: number): Reservoir<T> {
  const random = createRandom(seed);
  const items: T[] = [];
  let offered = 0;
  return {
    items,
    offered: () => offered,
    offer(item) {
      offered++;
      if (items.length < most) items.push(item);
      else {
        const place = Math.floor(random() * offered);
        if (place < most) items[place] = item;
      }
    },
  };
}
