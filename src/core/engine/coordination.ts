import type { Store } from '../store/store.ts';
import type { Effects } from './effects.ts';
import type { KeeperOptions, StandingsKeeper } from './standings/keeper.ts';
import type { RateLimit } from '../domain/refusal.ts';
import type { Throttle } from './limits.ts';

/** What the engine does in another way if several processes share its store. */
export interface Coordination {
  /** Keeps the standings: one process computes the table of a day, and the others load it. */
  createStandings(options: KeeperOptions): StandingsKeeper;
  /** Counts requests in buckets that all processes share. `bucketOf` returns the name of a bucket: hex characters. */
  createThrottle(
    limit: RateLimit,
    options: Pick<Effects, 'monotonic' | 'storeTime'> & { readonly bucketOf: (name: string) => string },
  ): Throttle;
}

/** A store as an engine takes it. A store that several processes share brings the engine's part for it. */
export type EngineStore = Store & { readonly coordination?: Coordination };
