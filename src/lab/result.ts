/** The result of one run of the lab: plain data. `--json` prints it, and `lab/page` draws it. */
export interface LabResult {
  /** Version of this shape. */
  readonly version: 1;
  /** What was replayed, one line. */
  readonly title: string;
  /** Seed of the bootstrap, and of the world if it was simulated. */
  readonly seed: number;
  /** Times of the first and the last event, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly counts: {
    readonly reporters: number;
    readonly reports: number;
    readonly removed: number;
    readonly disputes: number;
    readonly queries: number;
    /** Labelled queries that match at least one report. */
    readonly matched: number;
    /** Labelled queries that are judged, and how many of them have label 1. */
    readonly judged: number;
    readonly positives: number;
  };
  /** Which labelled queries are judged: those with a match, or all. A query without a match has score 0. */
  readonly judged: 'matched' | 'all';
  /** The first model is the subject; the others are compared with it. */
  readonly models: readonly ModelResult[];
  /** Figures of other sets of queries: with a match or all, and each group of positives against all negatives. */
  readonly subsets: readonly Subset[];
  /** Limits of these figures, a sentence each; usually empty. */
  readonly warnings: readonly string[];
  readonly attacks: readonly AttackResult[];
}

/** A figure with its 95 % confidence interval (seeded bootstrap over queries). */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export interface ModelResult extends Evaluation {
  /** e.g. `link-claim/2`. */
  readonly name: string;
  /** The queries with the largest errors of this model, worst first. */
  readonly misses: readonly Miss[];
}

/**
 * Figures and curves of one score against the labels. "Ones" are samples with label 1, "zeros" samples with label 0.
 */
export interface Evaluation {
  /** Probability that a sample with label 1 ranks above a sample with label 0. Ties count half. */
  readonly rocAuc: Estimate;
  /** Average precision of finding ones from the highest score down, and zeros from the lowest score up. */
  readonly prAuc: Estimate;
  readonly prAucOfZeros: Estimate;
  /** Expected calibration error over 10 equal bins, and Brier score; undefined without stated probabilities. */
  readonly ece?: Estimate;
  readonly brier?: Estimate;
  /** [share of zeros, share of ones] at or above each threshold, from [0, 0] to [1, 1]. */
  readonly roc: readonly Point[];
  /** [recall, precision] of ones, by rising recall. */
  readonly precisionRecall: readonly Point[];
  /** 10 equal bins of Reliability, without empty ones. */
  readonly calibration: readonly CalibrationBin[];
  /** [share of queries from the top, their share of ones / overall share of ones]. */
  readonly lift: readonly Point[];
  /** Number of queries by score and label, in 20 equal bins from 0 to `most`. */
  readonly scores: { readonly most: number; readonly ones: readonly number[]; readonly zeros: readonly number[] };
}

export type Point = readonly [x: number, y: number];

export interface CalibrationBin {
  /** Mean of the stated probabilities in the bin, 0 to 1. */
  readonly stated: number;
  readonly observed: number;
  readonly count: number;
}

/** A query whose score was far from its label. */
export interface Miss {
  /** ISO 8601. */
  readonly at: string;
  readonly label: 0 | 1;
  readonly points: number;
  readonly reported: number;
  readonly reliability: number;
  /** The explanation, a sentence each, without values of identifiers. */
  readonly sentences: readonly string[];
}

/** A set of labelled queries and the figures of each model on it. */
export interface Subset {
  readonly name: string;
  readonly judged: number;
  readonly positives: number;
  readonly models: readonly {
    readonly name: string;
    readonly rocAuc: number;
    readonly prAuc: number;
    readonly prAucOfZeros: number;
  }[];
}

/** The effect of an attack on honest people. */
export interface AttackResult {
  /** e.g. `100 sybil keys`. */
  readonly name: string;
  /** By model name: median Points of the victims / median Points of true frauds. At 1, victims look like frauds. */
  readonly ratios: Readonly<Record<string, number>>;
}
