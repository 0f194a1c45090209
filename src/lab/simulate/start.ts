/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** When every simulated world starts, 2021-01-01T00:00:00Z. Inside a world times are milliseconds since then. */
export const START_MS = 1_609_459_200_000;
