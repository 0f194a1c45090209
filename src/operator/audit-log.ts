import {
  OUTSIDE_ACTIONS,
  toAuditNote,
  type AuditEntry,
  type AuditPage,
  type AuditVerification,
  type DamagedEntry,
} from '../core/domain/audit.ts';
import { isCode } from '../core/domain/identifier.ts';
import { refuseUnknown, requireOneOf, requireString, requireWhole } from '../core/domain/options.ts';
import { accept, type Outcome } from '../core/domain/refusal.ts';
import type { WithContext } from '../core/engine/context.ts';

/** The record of what operators did. Nothing deletes its entries, not even an erasure. */
export interface AuditLog {
  /**
   * Returns entries of the audit log: oldest first from the one after `after` (a `seq`, default 0: from the first), or
   * newest first from the one before `before` (Infinity: from the newest). `action`: only entries of this action, or of
   * one of these; an entry whose action is damaged is then missing, and `verifyAudit` finds it. `limit` is the maximum
   * number (1 to 10,000, default 1,000). Of a damaged entry, only `seq` is returned. Rejects with TypeError if both
   * `after` and `before` are given.
   */
  listAudit(page?: Partial<AuditPage>): Promise<readonly (AuditEntry | DamagedEntry)[]>;
  /**
   * Recomputes the digests of all entries. With `head` (64 lowercase hex), also looks for this digest: without a head
   * that you noted elsewhere, a log that was cut off or rewritten as a whole cannot be detected.
   */
  verifyAudit(request?: { readonly head?: string }): Promise<AuditVerification>;
  /**
   * Records an action that the engine cannot see: it copies the store, or changes files beside it. `subject` is 16
   * lowercase hex characters, such as the fingerprint of the pepper. `amount` is a whole number, such as the rows of
   * an import. `by` is the person who acts (default `engine`). Refuses with `invalid-name`. Rejects with TypeError or
   * RangeError for another value.
   */
  recordAction(request: {
    readonly action: OutsideAction;
    readonly subject?: string;
    readonly amount?: number;
    readonly by?: string | undefined;
  }): Promise<Outcome<void>>;
}

export type OutsideAction = (typeof OUTSIDE_ACTIONS)[number];

const DEFAULT_ENTRIES = 1_000;
const MAX_ENTRIES = 10_000;

/** Returns the audit log of an engine. */
export function createAuditLog({ context }: WithContext): AuditLog {
  const { store, effects } = context;
  const { clock } = effects;
  return context.secretCheck.guard<AuditLog>({
    async listAudit(page = {}) {
      refuseUnknown(page, ['after', 'before', 'action', 'limit']);
      const { after, before, action, limit = DEFAULT_ENTRIES } = page;
      if (after !== undefined && before !== undefined) throw new TypeError('expected "after" or "before", got both');
      if (after !== undefined) requireWhole('after', after, 0);
      if (before !== undefined && before !== Infinity) requireWhole('before', before, 1);
      for (const one of action === undefined ? [] : [action].flat()) requireString('action', one);
      requireWhole('limit', limit, 1, MAX_ENTRIES);
      return store.listAudit({ after, before, action, limit });
    },

    async verifyAudit(request = {}) {
      refuseUnknown(request, ['head']);
      const { head } = request;
      if (head !== undefined && !(typeof head === 'string' && /^[0-9a-f]{64}$/.test(head)))
        throw new TypeError('"head" expected 64 lowercase hex characters');
      return store.verifyAudit(head);
    },

    async recordAction(request) {
      refuseUnknown(request, ['action', 'subject', 'amount', 'by']);
      const { action, subject, amount, by } = request;
      requireOneOf('action', action, OUTSIDE_ACTIONS);
      if (subject !== undefined && !isCode(subject))
        throw new TypeError('"subject" expected 16 lowercase hex characters');
      if (amount !== undefined) requireWhole('amount', amount, 0);
      const note = toAuditNote(by, clock);
      if (!note.ok) return note;
      await store.addAuditEntry({
        ...note.value,
        action,
        reporterId: null,
        subject: subject ?? null,
        amount: amount ?? null,
      });
      return accept(undefined);
    },
  });
}
