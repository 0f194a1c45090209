import { SHA256 } from '../../crypto/sha256.ts';
import { auditText, NO_ENTRY, type AuditedAction, type AuditEntry, type AuditNote } from '../../domain/audit.ts';
import { StoreDamagedError } from '../errors.ts';
import { AUDIT } from './catalogue.ts';
import type { StoreWork } from './methods.ts';
import { readPage, walkTable } from './pages.ts';
import { decode, find, put, read } from './rows.ts';
import type { SqlRow, SqlWork } from './statement.ts';
import { pick, shape } from './table.ts';

const LAST = pick(AUDIT, 'seq', 'digest');
/** Without checksums: the chain is verified instead. */
const UNVERIFIED = shape(AUDIT.columns);
const PAGE = 500;

/** The audit log. Each entry contains the digest of the previous one. */
export const AUDIT_WORK = {
  *addAuditEntry(action, onceSince) {
    yield AUDIT_LOCK;
    if (onceSince !== undefined && action.subject !== null) {
      const known = yield* find(AUDIT, 'subject', [action.subject]);
      if (known.some((entry) => entry.action === action.action && entry.atMs >= onceSince)) return 'known';
    }
    yield* append(action);
    return 'added';
  },

  listAudit: ({ after, limit }) => readPage(AUDIT, { by: ['seq'], after: { seq: after }, limit }) as Listed,

  *verifyAudit(head) {
    const state = { entries: 0, head: NO_ENTRY, firstBad: null as number | null, hasHead: head === NO_ENTRY };
    let after: SqlRow | undefined;
    for (;;) {
      const { rows } = yield* walkTable(AUDIT, PAGE, after);
      for (const row of rows) {
        state.entries++;
        const found = decodeLoosely(row);
        const expected = { ...found, seq: state.entries, previous: state.head };
        const isSound =
          found !== undefined &&
          found.seq === expected.seq &&
          found.previous === expected.previous &&
          found.digest === SHA256.digest(auditText({ ...found, ...expected }));
        if (!isSound) state.firstBad ??= state.entries;
        state.head = found?.digest ?? NO_ENTRY;
        if (state.head === head) state.hasHead = true;
      }
      yield { pause: true };
      // After damage, the order of the rows is unknown, and paging might never end.
      if (rows.length < PAGE || state.firstBad !== null) break;
      after = rows.at(-1);
    }
    return { ...state, hasHead: head === undefined ? null : state.hasHead };
  },
} satisfies Partial<StoreWork>;

/** Taken last, after every other lock of the work: all processes append in one order, without deadlocks. */
const AUDIT_LOCK = { lock: ['audit'] };

type Listed = SqlWork<AuditEntry[]>;

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
  const [last] = yield* read(LAST, 'ORDER BY seq DESC LIMIT 1');
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
  yield* put(AUDIT, [{ ...entry, digest: SHA256.digest(auditText(entry)) }]);
}

/** Returns an entry of a row that may be damaged; undefined if its values have other types. */
function decodeLoosely(row: SqlRow): AuditEntry | undefined {
  try {
    const [entry] = decode('audit', UNVERIFIED.plan, [row]);
    return entry as AuditEntry | undefined;
  } catch (error) {
    if (error instanceof StoreDamagedError) return undefined;
    throw error;
  }
}
