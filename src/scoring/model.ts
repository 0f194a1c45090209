import type { Verdict } from '../domain/verdict.ts';
import type { Evidence, Standing } from './evidence.ts';
import type { Explanation } from './explanation.ts';
import type { TrustRules } from './trust.ts';

/** The port of scoring: facts in, verdict out. Pure, so that the same evidence has the same answer for ever. */
export interface ScoringModel {
  /** Short name and version, e.g. `link-claim/2`. */
  readonly name: string;
  /** How much two kinds' match counts, 0 to 1: the order in which "the weaker of the two" is decided (silent: 2.3). */
  weightOfKind(kind: string): number;
  /** What a reporter's word is worth while nothing is learnt of it. */
  standingOf(reporter: { readonly verified: boolean }): Standing;
  /** How standings are learnt from the reports; a model without it goes by {@link standingOf} for ever. */
  readonly trust?: TrustRules;
  /** The same as {@link score} before rounding. */
  measure(evidence: Evidence): Measure;
  /** Zero in all three without a report; otherwise points and reported of at least 1 and reliability from 1.0. */
  score(evidence: Evidence): Verdict;
  /** Where the verdict comes from, to the last digit. */
  explain(evidence: Evidence): Explanation;
}

/** Unrounded figures in the units of the verdict: points 0 to 100, reliability 0 to 10. */
export interface Measure {
  /** A comparison's own scale where it has no upper end (a sum of severities). */
  readonly points: number;
  readonly reliability: number;
  /** Reliability as the chance that the reports are right and about this person, 0 to 1; undefined for a model that states none. */
  readonly chance: number | undefined;
}
