import { SHA256 } from '../../crypto/crypto.ts';
import { formatAuditEntry, NO_ENTRY, type AuditedAction, type AuditNote } from '../../domain/audit.ts';
import { DAY_MS } from '../../domain/day.ts';
import { listAudit, verifyAudit } from './audit-chain.ts';
import { AUDIT } from './catalogue.ts';
import { hex, WHOLE } from './columns.ts';
import { ask, find, put } from './rows.ts';
import type { SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { shape } from './table.ts';

/** Without its checksum: after damage to the last entry, an operator must still be able to revoke a key. */
const LAST = shape({ seq: WHOLE, digest: hex(32) });

/** The audit log. Each entry contains the digest of the previous one. */
export const AUDIT_WORK = {
  *addAuditEntry(action, dayAt) {
    yield AUDIT_LOCK;
    if (dayAt !== undefined && action.subject !== null) {
      const known = yield* find(AUDIT, 'subject', [action.subject]);
      const isOfDay = ({ atMs }: { readonly atMs: number }): boolean => atMs >= dayAt && atMs < dayAt + DAY_MS;
      if (known.some((entry) => entry.action === action.action && isOfDay(entry))) return 'known';
    }
    yield* append(action);
    return 'added';
  },

  listAudit,
  verifyAudit,
} satisfies Partial<StoreWork>;

/** Taken last, after every other lock of the work: all processes append in one order, without deadlocks. */
const AUDIT_LOCK = { lock: ['audit'] };

/**
 * Records an action in the transaction that does it. Call it last. Without a note, records nothing: journals of older
 * versions have no notes.
 */
export function* record(
  note: AuditNote | undefined,
  action: Pick<AuditedAction, 'action'> & Partial<AuditedAction>,
): SqlWork<void> {
  if (!note) return;
  yield AUDIT_LOCK;
  yield* append({ reporterId: null, subject: null, amount: null, ...action, atMs: note.atMs, actor: note.actor });
}

/** Appends an entry. The caller has the lock. */
function* append({ atMs, actor, action, reporterId, subject, amount }: AuditedAction): SqlWork<void> {
  const [last] = yield* ask(LAST, 'SELECT seq, digest FROM audit ORDER BY seq DESC LIMIT 1');
  const entry = {
    seq: (last?.seq ?? 0) + 1,
    atMs,
    actor,
    action,
    reporterId,
    subject,
    amount,
    previous: last?.digest ?? NO_ENTRY,
  };
  yield* put(AUDIT, [{ ...entry, digest: SHA256.digest(formatAuditEntry(entry)) }]);
}
