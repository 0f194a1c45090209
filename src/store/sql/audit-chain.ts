import { SHA256 } from '../../crypto/sha256.ts';
import { auditText, NO_ENTRY, type AuditEntry, type AuditVerification, type DamagedEntry } from '../../domain/audit.ts';
import { damage, StoreDamagedError } from '../errors.ts';
import { AUDIT } from './catalogue.ts';
import { walkTable } from './pages.ts';
import { decode, isSound } from './rows.ts';
import type { SqlRow, SqlWork } from './statement.ts';
import { shape } from './table.ts';

/** Without checksums: the chain is verified instead. */
const UNVERIFIED = shape(AUDIT.columns);
const SEQ = shape({ seq: AUDIT.columns.seq });
const PAGE = 500;

/** Returns a page of entries in their order. One damaged entry does not hide the others. */
export function* listAudit(page: {
  readonly after: number;
  readonly limit: number;
}): SqlWork<(AuditEntry | DamagedEntry)[]> {
  // `seq` is the first column.
  const { rows, isSorted } = yield* walkTable(AUDIT, page.limit, [page.after]);
  if (!isSorted) throw damage('rows of audit are out of order: the table or an index is damaged');
  return rows.flatMap((row): (AuditEntry | DamagedEntry)[] =>
    isSound(AUDIT.plan, row)
      ? decode<AuditEntry>('audit', UNVERIFIED.plan, [row])
      : decode<{ seq: number }>('audit', SEQ.plan, [row]).map(({ seq }) => ({ seq, damaged: true })),
  );
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
