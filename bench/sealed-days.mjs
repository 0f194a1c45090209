/** Shares of a day's rows: new, changed by a dispute, and removed by one. */
export const A_DAY = { added: 0.01, changed: 0.002, removed: 0.002 };
