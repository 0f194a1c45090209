/** Thresholds of the notices about accusations. Decision 69 says how they were chosen. */
export const ACCUSATION_RULES = {
  /** Days in which silent reporters accuse one person, the searched day included. */
  windowDays: 7,
  /** Days before the window without a report, for a reporter to count as silent. */
  silentDays: 30,
  /** Silent reporters who together are a notice. */
  silentReporters: 2,
  /** Common claims of two reporters, and their share of the claims of each, to count as always together. */
  commonClaims: 3,
  /** See `commonClaims`. */
  commonShare: 0.8,
  /** Unverified reporters who accuse one person on one day and are a notice. */
  burstReporters: 5,
  /** Accusations on one day that no other reporter shares, and are a notice if they are unusual for the reporter. */
  soleAccusations: 5,
  /** Past days that say what is usual for a reporter. */
  usualDays: 56,
  /** Least expected number of reports a day. */
  usualLeast: 0.1,
  /** Chance of so many reports on one day, under a Poisson distribution, below which the day is unusual. */
  unusualChance: 1e-4,
  /** An unusual day also has more accusations than this multiple of the reports of the busiest past day: shops report
   * in batches, such as once a week. */
  busiestTimes: 2,
  /** Days before the first searched day about which the rules ask: the longest of those above. */
  historyDays: 56,
} as const;
