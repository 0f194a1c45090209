import { toWho } from '../domain/actor.ts';
import type { Dispute } from '../domain/dispute.ts';
import { isCode } from '../domain/identifier.ts';
import { requireBoolean } from '../domain/options.ts';
import { accept, refuse, type Outcome } from '../domain/refusal.ts';
import type { EngineContext } from '../engine/context.ts';
import { toStatement } from './statement.ts';

/** Disputes about reports (spec 3 is silent). */
export interface Disputes {
  /**
   * Opens a dispute about a report. Until the decision, the report counts half. After a decision, you can open another
   * dispute, even if the report was deleted. `by` is the person who opens it; `reason` has 1 to 500 code points.
   * Refuses with `unknown-report`, `dispute-open`, `invalid-name` or `invalid-note`.
   */
  openDispute(request: {
    readonly reportId: string;
    readonly reason: string;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /**
   * Decides the open dispute about a report. If upheld, the report was wrong: it is not counted or shown, and its
   * reporter's standing falls. If rejected, the report counts as before. Refuses with `no-open-dispute` or
   * `invalid-name`.
   */
  decideDispute(request: {
    readonly reportId: string;
    readonly upheld: boolean;
    readonly by: string;
  }): Promise<Outcome<void>>;
  /** Returns all disputes, newest first. */
  listDisputes(): Promise<readonly Dispute[]>;
}

export function createDisputes({ store, clock, standings }: EngineContext): Disputes {
  return {
    async openDispute({ reportId, reason, by }) {
      const statement = toStatement(by, reason);
      if (!statement.ok) return statement;
      if (!isCode(reportId)) return refuse({ reason: 'unknown-report' });
      // The newest dispute decides. Give it the latest time, even if the clock was set back.
      const atMs = clock();
      let openedAt = atMs;
      for (const earlier of await store.findDisputes([reportId]))
        openedAt = Math.max(openedAt, earlier.openedAt + 1, (earlier.decidedAt ?? 0) + 1);
      const opened = await store.openDispute(
        { reportId, openedAt, openedBy: statement.value.by, reason: statement.value.reason },
        { actor: statement.value.by, atMs },
      );
      if (opened !== 'opened') return refuse({ reason: opened === 'open' ? 'dispute-open' : 'unknown-report' });
      await standings?.disputed(reportId);
      return accept(undefined);
    },

    async decideDispute({ reportId, upheld, by }) {
      requireBoolean('upheld', upheld);
      const who = toWho(by);
      if (!who.ok) return who;
      if (!isCode(reportId)) return refuse({ reason: 'no-open-dispute' });
      const open = (await store.findDisputes([reportId])).find(({ decidedAt }) => decidedAt === null);
      const note = { actor: who.value, atMs: clock() };
      const decidedAt = Math.max(note.atMs, open?.openedAt ?? 0);
      const decision = { reportId, upheld, decidedAt, decidedBy: who.value };
      if ((await store.decideDispute(decision, note)) === 'none') return refuse({ reason: 'no-open-dispute' });
      await standings?.disputed(reportId);
      return accept(undefined);
    },

    listDisputes: () => store.listDisputes(),
  };
}
