import type { AuditNote } from '../domain/audit.ts';
import type { CountedDay, ReportOfReporter, ReportPlace } from '../domain/report.ts';

/** What reporters see and change, and what the operator changes of them. `store.ts` has the other operations. */
export interface StoreReporters {
  /** Changes what is given of a reporter. What is undefined stays. Records an action for each value that changes. */
  updateReporter(change: ReporterChange, note?: AuditNote): Promise<'updated' | 'unknown'>;
  /** Returns the counts of `addUsage` of one reporter, of days from `since` on (ms, UTC), oldest first. */
  findUsage(asked: { readonly reporterId: string; readonly since: number }): Promise<CountedDay[]>;
  /**
   * Returns live reports of one reporter, newest first (ties by id, the highest first), and the place to continue. A
   * search reads a bounded number of reports, so a page may be short or empty although more follow.
   */
  listReportsOf(asked: AskedReports): Promise<ReportPage>;
  /**
   * Stores what a reporter answers to the open dispute about its live report. Replaces an earlier answer. Nothing
   * changes if it is the same one.
   */
  answerDispute(
    answer: {
      readonly reportId: string;
      readonly reporterId: string;
      readonly answer: string;
      readonly answeredAt: number;
    },
    note?: AuditNote,
  ): Promise<'answered' | 'none'>;
}

/** What may change of a reporter. What is undefined stays. */
export interface ReporterChange {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** True if the operator vouches for it. */
  readonly verified?: boolean | undefined;
  /** True to refuse all its keys. */
  readonly suspended?: boolean | undefined;
  /** Null: the budget of the engine's options. */
  readonly identifiersPerDay?: number | null | undefined;
  /** Public. Null: none. */
  readonly contact?: string | null | undefined;
}

/** Which reports of one reporter to return. */
export interface AskedReports {
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Only older ones. Undefined: from the newest. */
  readonly before?: ReportPlace | undefined;
  /** Maximum number of reports. */
  readonly most: number;
  /** Only reports whose text contains this one. Upper and lower case are alike. */
  readonly text?: string | undefined;
  /**
   * Ids for which the text may stand. Without `before`, returns those reports of the reporter if there are any, instead
   * of a search.
   */
  readonly reportIds?: readonly string[] | undefined;
}

/** A live report with what its deletion code follows from. */
export interface ListedReport extends ReportOfReporter {
  /** 16 hex characters. The deletion code follows from it and the operator's secret. */
  readonly nonce: string;
}

/** Some reports of one reporter. */
export interface ReportPage {
  /** Newest first. */
  readonly reports: readonly ListedReport[];
  /** Pass it as `before` to continue. Undefined: there are no more. */
  readonly next?: ReportPlace | undefined;
}
