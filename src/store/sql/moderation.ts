import type { Dispute } from '../../domain/dispute.ts';
import type { Protection } from '../../domain/protection.ts';
import { toBytes, toHex } from './bytes.ts';
import { CHECKSUM_CHANGED, difference } from './checksum.ts';
import { find, identifiersOf, put, read } from './rows.ts';
import { each, EVERYBODY, lock, seenBy, sql, type SqlRow, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Disputes and the allow-list. */
export const MODERATION_WORK: Pick<
  StoreWork,
  | 'openDispute'
  | 'decideDispute'
  | 'findDisputes'
  | 'listDisputes'
  | 'addProtection'
  | 'endProtection'
  | 'findProtections'
  | 'listProtections'
> = {
  *openDispute({ reportId, openedAt, openedBy, reason }) {
    yield* lock(`report/${reportId}`);
    const id = toBytes(reportId);
    const [report] = (yield* find('report', [id]))[0]!;
    const [before] = yield* find('dispute', [id]);
    // A report that is gone costs its reporter what it lost: that may be looked into again, and nothing else. Of the person it said something about no words are kept.
    if (!report || (report[7] !== null && before!.length === 0)) return 'unknown';
    // One at a time, and in the order of time: the last one says how the report stands.
    if (before!.some(([, at, , , decidedAt]) => decidedAt === null || Number(at) >= openedAt)) return 'open';
    // Proved before they are marked by the same index: it leads to this report's rows and to no others.
    if (report[7] === null) yield* identifiersOf(id);
    yield* put('dispute', [
      [id, report[0]!, openedAt, openedBy, report[7] === null ? reason : '', null, null, null, 0],
    ]);
    yield* sql(
      `UPDATE identifier SET disputed = 1, ${CHECKSUM_CHANGED} WHERE report_id = ? AND disputed = 0`,
      difference('identifier', { disputed: [0, 1] }),
      id,
    );
    // Whoever finds the report looks the dispute up from now on, and so hears of its end, too.
    yield* seenBy(EVERYBODY);
    return 'opened';
  },

  *decideDispute({ reportId, upheld, decidedAt, decidedBy }) {
    yield* lock(`report/${reportId}`);
    const id = toBytes(reportId);
    const [disputes] = yield* find('dispute', [id]);
    if (!disputes!.some(([, , , , decidedAt]) => decidedAt === null)) return 'none';
    const change = difference('dispute', {
      decided_at: [null, decidedAt],
      decided_by: [null, decidedBy],
      upheld: [null, Number(upheld)],
    });
    yield* sql(
      `UPDATE dispute SET decided_at = ?, decided_by = ?, upheld = ?, ${CHECKSUM_CHANGED} WHERE report_id = ? AND decided_at IS NULL`,
      decidedAt,
      decidedBy,
      Number(upheld),
      change,
      id,
    );
    return 'decided';
  },

  *findDisputes(reportIds) {
    const found = yield* find(
      'dispute',
      reportIds.map((id) => toBytes(id)),
    );
    return found.flatMap((rows, at) => rows.map((row) => toDispute(reportIds[at]!, row)));
  },

  *listDisputes() {
    const rows = yield* read('dispute', 'ORDER BY opened_at DESC, report_id');
    return rows.map(([reportId, ...row]) => toDispute(toHex(reportId), row));
  },

  *addProtection({ hash, reason, addedBy, addedAt, endsAt, generation = 0 }) {
    yield* lock(`protection/${hash}`);
    const bytes = toBytes(hash);
    const [entries] = yield* find('protection', [bytes]);
    if (entries!.some(([at, , , until]) => until === null || Number(until) > addedAt || Number(at) >= addedAt))
      return 'protected';
    yield* put('protection', [[bytes, addedAt, addedBy, reason, endsAt, null, generation]]);
    return 'added';
  },

  *endProtection({ hash, endsAt, endedBy }) {
    yield* lock(`protection/${hash}`);
    const bytes = toBytes(hash);
    const [entries] = yield* find('protection', [bytes]);
    const open = entries!.filter(([, , , until]) => until === null || Number(until) > endsAt);
    for (const [addedAt, , , endedAt, by] of open) {
      const change = difference('protection', { ends_at: [endedAt!, endsAt], ended_by: [by!, endedBy] });
      yield* sql(
        `UPDATE protection SET ends_at = ?, ended_by = ?, ${CHECKSUM_CHANGED} WHERE hash = ? AND added_at = ?`,
        endsAt,
        endedBy,
        change,
        bytes,
        addedAt!,
      );
    }
    return open.length === 0 ? 'none' : 'ended';
  },

  *findProtections(hashes) {
    const found = yield* find(
      'protection',
      hashes.map((hash) => toBytes(hash)),
    );
    return found.flatMap((rows, at) => rows.map((row) => toProtection(hashes[at]!, row)));
  },

  *listProtections() {
    const rows = yield* read('protection', 'ORDER BY hash, added_at');
    return rows.map(([hash, ...row]) => toProtection(toHex(hash), row));
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
  if (others.some((rows) => rows.length > 0)) {
    yield* sql(
      `UPDATE dispute SET merged = 1, ${CHECKSUM_CHANGED} WHERE report_id = ? AND merged = 0`,
      difference('dispute', { merged: [0, 1] }),
      reportId,
    );
  }
}

/** What a dispute said of a report that is deleted may say something of the person, too. */
export function* eraseDisputeReasons(reportId: Uint8Array): SqlWork<void> {
  for (const [openedAt, reason] of yield* sql(
    "SELECT opened_at, reason FROM dispute WHERE report_id = ? AND reason <> ''",
    reportId,
  )) {
    yield* sql(
      `UPDATE dispute SET reason = '', ${CHECKSUM_CHANGED} WHERE report_id = ? AND opened_at = ?`,
      difference('dispute', { reason: [reason!, ''] }),
      reportId,
      openedAt!,
    );
  }
}

/** A row without its first column, which is the report's id. */
function toDispute(reportId: string, row: SqlRow): Dispute {
  return {
    reportId,
    reporterId: toHex(row[0]),
    openedAt: Number(row[1]),
    openedBy: row[2] as string,
    reason: row[3] as string,
    decidedAt: row[4] === null ? null : Number(row[4]),
    decidedBy: row[5] as string | null,
    upheld: row[6] === null ? null : Number(row[6]) === 1,
    merged: Number(row[7]) === 1,
  };
}

/** A row without its first column, which is the hash. */
function toProtection(hash: string, row: SqlRow): Protection {
  return {
    hash,
    addedAt: Number(row[0]),
    addedBy: row[1] as string,
    reason: row[2] as string,
    endsAt: row[3] === null ? null : Number(row[3]),
    endedBy: row[4] as string | null,
  };
}
