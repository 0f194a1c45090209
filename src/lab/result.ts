/** What one run of the lab found: plain data, printed with `--json` and drawn by `lab/page`. */
export interface LabResult {
  /** Of this shape. */
  readonly version: 1;
  /** One line: what was replayed. */
  readonly title: string;
  /** Seed of everything random in the evaluation (bootstrap), and of the world when it was simulated. */
  readonly seed: number;
  /** First and last event, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly counts: {
    readonly reporters: number;
    readonly reports: number;
    readonly removed: number;
    readonly disputes: number;
    readonly queries: number;
    /** Labelled queries that match at least one report: what is judged, unless `judged` is `all`. */
    readonly matched: number;
    /** Labelled queries that are judged, and how many of them are labelled 1. */
    readonly judged: number;
    readonly positives: number;
  };
  /** Which labelled queries are judged: those with a match, or all (one without a match scores 0). */
  readonly judged: 'matched' | 'all';
  /** The first is the one in question, the others are compared with it. */
  readonly models: readonly ModelResult[];
  /** The same figures over other sets of the queries: those with a match, all, and each group of ones against all zeros. */
  readonly subsets: readonly Subset[];
  /** What to keep in mind with these figures, a sentence each; mostly empty. */
  readonly warnings: readonly string[];
  /** Empty unless attacks were run. */
  readonly attacks: readonly AttackResult[];
}

/** A figure and the interval that holds it with 95 % confidence (seeded bootstrap over queries). */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** How one model did. */
export interface ModelResult extends Evaluation {
  /** e.g. `link-claim/2`. */
  readonly name: string;
  /** The queries that this model got most wrong, worst first. */
  readonly misses: readonly Miss[];
}

/** The figures and curves of one score against the labels. */
export interface Evaluation {
  /** Chance that a query labelled 1 is ranked above one labelled 0, ties half. */
  readonly rocAuc: Estimate;
  /** Average precision of finding label 1 from the top, and label 0 from the bottom. */
  readonly prAuc: Estimate;
  readonly prAucOfZeros: Estimate;
  /** Expected calibration error of Reliability over 10 equal bins, and Brier score; undefined for a model whose reliability is no chance. */
  readonly ece?: Estimate;
  readonly brier?: Estimate;
  /** [share of zeros above the threshold, share of ones above it], from [0, 0] to [1, 1]. */
  readonly roc: readonly Point[];
  /** [recall, precision] of label 1, by rising recall. */
  readonly precisionRecall: readonly Point[];
  /** 10 equal bins of Reliability; empty ones are left out. */
  readonly calibration: readonly CalibrationBin[];
  /** [share of queries from the top, times as many ones in it as in all]. */
  readonly lift: readonly Point[];
  /** Counts of Points by label, in 20 equal bins from 0 to `scoreMost`. */
  readonly scores: { readonly most: number; readonly ones: readonly number[]; readonly zeros: readonly number[] };
}

export type Point = readonly [x: number, y: number];

export interface CalibrationBin {
  /** Mean of the stated chances in the bin, 0 to 1. */
  readonly stated: number;
  /** Share of ones in it. */
  readonly observed: number;
  readonly count: number;
}

/** A query that was scored far from its label. */
export interface Miss {
  /** ISO 8601. */
  readonly at: string;
  readonly label: 0 | 1;
  readonly points: number;
  readonly reported: number;
  readonly reliability: number;
  /** The explanation, a sentence each. Holds no identifier's value. */
  readonly sentences: readonly string[];
}

/** A set of labelled queries and how well each model ranks it. */
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

/** What an attack on honest people reached. */
export interface AttackResult {
  /** e.g. `100 sybil keys`. */
  readonly name: string;
  /** By model name: the victims' median Points over those of a true fraud; 1 says that the attack is as good as the truth. */
  readonly ratios: Readonly<Record<string, number>>;
}
