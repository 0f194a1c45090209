/** An operator's inquiry into one report (spec 3 is silent). A report with an upheld dispute no longer counts. */
export interface Dispute {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC. */
  readonly openedAt: number;
  /** Milliseconds since the epoch, UTC; null while the dispute is open. */
  readonly decidedAt: number | null;
  /** Name of the person who opened the dispute for the operator. */
  readonly openedBy: string;
  /** Name of the person who decided the dispute for the operator; null while it is open. */
  readonly decidedBy: string | null;
  /** Reason for opening; empty after the report was deleted. */
  readonly reason: string;
  /** True if the report was wrong; null while the dispute is open. */
  readonly upheld: boolean | null;
  /**
   * True if another report already counts for the same wrong claim. Set when the report was deleted while the same
   * reporter had another wrong report about the same person. Both reports together cost one claim.
   */
  readonly merged: boolean;
}

/** State of a report's disputes, taken from the newest dispute. */
export type DisputeState = 'none' | 'open' | 'upheld' | 'rejected';

/**
 * Returns the state at `atMs` (ms, UTC); with `Infinity`, the state that is stored now. Pass all disputes of one
 * report, in any order.
 */
export function disputeStateAt(disputes: readonly Dispute[], atMs: number): DisputeState {
  let last: Dispute | undefined;
  for (const dispute of disputes)
    if (dispute.openedAt <= atMs && (last === undefined || dispute.openedAt > last.openedAt)) last = dispute;
  if (last === undefined) return 'none';
  if (last.decidedAt === null || last.decidedAt > atMs) return 'open';
  return last.upheld === true ? 'upheld' : 'rejected';
}
