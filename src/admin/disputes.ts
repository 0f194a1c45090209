import { disputeStateAt, type Dispute } from '../domain/dispute.ts';
import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from '../engine/context.ts';
import { proveNote, proveWho } from './note.ts';

/** What an operator does when a report is said to be wrong (silent: 3). */
export interface Disputes {
  /**
   * Opens a dispute about a report: until it is decided the report counts half. `by` is who opens it, `reason` why, 1 to 500 code points.
   * Refused with `unknown-report`, `dispute-open`, `invalid-name` or `invalid-note`.
   */
  openDispute(request: { readonly reportId: string; readonly reason: string; readonly by: string }): Promise<Outcome<void>>;
  /**
   * Decides the open dispute about a report. Upheld: the report was wrong, counts for nothing, is not shown, and costs its reporter standing. Rejected: it counts as before.
   * Another dispute may be opened later. Refused with `no-open-dispute` or `invalid-name`.
   */
  decideDispute(request: { readonly reportId: string; readonly upheld: boolean; readonly by: string }): Promise<Outcome<void>>;
  /** All disputes, the newest first. */
  listDisputes(): Promise<readonly Dispute[]>;
}

export function createDisputes({ store, clock, trust }: EngineContext): Disputes {
  return {
    async openDispute({ reportId, reason, by }) {
      const note = proveNote({ by, reason });
      if (!note.ok) return note;
      if (!isCode(reportId)) return refuse({ reason: 'unknown-report' });
      const opened = await store.openDispute({ reportId, openedAt: clock(), openedBy: note.value.by, reason: note.value.reason });
      if (opened !== 'opened') return refuse({ reason: opened === 'open' ? 'dispute-open' : 'unknown-report' });
      // An upheld one that is open again is not lost any more.
      await changeLoss(reportId, -1);
      return accept(undefined);
    },

    async decideDispute({ reportId, upheld, by }) {
      if (typeof upheld !== 'boolean') throw new TypeError(`"upheld" expected true or false, got ${typeof upheld}`);
      const who = proveWho(by);
      if (!who.ok) return who;
      if (!isCode(reportId)) return refuse({ reason: 'no-open-dispute' });
      if ((await store.decideDispute({ reportId, upheld, decidedAt: clock(), decidedBy: who.value })) === 'none') return refuse({ reason: 'no-open-dispute' });
      if (upheld) await changeLoss(reportId, 1);
      return accept(undefined);
    },

    listDisputes: () => store.listDisputes(),
  };

  async function changeLoss(reportId: string, sign: 1 | -1): Promise<void> {
    const disputes = await store.findDisputes([reportId]);
    const last = disputes.reduce((a, b) => (a.openedAt > b.openedAt ? a : b));
    const before = disputeStateAt(disputes.filter((dispute) => dispute !== last), Infinity);
    if (sign === 1 || before === 'upheld') await trust?.lossChanged(last.reporterId, sign, last.decidedAt ?? last.openedAt);
  }
}
