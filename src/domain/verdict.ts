/** What the stored reports say about the asked identifiers (spec 4.4). The three are zero together or not at all (silent: 4.4). */
export interface Verdict {
  /** Weighted score, an integer 0 to 100; higher is riskier. */
  readonly points: number;
  /** Number of matching live reports, duplicates included. */
  readonly reported: number;
  /** Confidence, 0.0 to 10.0 in steps of 0.1; higher is more reliable. */
  readonly reliability: number;
}

/** What a query answers: the verdict and where anyone can read what is behind it. */
export interface QueryResult extends Verdict {
  /** Absolute URL without a hyphen; its final path segment is the 40-hex hash that the viewer takes. */
  readonly link: string;
}
