import { disputeStateAt, type Dispute } from '../../domain/dispute.ts';
import type { StoredIdentifier } from '../../store/records.ts';
import { toEffect, type ReportEffect, type StandingsState, type ReportFacts } from './state.ts';

/** One report about one hash. */
export type PastReport = Pick<StoredIdentifier, 'hash' | 'reporterId' | 'reportId' | 'createdAt' | 'disputed'>;

/**
 * Who reported some hashes, and when, in memory. It gives the effects of many reports without reading the store for
 * each, so that a day's reports about one person cost time linear in their number.
 */
export interface Past {
  /** Adds an identifier of a strong kind. Ask for the effect of a report after all earlier ones of its hashes. */
  add(report: PastReport): void;
  /** Returns the effect of a report. Ask for reports in the order of time. The state must know all reporters. */
  effectOf(report: ReportFacts): ReportEffect;
}

/** From `atMs` on, one more (1) or one less (−1) disputed report counts as right. */
interface Change {
  readonly atMs: number;
  readonly by: 1 | -1;
  readonly established: boolean;
}

interface OnHash {
  /** The first report of each reporter. */
  readonly firsts: Map<string, PastReport>;
  /** Time of the first report that was never disputed, and of the first one of an established reporter. */
  rightAt: number;
  establishedAt: number;
  /** Changes to come, oldest first after sorting. */
  changes: Change[];
  sorted: boolean;
  /** Number of changes that have happened, and how many disputed reports count as right since. */
  happened: number;
  right: number;
  rightEstablished: number;
}

/** `disputesOf` returns all disputes about a report. */
export function createPast(
  state: StandingsState,
  disputesOf: (reportId: string) => readonly Dispute[] | undefined,
): Past {
  const hashes = new Map<string, OnHash>();

  const happenUntil = (on: OnHash, atMs: number): void => {
    if (!on.sorted) {
      on.changes = on.changes.slice(on.happened).sort((a, b) => a.atMs - b.atMs);
      on.happened = 0;
      on.sorted = true;
    }
    for (let next = on.changes[on.happened]; next && next.atMs <= atMs; next = on.changes[on.happened]) {
      on.happened++;
      on.right += next.by;
      if (next.established) on.rightEstablished += next.by;
    }
  };

  return {
    add(report) {
      const { hash, reporterId, reportId, createdAt, disputed } = report;
      let on = hashes.get(hash);
      if (on === undefined) hashes.set(hash, (on = createOnHash()));
      const first = on.firsts.get(reporterId);
      if (first === undefined || isBefore(report, first)) on.firsts.set(reporterId, report);
      const established = state.isEstablished(reporterId);
      if (disputed) {
        for (const change of changesOf(createdAt, disputesOf(reportId) ?? []))
          on.changes.push({ ...change, established });
        on.sorted = false;
        return;
      }
      on.rightAt = Math.min(on.rightAt, createdAt);
      if (established) on.establishedAt = Math.min(on.establishedAt, createdAt);
    },

    effectOf(report) {
      const { reporterId, createdAt, identifiers } = report;
      // Without an identifier that counts, a report makes no claim.
      let isOfClaim = identifiers.length === 0;
      let isPreceded = false;
      let isConfirmed = false;
      for (const { hash } of identifiers) {
        const on = hashes.get(hash);
        if (on === undefined) continue;
        const first = on.firsts.get(reporterId);
        isOfClaim ||= first !== undefined && isBefore(first, report);
        if (on.changes.length > 0) happenUntil(on, createdAt);
        isPreceded ||= on.rightAt < createdAt || on.right > 0;
        isConfirmed ||= on.establishedAt < createdAt || on.rightEstablished > 0;
      }
      return toEffect(isOfClaim, isPreceded, isConfirmed);
    },
  };
}

/** True if `a` counts as earlier. Of reports of one millisecond, the one with the lower id does. */
export function isBefore(
  a: Pick<ReportFacts, 'createdAt' | 'reportId'>,
  b: Pick<ReportFacts, 'createdAt' | 'reportId'>,
): boolean {
  return a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.reportId < b.reportId);
}

function createOnHash(): OnHash {
  return {
    firsts: new Map(),
    rightAt: Infinity,
    establishedAt: Infinity,
    changes: [],
    sorted: true,
    happened: 0,
    right: 0,
    rightEstablished: 0,
  };
}

/** Returns when a disputed report begins and ceases to count as right for later reports. */
function* changesOf(createdAt: number, disputes: readonly Dispute[]): Generator<Pick<Change, 'atMs' | 'by'>> {
  const moments = disputes.flatMap(({ openedAt, decidedAt }) =>
    decidedAt === null ? [openedAt] : [openedAt, decidedAt],
  );
  let isRight = false;
  // A report precedes others from the next millisecond on.
  for (const atMs of [createdAt + 1, ...moments.filter((moment) => moment > createdAt).sort((a, b) => a - b)]) {
    const isRightNow = disputeStateAt(disputes, atMs) !== 'upheld';
    if (isRightNow !== isRight) yield { atMs, by: isRightNow ? 1 : -1 };
    isRight = isRightNow;
  }
}
