/** Fewest values, and part of them, from which one value is asked about. A regular customer has fewer. */
const LEAST_VALUES = 100;
const LEAST_SHARE = 0.05;
/** Maximum number of values that are counted at once (Misra and Gries). So a count is at most 0.1 % too low. */
const MAX_COUNTED = 1000;

/** Finds the value that most rows have, such as the address of a proxy or the email of a till, in constant memory. */
export interface FrequentValue {
  add(value: string): void;
  /** Says how many rows have the value, and asks whose it is; undefined if no value is in so many. Never names it. */
  describe(): string | undefined;
}

export function createFrequentValue(): FrequentValue {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    add(value) {
      all++;
      const known = counts.get(value);
      if (known !== undefined || counts.size < MAX_COUNTED) return void counts.set(value, (known ?? 0) + 1);
      for (const [one, times] of counts)
        if (times === 1) counts.delete(one);
        else counts.set(one, times - 1);
    },
    describe() {
      const most = Math.max(0, ...counts.values());
      if (all < LEAST_VALUES || most < all * LEAST_SHARE) return undefined;
      return `One value is in ${most} of ${all} rows: is it each customer's own? A proxy, a till or a shop has one for all.`;
    },
  };
}
