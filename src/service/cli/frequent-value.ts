/** A value is in question from this part of the rows on, and from so many rows. */
const MIN_PART = 0.05;
const MIN_ROWS = 20;
/** Rows after which rare values are forgotten. Memory then holds some thousand values of any number of rows. */
const WINDOW = 1000;

/** Finds a value that is in many rows of a column: of a shop, a proxy or a service, and not of a person. */
export interface FrequentValue {
  add(value: string): void;
  /** Returns in how many of so many rows the most frequent value is; undefined if these are few. */
  rows(of: number): number | undefined;
}

/** Counts with little memory (lossy counting, Manku and Motwani 2002): up to a thousandth of the rows is missed. */
export function createFrequentValue(): FrequentValue {
  const counts = new Map<string, number>();
  let added = 0;
  return {
    add(value) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (++added % WINDOW > 0) return;
      for (const [known, count] of counts) if (count <= added / WINDOW) counts.delete(known);
    },
    rows(of) {
      const most = Math.max(0, ...counts.values());
      return most >= MIN_ROWS && most >= MIN_PART * of ? most : undefined;
    },
  };
}

/** Asks whose a value is. `value` and `rows` say which value is in how many rows, and never the value itself. */
export function askAboutFrequent(value: string, rows: string): string {
  return `${value} is in ${rows}: is it the customer’s, or of your shop, a proxy or a service?`;
}
