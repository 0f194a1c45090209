import { createRandom } from './random.ts';

/** A random sample of limited size from any number of items. Each item has the same probability to be in it. */
export interface Reservoir<T> {
  offer(item: T): void;
  /** The sample, in no particular order. */
  readonly items: readonly T[];
  /** Returns how many items were offered. */
  readonly offered: () => number;
}

/** Creates a sample of at most `size` items (Vitter's algorithm R). The same seed gives the same sample. */
export function createReservoir<T>(size: number, seed: number): Reservoir<T> {
  const random = createRandom(seed);
  const items: T[] = [];
  let offered = 0;
  return {
    items,
    offered: () => offered,
    offer(item) {
      offered++;
      if (items.length < size) items.push(item);
      else {
        const place = Math.floor(random() * offered);
        if (place < size) items[place] = item;
      }
    },
  };
}
