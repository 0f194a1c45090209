import type { Verdict } from '../domain/verdict.ts';
import type { Evidence, Standing } from './evidence.ts';

/** The port of scoring: facts in, verdict out. Pure, so that the same evidence has the same answer for ever. */
export interface ScoringModel {
  /** Short name and version, e.g. `link-claim/1`. */
  readonly name: string;
  /** How much two kinds' match counts, 0 to 1: the order in which "the weaker of the two" is decided (silent: 2.3). */
  weightOfKind(kind: string): number;
  /** What a reporter's word is worth before anything is learnt of it. */
  standingOf(reporter: { readonly verified: boolean }): Standing;
  /** Zero in all three without a report; otherwise points and reported of at least 1 and reliability from 1.0. */
  score(evidence: Evidence): Verdict;
}
