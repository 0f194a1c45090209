// Parts of the result of a run (`result.ts`).

/** A figure with its 95 % confidence interval (seeded bootstrap over queries). */
export interface Estimate {
  /** The figure of all queries. Shares are 0 to 1. */
  readonly value: number;
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

/** Queries with similar probabilities. */
export interface CalibrationBin {
  /** Mean of the stated probabilities in the bin, 0 to 1. */
  readonly stated: number;
  /** Share of queries in the bin with label 1, 0 to 1. */
  readonly observed: number;
  /** Number of queries in the bin. */
  readonly count: number;
}

/** Standings of the first model that answer a query at the end of a replay: of the last epoch, with later changes. */
export interface Standings {
  /** Number of all reporters. */
  readonly count: number;
  /** At most 50, with the most claims first. Equal numbers of claims are in the order of the names. */
  readonly reporters: readonly ReporterStanding[];
}

/** A reporter's standing and the record behind it. A claim is all reports of one reporter about one person. */
export interface ReporterStanding {
  /** Name of the reporter, as in the events. */
  readonly name: string;
  /** True if the operator verified the reporter. */
  readonly verified: boolean;
  /** True if the reporter is verified, or its record is good and old enough. */
  readonly established: boolean;
  /** Chance that a report of this reporter is right, 0 to 1. */
  readonly precision: number;
  /** Number of claims. */
  readonly claims: number;
  /** Expected number of claims that others confirmed: a sum of chances, so not a whole number. */
  readonly confirmed: number;
  /** Number of claims lost to an upheld dispute. */
  readonly lost: number;
}
