import type { Dispute } from '../../domain/dispute.ts';
import type { Protection } from '../../domain/protection.ts';
import { toBytes, toHex } from './bytes.ts';
import { each, EVERYBODY, lock, seenBy, sql, type SqlRow, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Disputes and the allow-list. */
export const MODERATION_WORK: Pick<
  StoreWork,
  'openDispute' | 'decideDispute' | 'findDisputes' | 'listDisputes' | 'addProtection' | 'endProtection' | 'findProtections' | 'listProtections'
> = {
  *openDispute({ reportId, openedAt, openedBy, reason }) {
    yield* lock(`report/${reportId}`);
    const id = toBytes(reportId);
    const [report] = yield* sql('SELECT reporter_id, removed_at FROM report WHERE report_id = ?', id);
    const before = yield* sql('SELECT opened_at, decided_at FROM dispute WHERE report_id = ?', id);
    // A report that is gone costs its reporter what it lost: that may be looked into again, and nothing else. Of the person it said something about no words are kept.
    if (!report || (report[1] !== null && before.length === 0)) return 'unknown';
    // One at a time, and in the order of time: the last one says how the report stands.
    if (before.some(([at, decidedAt]) => decidedAt === null || Number(at) >= openedAt)) return 'open';
    yield* sql('INSERT INTO dispute (report_id, reporter_id, opened_at, opened_by, reason) VALUES (?, ?, ?, ?, ?)', id, report[0]!, openedAt, openedBy, report[1] === null ? reason : '');
    yield* sql('UPDATE identifier SET disputed = 1 WHERE report_id = ?', id);
    // Whoever finds the report looks the dispute up from now on, and so hears of its end, too.
    yield* seenBy(EVERYBODY);
    return 'opened';
  },

  *decideDispute({ reportId, upheld, decidedAt, decidedBy }) {
    yield* lock(`report/${reportId}`);
    const id = toBytes(reportId);
    if ((yield* sql('SELECT 1 FROM dispute WHERE report_id = ? AND decided_at IS NULL', id)).length === 0) return 'none';
    yield* sql('UPDATE dispute SET decided_at = ?, decided_by = ?, upheld = ? WHERE report_id = ? AND decided_at IS NULL', decidedAt, decidedBy, Number(upheld), id);
    return 'decided';
  },

  *findDisputes(reportIds) {
    const rows = yield* each(`SELECT ${DISPUTE} FROM dispute WHERE report_id = ?`, reportIds.map((id) => [toBytes(id)]));
    return rows.flat().map((row) => toDispute(row));
  },

  *listDisputes() {
    const rows = yield* sql(`SELECT ${DISPUTE} FROM dispute ORDER BY opened_at DESC, report_id`);
    return rows.map((row) => toDispute(row));
  },

  *addProtection({ hash, reason, addedBy, addedAt, endsAt, generation = 0 }) {
    yield* lock(`protection/${hash}`);
    const bytes = toBytes(hash);
    if ((yield* sql('SELECT 1 FROM protection WHERE hash = ? AND (ends_at IS NULL OR ends_at > ? OR added_at >= ?)', bytes, addedAt, addedAt)).length > 0) return 'protected';
    yield* sql('INSERT INTO protection (hash, added_at, added_by, reason, ends_at, generation) VALUES (?, ?, ?, ?, ?, ?)', bytes, addedAt, addedBy, reason, endsAt, generation);
    return 'added';
  },

  *endProtection({ hash, endsAt, endedBy }) {
    yield* lock(`protection/${hash}`);
    const bytes = toBytes(hash);
    if ((yield* sql('SELECT 1 FROM protection WHERE hash = ? AND (ends_at IS NULL OR ends_at > ?)', bytes, endsAt)).length === 0) return 'none';
    yield* sql('UPDATE protection SET ends_at = ?, ended_by = ? WHERE hash = ? AND (ends_at IS NULL OR ends_at > ?)', endsAt, endedBy, bytes, endsAt);
    return 'ended';
  },

  *findProtections(hashes) {
    const rows = yield* each(`SELECT ${PROTECTION} FROM protection WHERE hash = ?`, hashes.map((hash) => [toBytes(hash)]));
    return rows.flat().map((row) => toProtection(row));
  },

  *listProtections() {
    const rows = yield* sql(`SELECT ${PROTECTION} FROM protection ORDER BY hash, added_at`);
    return rows.map((row) => toProtection(row));
  },
};

/** Before the identifiers of a report are erased: notes that what was lost by it another wrong report stands for, which shares one with it. */
export function* mergeLoss(reportId: Uint8Array, reporterId: Uint8Array, hashes: readonly Uint8Array[]): SqlWork<void> {
  if ((yield* sql('SELECT 1 FROM dispute WHERE report_id = ? AND upheld = 1', reportId)).length === 0) return;
  const others = yield* each(
    `SELECT 1 FROM identifier WHERE hash = ? AND reporter_id = ? AND report_id <> ? AND disputed = 1
      AND EXISTS (SELECT 1 FROM dispute d WHERE d.report_id = identifier.report_id AND d.upheld = 1) LIMIT 1`,
    hashes.map((hash) => [hash, reporterId, reportId]),
  );
  if (others.some((rows) => rows.length > 0)) yield* sql('UPDATE dispute SET merged = 1 WHERE report_id = ?', reportId);
}

/** What a dispute said of a report that is deleted may say something of the person, too. */
export function* eraseDisputeReasons(reportId: Uint8Array): SqlWork<void> {
  if ((yield* sql("SELECT 1 FROM dispute WHERE report_id = ? AND reason <> ''", reportId)).length === 0) return;
  yield* sql("UPDATE dispute SET reason = '' WHERE report_id = ?", reportId);
}

const DISPUTE = 'report_id, reporter_id, opened_at, opened_by, reason, decided_at, decided_by, upheld, merged';
const PROTECTION = 'hash, added_at, added_by, reason, ends_at, ended_by';

function toDispute(row: SqlRow): Dispute {
  return {
    reportId: toHex(row[0]), reporterId: toHex(row[1]), openedAt: Number(row[2]), openedBy: row[3] as string, reason: row[4] as string,
    decidedAt: row[5] === null ? null : Number(row[5]), decidedBy: row[6] as string | null, upheld: row[7] === null ? null : Number(row[7]) === 1, merged: Number(row[8]) === 1,
  };
}

function toProtection(row: SqlRow): Protection {
  return {
    hash: toHex(row[0]), addedAt: Number(row[1]), addedBy: row[2] as string, reason: row[3] as string,
    endsAt: row[4] === null ? null : Number(row[4]), endedBy: row[5] as string | null,
  };
}
