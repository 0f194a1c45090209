import type { CalibrationBin, Estimate, Standings } from './result-parts.ts';

export type { CalibrationBin, Estimate } from './result-parts.ts';

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
  /** Time of the last event, ISO 8601. */
  readonly to: string;
  /** Sums over all replays. */
  readonly counts: {
    /** Reporters, registered with an event or with their first report. */
    readonly reporters: number;
    /** Reports, removed ones included. */
    readonly reports: number;
    /** Reports that were removed. */
    readonly removed: number;
    /** Disputes that were opened. */
    readonly disputes: number;
    /** All queries, with and without a label. */
    readonly queries: number;
    /** Labelled queries that match at least one report. */
    readonly matched: number;
    /** Labelled queries that are judged, and how many of them have label 1. */
    readonly judged: number;
    /** Judged queries with label 1. */
    readonly positives: number;
  };
  /** Which labelled queries are judged: those with a match, or all. A query without a match has score 0. */
  readonly judged: 'matched' | 'all';
  /** The first model is the subject; the others are compared with it. */
  readonly models: readonly ModelResult[];
  /** Figures of other sets of queries: with a match or all, and each group of positives against all negatives. */
  readonly subsets: readonly Subset[];
  /** How much better the first model is than each other one. Missing in results of older versions. */
  readonly differences?: readonly Difference[];
  /** What the first model would have stopped at thresholds of Points. Missing in results of older versions. */
  readonly thresholds?: Thresholds;
  /** Missing for several replays, for a model without standings, and in results of older versions. */
  readonly standings?: Standings;
  /** Limits of these figures, a sentence each; usually empty. */
  readonly warnings: readonly string[];
  /** One per simulated attack; empty without attacks. */
  readonly attacks: readonly AttackResult[];
}

/**
 * Advantage of the first model over another one, on the judged queries: the difference of a figure, positive if the
 * first model is better. The intervals are paired: each resample of the bootstrap draws the same queries for both.
 */
export interface Difference {
  /** The other model, e.g. `one-voice/1`. */
  readonly name: string;
  /** As in {@link Evaluation.rocAuc}. */
  readonly rocAuc: Estimate;
  /** As in {@link Evaluation.prAuc}. */
  readonly prAuc: Estimate;
  /** As in {@link Evaluation.prAucOfZeros}. */
  readonly prAucOfZeros: Estimate;
  /** Other model's score less the first model's, as a low Brier score is good; undefined unless both have one. */
  readonly brier?: Estimate;
}

/** What thresholds would have stopped, over all labelled queries, with and without a match. */
export interface Thresholds {
  /** Number of queries with label 1. */
  readonly frauds: number;
  /** Number of queries with label 0. */
  readonly honest: number;
  /** By rising threshold: 1, every fifth up to 100, and the recommended ones. */
  readonly effects: readonly ThresholdEffect[];
  /** At most 3, from the strictest limit: the one that stops the fewest honest customers is first. */
  readonly recommended: readonly Recommended[];
}

/** What happens if queries with at least this number of points are stopped. Intervals are Wilson's, 95 %. */
export interface ThresholdEffect {
  /** Points, 1 to 100. */
  readonly threshold: number;
  /** Share of the queries with label 1 that are stopped, 0 to 1. The others are missed. */
  readonly fraudsStopped: Estimate;
  /** Share of the queries with label 0 that are stopped, 0 to 1. */
  readonly honestStopped: Estimate;
}

/** The lowest threshold that stops no more than a share of the honest customers. */
export interface Recommended {
  /** Points, 1 to 100. */
  readonly threshold: number;
  /** The share, such as 0.01. */
  readonly honestMost: number;
}

export interface ModelResult extends Evaluation {
  /** e.g. `link-claim/7`. */
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
  /** Average precision of finding zeros from the lowest score up, 0 to 1. A random order has the share of zeros. */
  readonly prAucOfZeros: Estimate;
  /** Expected calibration error over 10 equal bins, and Brier score; undefined without stated probabilities. */
  readonly ece?: Estimate;
  /** Mean squared error of the stated probabilities, 0 to 1; 0 is best. Undefined without stated probabilities. */
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

/** A point of a curve. The list that holds it says what `x` and `y` are. */
export type Point = readonly [x: number, y: number];

/** A query whose score was far from its label. */
export interface Miss {
  /** ISO 8601. */
  readonly at: string;
  /** The truth: 1 for a person to warn about, otherwise 0. */
  readonly label: 0 | 1;
  /** Points of the answer, rounded, 0 to 100. */
  readonly points: number;
  /** Number of matching reports, at least 1. */
  readonly reported: number;
  /** Reliability of the answer, rounded, 0 to 10. */
  readonly reliability: number;
  /** The explanation, a sentence each, without values of identifiers. */
  readonly sentences: readonly string[];
}

/** A set of labelled queries and the figures of each model on it. */
export interface Subset {
  /** `with a match`, `all labelled`, a group, or a group `, with a match`. */
  readonly name: string;
  /** Number of queries in the set. */
  readonly judged: number;
  /** How many of them have label 1. */
  readonly positives: number;
  /** Figures without intervals, 0 to 1, in the order of the models. */
  readonly models: readonly {
    /** e.g. `link-claim/7`. */
    readonly name: string;
    /** As in {@link Evaluation.rocAuc}. */
    readonly rocAuc: number;
    /** As in {@link Evaluation.prAuc}. */
    readonly prAuc: number;
    /** As in {@link Evaluation.prAucOfZeros}. */
    readonly prAucOfZeros: number;
  }[];
}

/** The effect of an attack on honest people. */
export interface AttackResult {
  /** e.g. `100 sybil keys`. */
  readonly name: string;
  /** By model name: median Points of the victims / median Points of true frauds. At 1, victims look like frauds. */
  readonly ratios: Readonly<Record<string, number>>;
  /** By model name: median Points of the victims, not rounded. */
  readonly points: Readonly<Record<string, number>>;
}
