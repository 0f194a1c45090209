import type { Random } from '../../../sealed/group/group.ts';
import { toPresent, type SealedKeys } from '../../../sealed/keys.ts';

/** How long the clock must ask for a change of the epochs. Hours in which a person may notice and set a wrong clock. */
const WAIT_MS = 24 * 3_600_000;
/** After a longer time, the clock was wrong, or the service was off: what it asked for before says nothing. */
const MAX_ELAPSED_MS = 7 * WAIT_MS;

/**
 * Returns the keys as {@link toPresent} does, by a clock that may be wrong: the same object if nothing changes. Notes
 * when the clock first asks for a change, and makes it if the clock still does a day later. Call it at least hourly.
 *
 * The change is that of the noted time. Otherwise, a clock that jumps ahead during the day would destroy other keys.
 */
export function followClock(keys: SealedKeys, now: number, random: Random): SealedKeys {
  const { dueSince } = keys;
  if (toPresent(keys, now, random) === keys) return withoutDue(keys);
  if (dueSince === undefined || dueSince > now || now - dueSince > MAX_ELAPSED_MS) return { ...keys, dueSince: now };
  return now - dueSince < WAIT_MS ? keys : toPresent(withoutDue(keys), dueSince, random);
}

/** Returns the keys without the time of {@link followClock}, whose wait then begins again; the same object if none. */
export function withoutDue(keys: SealedKeys): SealedKeys {
  if (keys.dueSince === undefined) return keys;
  const { dueSince: _, ...rest } = keys;
  return rest;
}
