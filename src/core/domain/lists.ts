/** Returns the items in groups, by a key of each. Keeps their order. */
export function groupBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Maximum number of items between two turns: a few milliseconds of work. */
const ITEMS_AT_ONCE = 2_000;

/** Calls `each` with every item, in order. In long lists, lets other work run between slices. */
export async function inTurns<T>(
  items: readonly T[],
  giveTurn: () => Promise<void>,
  each: (item: T) => void,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    if (done > 0 && done % ITEMS_AT_ONCE === 0) await giveTurn();
    each(item);
    done++;
  }
}
