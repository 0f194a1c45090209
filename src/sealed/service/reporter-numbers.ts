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
  const mosts = highestNumbers(known, ids);
  let free = 0;
  let before = -1;
  for (const [at, id] of ids.entries()) {
    if (!known.has(id)) {
      // Near the first digits of the id, so that there is room between two neighbours for later ones.
      const wanted = Math.max(Number.parseInt(id.slice(0, 4), 16), before + 1);
      let number = Math.min(wanted, mosts[at]!);
      if (number <= before || taken.has(number)) {
        while (taken.has(free)) free++;
        number = free;
      }
      numbers.set(id, number);
      taken.add(number);
    }
    before = Math.max(before, numbers.get(id)!);
  }
  return numbers;
}

/**
 * Returns for each id the highest number that leaves room for the new ids after it, up to the next id with a number.
 */
function highestNumbers(known: ReadonlyMap<string, number>, ids: readonly string[]): number[] {
  const mosts: number[] = [];
  let next = MAX_REPORTER + 1;
  for (let at = ids.length - 1; at >= 0; at--) {
    next = known.get(ids[at]!) ?? next - 1;
    mosts[at] = next;
  }
  return mosts;
}
