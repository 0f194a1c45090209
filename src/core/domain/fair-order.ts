/** What decides the place of a report in a list that is cut. */
export interface PlacedReport {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  /** 16 lowercase hex characters. */
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly createdAt: number;
}

/** Whether the operator vouches for a reporter, and whether its keys are refused. */
export interface ReporterState {
  readonly verified: boolean;
  readonly suspended: boolean;
}

/** The place of a report in the fair order. */
export interface FairPlace<T extends PlacedReport> {
  readonly report: T;
  /** From 1. */
  readonly round: number;
  /** 0: of a verified reporter. 1: of another one. 2: of a suspended one. */
  readonly group: number;
}

/** Suspended reporters have their second place after all places of others. */
const SUSPENDED_ROUND = 1e9;

/** Returns the place of a reporter's `nth` newest report, from 1. An unknown reporter is not verified. */
export function placeOf<T extends PlacedReport>(
  report: T,
  nth: number,
  state: ReporterState | undefined,
): FairPlace<T> {
  if (state?.suspended) return { report, round: nth > 1 ? SUSPENDED_ROUND + nth : 1, group: 2 };
  return { report, round: nth, group: state?.verified ? 0 : 1 };
}

/** Compares places, those to keep first. Ties of one millisecond are in any order. */
export function compareFair(a: FairPlace<PlacedReport>, b: FairPlace<PlacedReport>): number {
  return a.round - b.round || a.group - b.group || b.report.createdAt - a.report.createdAt;
}

/**
 * Orders reports so that a cut is fair, those to keep first: each reporter's newest report, then each one's second
 * newest, and so on. In a round, verified reporters come first, then others, then suspended ones; newest first. So no
 * reporter can push out another one's newest report, however many reports it makes.
 */
export function inFairOrder<T extends PlacedReport>(
  reports: readonly T[],
  stateOf: (reporterId: string) => ReporterState | undefined,
): FairPlace<T>[] {
  const counted = new Map<string, number>();
  return [...reports]
    .sort(newestFirst)
    .map((report) => {
      const nth = (counted.get(report.reporterId) ?? 0) + 1;
      counted.set(report.reporterId, nth);
      return placeOf(report, nth, stateOf(report.reporterId));
    })
    .sort(compareFair);
}

/** Compares two reports: newest first, ties by id. */
export function newestFirst(
  a: Pick<PlacedReport, 'createdAt' | 'reportId'>,
  b: Pick<PlacedReport, 'createdAt' | 'reportId'>,
): number {
  return b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1);
}
