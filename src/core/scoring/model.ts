import type { Verdict } from '../domain/verdict.ts';
import type { Evidence, EvidenceReport, Standing } from './evidence.ts';
import type { Explanation } from './explanation.ts';
import type { TrustRules } from './standings/rules.ts';

/** The port of scoring: evidence in, verdict out. Models are pure: the same evidence always has the same verdict. */
export interface ScoringModel {
  /** Short name and version, e.g. `link-claim/7`. */
  readonly name: string;
  /**
   * Returns the weight of a kind, 0 to 1. The kind with the lower weight is the weaker one (protocol 2.3, our choice).
   */
  weightOfKind(kind: string): number;
  /** Kinds that the model knows by name. Without them: email, phone, domain and ip. */
  readonly kinds?: readonly string[];
  /** Returns the standing of a reporter without a record. */
  standingOf(reporter: { readonly verified: boolean }): Standing;
  /** Rules that compute standings from reports. Without rules, {@link standingOf} always applies. */
  readonly trust?: TrustRules;
  /** Returns the same as {@link score} before rounding. */
  measure(evidence: Evidence): Measure;
  /**
   * Returns the verdict. Without a report, all three numbers are 0. Otherwise points and reported are at least 1, and
   * reliability is at least 1.0.
   */
  score(evidence: Evidence): Verdict;
  /**
   * Begins a verdict to which reports are added one at a time, so that other work can run in between. The result equals
   * that of {@link score}. Optional: without this method, a query with very many reports runs `score` in one piece.
   */
  begin?(standings: Evidence['standings']): Tally;
  /** Returns the explanation of the verdict, with unrounded numbers. Optional: without it, nothing can be explained. */
  explain?(evidence: Evidence): Explanation;
}

/** A model that explains its verdicts. */
export type ExplainingModel = ScoringModel & Required<Pick<ScoringModel, 'explain'>>;

/** A verdict that is being computed. */
export interface Tally {
  /** Adds a report. Pass each report once. */
  add(report: EvidenceReport): void;
  /** Returns the verdict on the reports that were added. */
  score(): Verdict;
}

/** Unrounded numbers in the units of the verdict: points 0 to 100, reliability 0 to 10. */
export interface Measure {
  /** May exceed 100 in a model for comparison, e.g. a sum of severities. */
  readonly points: number;
  /** 0 to 10, after the calibration map. */
  readonly reliability: number;
  /** Chance that the reports are right and about this person, 0 to 1; undefined for a model that states none. */
  readonly chance: number | undefined;
}

/** Reliability of any match (protocol 4.4, our choice). */
export const MIN_RELIABILITY = 1;

/** The binary value of 0.665 is 0.66499…, but a Reliability of 6.65 must round to 6.7. */
const HALF_UP = 0.5 + 1e-9;

/**
 * Rounds to the protocol's numbers: points are whole, 0 to 100; reliability is 0 to 10 with one decimal. If a report
 * matches, points and reliability are at least 1 (protocol 4.4, our choice).
 */
export function toVerdict(points: number, reliability: number, reported: number): Verdict {
  if (reported === 0) return { points: 0, reported: 0, reliability: 0 };
  return {
    points: Math.min(100, Math.max(1, Math.floor(points + HALF_UP))),
    reported,
    reliability: Math.min(10, Math.max(MIN_RELIABILITY, Math.floor(reliability * 10 + HALF_UP) / 10)),
  };
}
