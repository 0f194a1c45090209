/** One live report that shares at least one identifier with the query. */
export interface EvidenceReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Days between the report and the moment of the question, never negative. The engine counts whole ones. */
  readonly ageDays: number;
  /** What it shares with the query, at least one entry, each hash once. */
  readonly shared: readonly SharedIdentifier[];
  /** True while the operator looks into a dispute about it. (One whose dispute was upheld is no evidence.) */
  readonly disputed?: boolean;
}

/** An identifier that the query and a report have in common. */
export interface SharedIdentifier {
  readonly hash: string;
  /** The kind that counts: where query and report name different kinds, the one with the weaker weight (silent: 2.3). */
  readonly kind: string;
}

/** Whose word it is. */
export interface Standing {
  /** Chance that a report of this reporter is right, 0 to 1. */
  readonly precision: number;
  /** An established voice counts alone; the others are a crowd that is weighed together. */
  readonly established: boolean;
}

/** All that a model may look at: no clock, no store, no randomness. */
export interface Evidence {
  readonly reports: readonly EvidenceReport[];
  /** By reporter id; a reporter that is missing has the standing of a new key. */
  readonly standings: ReadonlyMap<string, Standing>;
}
