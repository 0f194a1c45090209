/** The place of a report among those of its reporter. */
export interface ReportPlace {
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
  /** 16 lowercase hex characters. */
  readonly reportId: string;
}

/** A live report, as its reporter sees it. */
export interface ReportOfReporter extends ReportPlace {
  /** Offence type. */
  readonly type: string;
  /** 1 to 10. */
  readonly severity: number;
  /** Public description. */
  readonly text: string;
  /** Kinds of its identifiers, each once, in the order of submission. */
  readonly kinds: readonly string[];
  /** Number of requests of persons to open a dispute about it. */
  readonly requests: number;
}

/** Identifiers in queries of one reporter on one day. */
export interface CountedDay {
  /** Start of the day (ms, UTC). */
  readonly dayAt: number;
  /** Number of identifiers in queries. */
  readonly identifiers: number;
}
