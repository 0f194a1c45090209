import type { StoreCounts } from '../../../core/store/records.ts';
import type { Store } from '../../../core/store/store.ts';

/** Shortest time between two counts, in milliseconds. */
const MIN_INTERVAL_MS = 60_000;
/** A count blocks a store in this process, so counting takes at most this part of the time. */
const SHARE = 1 / 1000;

/** Numbers of rows in a store, counted in the background. */
export interface StoreCounter {
  /** Returns the last numbers; empty before the first count has ended. */
  latest(): Partial<StoreCounts>;
  /** Returns the last numbers; waits for the first count. Undefined if the store could not count. */
  known(): Promise<StoreCounts | undefined>;
}

/**
 * Counts a store's rows in the background, when they are asked for: at most once a minute, and less often if a count
 * takes longer than 60 ms.
 */
export function createStoreCounts(store: Pick<Store, 'count'>): StoreCounter {
  let latest: StoreCounts | undefined;
  let counting: Promise<void> | undefined;
  let nextMs = -Infinity;
  const count = async (): Promise<void> => {
    const beganMs = performance.now();
    // Not again before this count has ended.
    nextMs = Infinity;
    // The failure of a store is a notice of the request that meets it.
    latest = await store.count().catch(() => latest);
    const tookMs = performance.now() - beganMs;
    nextMs = performance.now() + Math.max(MIN_INTERVAL_MS, tookMs / SHARE);
  };
  const begin = (): void => {
    if (performance.now() >= nextMs) counting = count();
  };
  return {
    latest() {
      begin();
      return latest ?? {};
    },
    async known() {
      begin();
      if (latest === undefined) await counting;
      return latest;
    },
  };
}
