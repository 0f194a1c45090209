/**
 * The facts behind a reporter's standing. A claim is all reports of one reporter about one person. Two reports are
 * about one person if they share an identifier of a kind that is not weak. The letters are the symbols in
 * core/scoring/standings/rules.ts.
 */
export interface TrustRecord {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** True if the operator verified the reporter. A verified reporter is established without a record. */
  readonly verified: boolean;
  /** N: claims. */
  readonly claims: number;
  /** F: claims that another reporter made first. */
  readonly preceded: number;
  /** X: claims lost to an upheld dispute. */
  readonly lost: number;
  /** A: sum of the chances that others confirm a claim, over the confirmable claims. */
  readonly corroborated: number;
  /**
   * N': claims from days before the epoch whose confirmation counts. Those of a verified reporter count from an age of
   * `TrustConstants.confirmableDays`.
   */
  readonly confirmable: number;
  /** L: the part of A from mature claims that this reporter made first. */
  readonly led: number;
  /** E: claims that others made first, if none of these others is established. */
  readonly echoed: number;
  /** N of the mature claims. A mature claim is old enough at the epoch to count towards "established". */
  readonly matureClaims: number;
  /** F of the mature claims. */
  readonly maturePreceded: number;
}

/**
 * Sums at the beginning of the day, over verified reporters only. The names say "established", because journals,
 * columns and the exported type have them.
 */
export interface TrustSums {
  /** Sum of N'. */
  readonly establishedClaims: number;
  /** Sum of A, at most what it would be at the usual share of confirmed claims. */
  readonly establishedCorroborated: number;
}
