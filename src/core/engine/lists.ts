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
