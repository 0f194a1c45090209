/** A live report that shares at least one identifier with the query. */
export interface EvidenceReport {
  /** Identifies the report. Breaks ties: among equals, the lowest id is the strongest. */
  readonly reportId: string;
  /** Key of `Evidence.standings`. All reports of one reporter are one voice. */
  readonly reporterId: string;
  /** Offence type: selects the factor in `typeWeights`. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Age at the time of the query, never negative. The engine passes whole days. */
  readonly ageDays: number;
  /** Identifiers that the report shares with the query: at least one, each hash once. */
  readonly shared: readonly SharedIdentifier[];
  /** True while a dispute is open. A report with an upheld dispute is no evidence. */
  readonly disputed?: boolean;
}

/** An identifier that a report and the query have. */
export interface SharedIdentifier {
  /** Any text that identifies the value. Models only compare it. */
  readonly hash: string;
  /** If query and report have different kinds for the hash, the weaker one (protocol 2.3, our choice). */
  readonly kind: string;
}

/** How much a reporter's word counts. */
export interface Standing {
  /** Chance that a report of this reporter is right, 0 to 1. */
  readonly precision: number;
  /** The record is good enough to confirm the claims of others. Every verified reporter is established. */
  readonly established: boolean;
  /** The operator has verified the reporter. Only verified voices can say more together than `unverifiedMost`. */
  readonly verified: boolean;
}

/** The complete input of a model. A model reads no clock, no store and no random numbers. */
export interface Evidence {
  /** Each report once, in any order. */
  readonly reports: readonly EvidenceReport[];
  /** By reporter id. A missing reporter has the standing of a new key. */
  readonly standings: ReadonlyMap<string, Standing>;
}
