import type { Dispute } from '../domain/dispute.ts';
import { isCode } from '../domain/identifier.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from '../engine/context.ts';
import { proveNote, proveWho } from './note.ts';

/** What an operator does when a report is said to be wrong (silent: 3). */
export interface Disputes {
  /**
   * Opens a dispute about a report, which counts half until it is decided; one that was upheld may be looked into again, also once its report is deleted. `by` is who opens it, `reason` why, 1 to 500 code points.
   * Refused with `unknown-report`, `dispute-open`, `invalid-name` or `invalid-note`.
   */
  openDispute(request: {
    readonly reportId: string;
    readonly reason: string;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /**
   * Decides the open dispute about a report. Upheld: the report was wrong, counts for nothing, is not shown, and costs its reporter standing. Rejected: it counts as before.
   * Another dispute may be opened later. Refused with `no-open-dispute` or `invalid-name`.
   */
  decideDispute(request: {
    readonly reportId: string;
    readonly upheld: boolean;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /** All disputes, the newest first. */
  listDisputes(): Promise<readonly Dispute[]>;
}

export function createDisputes({ store, clock, trust }: EngineContext): Disputes {
  return {
    async openDispute({ reportId, reason, by }) {
      const note = proveNote({ by, reason });
      if (!note.ok) return note;
      if (!isCode(reportId)) return refuse({ reason: 'unknown-report' });
      // The order of time says which was the last, also when a clock stands still or was set back.
      const last = Math.max(
        -1,
        ...(await store.findDisputes([reportId])).map(({ openedAt, decidedAt }) => Math.max(openedAt, decidedAt ?? 0)),
      );
      const opened = await store.openDispute({
        reportId,
        openedAt: Math.max(clock(), last + 1),
        openedBy: note.value.by,
        reason: note.value.reason,
      });
      if (opened !== 'opened') return refuse({ reason: opened === 'open' ? 'dispute-open' : 'unknown-report' });
      await recount(reportId);
      return accept(undefined);
    },

    async decideDispute({ reportId, upheld, by }) {
      if (typeof upheld !== 'boolean') throw new TypeError(`"upheld" expected true or false, got ${typeof upheld}`);
      const who = proveWho(by);
      if (!who.ok) return who;
      if (!isCode(reportId)) return refuse({ reason: 'no-open-dispute' });
      const open = (await store.findDisputes([reportId])).find(({ decidedAt }) => decidedAt === null);
      const decidedAt = Math.max(clock(), open?.openedAt ?? 0);
      if ((await store.decideDispute({ reportId, upheld, decidedAt, decidedBy: who.value })) === 'none')
        return refuse({ reason: 'no-open-dispute' });
      await recount(reportId);
      return accept(undefined);
    },

    listDisputes: () => store.listDisputes(),
  };

  /** What is lost is lost once it is upheld, and until it is open again. */
  async function recount(reportId: string): Promise<void> {
    const [dispute] = await store.findDisputes([reportId]);
    await trust?.disputed(dispute!.reporterId);
  }
}
