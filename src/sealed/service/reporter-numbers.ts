import { MAX_REPORTER } from '../rows.ts';

/**
 * Returns numbers for the reporters, 0 to 65,535. A reporter with a number in `known` keeps it. Numbers ascend like ids
 * as long as there is room: a model breaks ties by the reporter, so a client then breaks them as the service does.
 * Throws RangeError for more than 65,536 reporters.
 *
 * @param reporterIds 16 lowercase hex characters each.
 */
export function numberReporters(
  known: ReadonlyMap<string, number>,
  reporterIds: Iterable<string>,
): ReadonlyMap<string, number> {
  const ids = [...new Set([...known.keys(), ...reporterIds])].sort();
  if (ids.length > MAX_REPORTER + 1)
    throw new RangeError(`the sealed look-up expected at most ${MAX_REPORTER + 1} reporters, got ${ids.length}`);
  const numbers = new Map(known);
  const taken = new Set(known.values());
  let before = -1;
  for (const [at, id] of ids.entries()) {
    const old = known.get(id);
    if (old === undefined) {
      // Leave room for the new ones that follow.
      const next = nextKnown(known, ids, at);
      const most = next.number - next.distance;
      const wanted = Number.parseInt(id.slice(0, 4), 16);
      const number = Math.min(Math.max(wanted, before + 1), most);
      const chosen = number > before && !taken.has(number) ? number : firstFree(taken);
      numbers.set(id, chosen);
      taken.add(chosen);
    }
    before = Math.max(before, numbers.get(id)!);
  }
  return numbers;
}

/** Returns the number of the next id that has one, and how many ids away it is. */
function nextKnown(known: ReadonlyMap<string, number>, ids: readonly string[], at: number) {
  for (let distance = 1; at + distance < ids.length; distance++) {
    const number = known.get(ids[at + distance]!);
    if (number !== undefined) return { number, distance };
  }
  return { number: MAX_REPORTER + 1, distance: ids.length - at };
}

function firstFree(taken: ReadonlySet<number>): number {
  for (let number = 0; ; number++) if (!taken.has(number)) return number;
}
