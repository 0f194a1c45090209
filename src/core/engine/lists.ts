/** Maximum number of items between two turns: a few milliseconds of work. */
const ITEMS_AT_ONCE = 2_000;

/** Calls `each` with every item, in order. In long lists, lets other work run between slices. */
export function inTurns<T>(
  items: readonly T[],
  giveTurn: () => Promise<void>,
  each: (item: T) => void,
): Promise<void> | undefined {
  if (items.length > ITEMS_AT_ONCE) return inSlices(items, giveTurn, each);
  for (const item of items) each(item);
  return undefined;
}

async function inSlices<T>(items: readonly T[], giveTurn: () => Promise<void>, each: (item: T) => void): Promise<void> {
  for (const [at, item] of items.entries()) {
    if (at > 0 && at % ITEMS_AT_ONCE === 0) await giveTurn();
    each(item);
  }
}
