/**
 * Score of a set of identifiers (protocol 4.4). Without a matching report, all three numbers are zero; otherwise none
 * of them is zero (protocol 4.4, our choice).
 */
export interface Verdict {
  /** Weighted score, an integer 0 to 100; higher is riskier. */
  readonly points: number;
  /** Number of matching live reports, duplicates included. */
  readonly reported: number;
  /** Confidence, 0.0 to 10.0 in steps of 0.1; higher is more reliable. */
  readonly reliability: number;
}

/** Answer to a query: the verdict and the public address of the reports behind it. */
export interface QueryResult extends Verdict {
  /** Absolute URL without a hyphen. Its final path segment is the 40-hex hash for the viewer (protocol 4.5). */
  readonly link: string;
}
