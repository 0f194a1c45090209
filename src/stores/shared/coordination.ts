import type { Coordination } from '../../core/engine/context.ts';
import type { SharedStore } from '../../core/store/store.ts';
import { createStandingsFollower } from './follower.ts';
import { createSharedThrottle } from './throttle.ts';

/** Returns what an engine needs beside a store that several processes share. */
export function createCoordination(shared: SharedStore): Coordination {
  return {
    createStandings: (options) => createStandingsFollower(options, shared),
    createThrottle: (limit, options) => createSharedThrottle(limit, { shared, ...options }),
  };
}
