/** An operator's enquiry into one report (silent: 3). A report whose dispute was upheld counts for nothing any more. */
export interface Dispute {
  /** 16 lowercase hex characters. */
  readonly reportId: string;
  readonly reporterId: string;
  /** Milliseconds since the epoch, UTC; null while it is open. */
  readonly openedAt: number;
  readonly decidedAt: number | null;
  /** Who opened and who decided it: names of the operator's people. */
  readonly openedBy: string;
  readonly decidedBy: string | null;
  /** Why it was opened; empty once the report is deleted. */
  readonly reason: string;
  /** True: the report was wrong. Null while it is open. */
  readonly upheld: boolean | null;
  /** True when the report was deleted while another wrong one of its reporter about the same person stayed: the two cost one claim, which that one stands for. */
  readonly merged: boolean;
}

/** How a report stands after its disputes: the last one counts. */
export type DisputeState = 'none' | 'open' | 'upheld' | 'rejected';

/** The state at a moment, of one report's disputes in any order. */
export function disputeStateAt(disputes: readonly Dispute[], atMs: number): DisputeState {
  let last: Dispute | undefined;
  for (const dispute of disputes)
    if (dispute.openedAt <= atMs && (last === undefined || dispute.openedAt > last.openedAt)) last = dispute;
  if (last === undefined) return 'none';
  if (last.decidedAt === null || last.decidedAt > atMs) return 'open';
  return last.upheld === true ? 'upheld' : 'rejected';
}
