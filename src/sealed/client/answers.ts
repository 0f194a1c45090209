import type { Verdict } from '../../core/domain/verdict.ts';
import type { Explanation } from '../../core/scoring/explanation.ts';

/** The score, as the service computes it from the same reports. */
export interface SealedScore extends Verdict {
  /** Tells the answers apart. */
  readonly answer: 'score';
  /** Time of the published rows. Milliseconds, UTC. */
  readonly asOf: number;
  /**
   * The numbers behind the score, if they were asked for. Ids are those of the rows: the number of a reporter in
   * five digits, and the tag of a report.
   */
  readonly explanation?: Explanation;
}

/** Why there is no score. */
export type UnknownReason =
  /** The service has not been reached since the start, and nothing is kept. */
  | 'no-manifest'
  /** An identifier is not evaluated, and the service does not evaluate it now. */
  | 'no-evaluation'
  /** A limit or daily budget is used up. */
  | 'rate-limited';

/** There is no score. This says nothing about the person: let a policy decide. */
export interface SealedUnknown {
  /** Tells the answers apart. */
  readonly answer: 'unknown';
  /** The reason, for a log or a policy. */
  readonly why: UnknownReason;
  /** Seconds after which to ask again, if the service sent them. */
  readonly retryAfterSeconds: number | null;
}

/** The rows are too old, and the service has no newer ones or does not answer. Let a policy decide. */
export interface SealedStale {
  /** Tells the answers apart. */
  readonly answer: 'stale';
  /** Time of the rows. Milliseconds, UTC. */
  readonly asOf: number;
}

/** An answer of a sealed query. Only `score` says something about the person. */
export type SealedAnswer = SealedScore | SealedUnknown | SealedStale;
