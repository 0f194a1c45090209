import { SHA256 } from '../../crypto/crypto.ts';
import {
  formatAuditEntry,
  NO_ENTRY,
  type AuditEntry,
  type AuditPage,
  type AuditVerification,
  type DamagedEntry,
} from '../../domain/audit.ts';
import { StoreDamagedError } from '../errors.ts';
import { AUDIT } from './catalogue.ts';
import { requireSorted, walkTable } from './pages.ts';
import { ask, decode, isSound } from './rows.ts';
import { sql, type SqlRow, type SqlWork } from './statement.ts';
import { shape } from './table.ts';

/** Without checksums: the chain is verified instead. */
const UNVERIFIED = shape(AUDIT.columns);
const SEQ = shape({ seq: AUDIT.columns.seq });
const PAGE = 500;
/** Entries that a search looks at between two pauses: a few milliseconds. */
const SLICE = 5_000;

/**
 * Returns a page of entries. One damaged entry does not hide the others. With `action`, the stored action is compared:
 * an entry whose action is damaged is missing, and {@link verifyAudit} finds it. No index has the actions: an operator
 * rarely searches a log, and each entry would pay for the index. A million entries take the database a few tenths of a
 * second, one slice at a time.
 */
export function* listAudit({ after = 0, before, action, limit }: AuditPage): SqlWork<(AuditEntry | DamagedEntry)[]> {
  // -1: newest first.
  const step = before === undefined ? 1 : -1;
  const [beyond, order] = step === 1 ? ['>', 'seq'] : ['<', 'seq DESC'];
  const wanted = action === undefined ? [] : [action].flat();
  const isWanted = action === undefined ? '' : ` AND action IN (${wanted.map(() => '?').join(', ')})`;
  const condition = `seq BETWEEN ? AND ?${isWanted}`;
  const found: (AuditEntry | DamagedEntry)[] = [];
  let place = before === undefined ? after : Math.min(before, Number.MAX_SAFE_INTEGER);
  while (found.length < limit) {
    const [next] = yield* ask(SEQ, `SELECT seq FROM audit WHERE seq ${beyond} ? ORDER BY ${order} LIMIT 1`, place);
    if (!next) break;
    requireSorted(AUDIT.name, [[step * next.seq]], [step * place]);
    place = next.seq + step * (SLICE - 1);
    const rows = yield* sql(
      `SELECT ${AUDIT.plan.columns} FROM audit WHERE ${condition} ORDER BY ${order} LIMIT ?`,
      ...[next.seq, place].sort((a, b) => a - b),
      ...wanted,
      limit - found.length,
    );
    found.push(...rows.flatMap(toEntries));
    yield { pause: true };
  }
  requireSorted(
    AUDIT.name,
    found.map(({ seq }) => [step * seq]),
  );
  return found;
}

function toEntries(row: SqlRow): (AuditEntry | DamagedEntry)[] {
  if (isSound(AUDIT.plan, row)) return decode<AuditEntry>(AUDIT.name, UNVERIFIED.plan, [row]);
  return decode<{ seq: number }>(AUDIT.name, SEQ.plan, [row]).map(({ seq }) => ({ seq, damaged: true }));
}

/** Recomputes the chain of the audit log. Its rows may be damaged. */
export function* verifyAudit(head?: string): SqlWork<AuditVerification> {
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
        found.digest === SHA256.digest(formatAuditEntry({ ...found, ...expected }));
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
