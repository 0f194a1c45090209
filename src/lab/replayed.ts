import type { ScoringModel } from '../core/scoring/model.ts';
import type { KindAge } from './fit-half-lives.ts';
import type { ReporterStanding } from './result-parts.ts';
import type { Miss } from './result.ts';

/** Options of `replay`. */
export interface ReplayOptions {
  /** At least one. They answer side by side. */
  readonly models: readonly ScoringModel[];
  /** Ignores the asking reporter's own reports in its queries; default false. */
  readonly excludeOwn?: boolean;
  /**
   * Days between two full computations of the standings, at least 1; default 7. Between them, reports update standings.
   */
  readonly epochDays?: number;
  /**
   * Milliseconds UTC. Standings are first computed on this day, from all that happened before. This saves the epochs
   * that no query needs. Refuses earlier queries. Default: the first event.
   */
  readonly epochsFrom?: number;
  /** Maximum number of queries in `samples`, drawn uniformly from all labelled queries; at least 1, default 100,000. */
  readonly maxSamples?: number;
  /** Number of worst misses to keep for each model and label; at least 0, default 5. */
  readonly misses?: number;
  /** Seed of the draws, a whole number of at least 0; default 1. */
  readonly seed?: number;
  /** Called for each labelled query with its answers. The next event is read after the call. */
  readonly onJudged?: (judged: Judged) => void;
  /** Called every 1,000 events with the number of events so far. */
  readonly onProgress?: (events: number) => void;
}

/** A judged query and the answers of the models, in their order. */
export interface Judged {
  /** When the query was asked (ms, UTC). */
  readonly at: number;
  /** The truth: 1 for a person to warn about, otherwise 0. */
  readonly label: 0 | 1;
  /** Group of the query; undefined without one. */
  readonly group: string | undefined;
  /** Number of matching reports, the same for all models. */
  readonly reported: number;
  /** Kinds of the matching identifiers, each once; empty without a match. */
  readonly kinds: readonly string[];
  /** Age of the youngest matching report, by kind; empty without a match. */
  readonly youngest: readonly KindAge[];
  /** By model. `score` is unrounded Points, `points` rounded. `chance` is undefined if the model states none. */
  readonly answers: readonly { readonly score: number; readonly chance: number | undefined; readonly points: number }[];
}

/** The result of `replay`: numbers of events, and the judged queries. */
export interface Replayed {
  /** Number of all events. */
  readonly events: number;
  /** Milliseconds UTC of the first and the last event; null without events. */
  readonly from: number | null;
  /** Milliseconds UTC of the last event; null without events. */
  readonly to: number | null;
  /** Number of reporters that registered, with an event or with their first report. */
  readonly reporters: number;
  /** Number of reports, removed ones included. */
  readonly reports: number;
  /** Number of removed reports. */
  readonly removed: number;
  /** Number of disputes that were opened. */
  readonly disputes: number;
  /** Number of queries, with and without a label. */
  readonly queries: number;
  /** Labelled queries, and how many of them match a report. */
  readonly labelled: number;
  /** Labelled queries that match a report. */
  readonly matched: number;
  /** Judged queries, drawn uniformly: at most `maxSamples`. */
  readonly samples: readonly Judged[];
  /** Points of queries with a group but no label, by group and model; at most `maxSamples` per group. */
  readonly unlabelled: ReadonlyMap<string, readonly (readonly number[])[]>;
  /** By model. */
  readonly misses: readonly (readonly Miss[])[];
  /** Standings of the first model that answer a query at the end, in any order; missing if it has none. */
  readonly standings?: readonly ReporterStanding[];
}
