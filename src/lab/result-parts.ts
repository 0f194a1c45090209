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

/** Figures of the first model on the judged queries of a part of the time. */
export interface Period {
  /** Beginning, ISO 8601. */
  readonly from: string;
  /** End, ISO 8601. A query at this time belongs to the next period, if there is one. */
  readonly to: string;
  /** Number of judged queries, at least 1. */
  readonly judged: number;
  /** Number of judged queries with label 1. */
  readonly positives: number;
  /** As in `Evaluation.rocAuc`; undefined with fewer than 30 queries, or without queries of both labels. */
  readonly rocAuc?: Estimate;
  /** As in `Evaluation.prAuc`; undefined with fewer than 30 queries, or without queries of both labels. */
  readonly prAuc?: Estimate;
}

/** Calibration of the first model in groups of the judged queries that match a report. */
export interface CalibrationGroups {
  /** By the strongest matching kind: the one with the largest weight in the first model. Largest group first. */
  readonly kinds: readonly KindGroup[];
  /** By the age of the youngest matching report: three groups, as equal as equal ages permit, youngest first. */
  readonly ages: readonly AgeGroup[];
}

/** A group of queries and its reliability diagram. */
export interface CalibrationGroup {
  /** Number of queries. */
  readonly judged: number;
  /** Number of queries with label 1. */
  readonly positives: number;
  /** 10 equal bins of Reliability, without empty ones; none at all with fewer than 30 queries. */
  readonly bins: readonly IntervalBin[];
}

/** Queries with the same strongest kind. */
export interface KindGroup extends CalibrationGroup {
  /** e.g. `email`. */
  readonly kind: string;
}

/** Queries whose youngest matching report has a similar age. */
export interface AgeGroup extends CalibrationGroup {
  /** Smallest age in the group, days. */
  readonly leastDays: number;
  /** Largest age in the group, days. */
  readonly mostDays: number;
}

/** A bin with the 95 % interval (Wilson) of its observed share. */
export interface IntervalBin extends CalibrationBin {
  /** Lower end of the interval. */
  readonly low: number;
  /** Upper end of the interval. */
  readonly high: number;
}

/** With fewer queries in a group, its figures say nothing. */
export const MIN_GROUP_QUERIES = 30;
