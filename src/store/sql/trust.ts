import { StoreDamagedError, type StoredIdentifier, type StoredSharing, type StoredTrust } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { proveOrder, proveSorted } from './order.ts';
import { findBy, read } from './rows.ts';
import { each, insert, lock, sql, type SqlRow, type SqlValue, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** What standings are learnt from, and what was learnt. */
export const TRUST_WORK: Pick<
  StoreWork,
  | 'readIdentifiers'
  | 'findIdentifiers'
  | 'findSharings'
  | 'putTrust'
  | 'findTrust'
  | 'findTrustEpoch'
  | 'readReports'
  | 'findRemovedAfter'
  | 'countRemovedAfter'
> = {
  *readIdentifiers(after, limit, withoutKinds = []) {
    const from = after && [
      toBytes(after.hash),
      after.kind,
      toBytes(after.reporterId),
      after.createdAt,
      toBytes(after.reportId),
      after.position,
    ];
    const conditions = [...(from ? [`(${WALK}) > (?, ?, ?, ?, ?, ?)`] : []), ...withoutKinds.map(() => 'kind <> ?')];
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')} ` : '';
    const rows = yield* read('identifier', `${where}ORDER BY ${WALK} LIMIT ?`, ...(from ?? []), ...withoutKinds, limit);
    proveOrder('identifier', rows, from);
    return rows.map((row) => toStoredIdentifier(row, toHex(row[4]), row[5]!, row[8]!));
  },

  *findIdentifiers(reportIds) {
    const found = yield* findBy(
      'identifier',
      'report_id',
      reportIds.map((reportId) => toBytes(reportId)),
    );
    return found.flatMap((rows, at) => rows.map((row) => toStoredIdentifier(row, reportIds[at]!, row[4]!, row[7]!)));
  },

  *findSharings(hashes, exceptReportId, atMs) {
    // No report has an empty id.
    const except = exceptReportId === undefined ? new Uint8Array() : toBytes(exceptReportId);
    const keys = hashes.map((hash) => toBytes(hash));
    const shares = yield* each(
      SHARES,
      keys.map((key) => [key, except, FEW_SHARES + 1]),
    );
    // Nearly every hash has few reports, and none of them disputed: these are told apart here. Only of the others it pays to have the index walked.
    const isPlain = (rows: readonly SqlRow[]): boolean =>
      rows.length <= FEW_SHARES && rows.every(([, , , disputed]) => Number(disputed) === 0);
    const walked = keys
      .filter((_, at) => !isPlain(shares[at]!))
      .map((key) => [key, key, key, key, key, except, key, except, atMs, atMs]);
    const sharings = (yield* each(SHARINGS, walked)).values();
    return hashes.flatMap((hash, at) => {
      const rows: readonly SqlRow[] = isPlain(shares[at]!) ? firstOfEach(shares[at]!) : sharings.next().value!;
      return rows
        .filter(([, , firstAt]) => firstAt !== null)
        .map(([kind, reporter, firstAt, rightAt]): StoredSharing => ({
          hash,
          kind: kind as string,
          reporterId: toHex(reporter!),
          firstAt: Number(firstAt),
          rightAt: rightAt === null ? null : Number(rightAt),
        }));
    });
  },

  *putTrust({ rules, epochAt, learntAt, sums, records }) {
    yield* lock('trust');
    yield* sql('DELETE FROM trust_epoch');
    yield* sql('DELETE FROM trust_record');
    yield* sql(
      'INSERT INTO trust_epoch (rules, epoch_at, learnt_at, claims, preceded, established_claims, established_corroborated) VALUES (?, ?, ?, ?, ?, ?, ?)',
      // A journal of before knew no such moment.
      rules,
      epochAt,
      (learntAt as number | undefined) ?? 0,
      sums.claims,
      sums.preceded,
      sums.establishedClaims,
      sums.establishedCorroborated,
    );
    yield* insert(
      'INSERT INTO trust_record (reporter_id, verified, claims, preceded, lost, corroborated, confirmable, led, echoed, mature_claims, mature_preceded)',
      records.map((record) => [
        toBytes(record.reporterId),
        Number(record.verified),
        record.claims,
        record.preceded,
        record.lost,
        record.corroborated,
        record.confirmable,
        record.led,
        record.echoed,
        record.matureClaims,
        record.maturePreceded,
      ]),
    );
  },

  *findTrust(): SqlWork<StoredTrust | undefined> {
    // One statement: the records of one epoch under the sums of another would be neither's.
    const rows =
      yield* sql(`SELECT reporter_id, verified, r.claims, r.preceded, lost, corroborated, confirmable, led, echoed, mature_claims, mature_preceded,
      rules, epoch_at, e.claims AS epoch_claims, e.preceded AS epoch_preceded, established_claims, established_corroborated, learnt_at FROM trust_epoch e LEFT JOIN trust_record r ON 1 = 1 ORDER BY reporter_id`);
    if (rows.length === 0) return undefined;
    const epoch = rows[0]!.slice(11);
    return {
      rules: epoch[0] as string,
      epochAt: Number(epoch[1]),
      learntAt: Number(epoch[6]),
      sums: {
        claims: Number(epoch[2]),
        preceded: Number(epoch[3]),
        establishedClaims: Number(epoch[4]),
        establishedCorroborated: Number(epoch[5]),
      },
      records: rows
        .filter(([reporterId]) => reporterId !== null)
        .map((row) => ({
          reporterId: toHex(row[0]),
          verified: Number(row[1]) === 1,
          claims: Number(row[2]),
          preceded: Number(row[3]),
          lost: Number(row[4]),
          corroborated: Number(row[5]),
          confirmable: Number(row[6]),
          led: Number(row[7]),
          echoed: Number(row[8]),
          matureClaims: Number(row[9]),
          maturePreceded: Number(row[10]),
        })),
    };
  },

  *findTrustEpoch() {
    const [row] = yield* sql('SELECT rules, epoch_at, learnt_at FROM trust_epoch');
    return row && { rules: row[0] as string, epochAt: Number(row[1]), learntAt: Number(row[2]) };
  },

  *readReports({ from, after, limit }) {
    const last = [after?.createdAt ?? from - 1, toBytes(after?.reportId ?? '')] as const;
    const rows = yield* read(
      'report',
      'WHERE created_at >= ? AND (created_at, report_id) > (?, ?) ORDER BY created_at, report_id LIMIT ?',
      from,
      ...last,
      limit,
    );
    proveSorted(
      'report',
      rows.map((row) => [row[7]!, row[0]!]),
      last,
    );
    return rows.map((row) => ({ reportId: toHex(row[0]), reporterId: toHex(row[1]), createdAt: Number(row[7]) }));
  },

  *findRemovedAfter(atMs) {
    const rows = yield* read('report', 'WHERE removed_at > ? ORDER BY report_id', atMs);
    if (!rows.every((row) => row[8] !== null && Number(row[8]) > atMs))
      throw new StoreDamagedError('an index of report leads to rows that were not asked for');
    return rows.map(([id]) => toHex(id));
  },

  *countRemovedAfter(atMs) {
    const [row] = yield* sql('SELECT count(*) FROM report WHERE removed_at > ?', atMs);
    return Number(row![0]);
  },
};

/** The order of the walk: that of the table, and its first columns. */
const WALK = 'hash, kind, reporter_id, created_at, report_id, position';

/** A row's first columns, and the others, which stand elsewhere in a row without its report's id. */
function toStoredIdentifier(
  [hash, kind, reporter, createdAt]: SqlRow,
  reportId: string,
  position: SqlValue,
  disputed: SqlValue,
): StoredIdentifier {
  return {
    hash: toHex(hash),
    kind: kind as string,
    reporterId: toHex(reporter),
    createdAt: Number(createdAt),
    reportId,
    position: Number(position),
    disputed: Number(disputed) === 1,
  };
}

/** So many reports of a hash are read one by one. */
const FEW_SHARES = 64;

/** In the order of the table. */
const SHARES = `SELECT kind, reporter_id, created_at, disputed FROM identifier
  WHERE hash = ? AND report_id <> ? ORDER BY kind, reporter_id, created_at LIMIT ?`;

/** Of rows of {@link SHARES} the first of each kind and reporter, as {@link SHARINGS} gives it. */
function firstOfEach(rows: readonly SqlRow[]): SqlRow[] {
  const firsts = rows.filter(
    ([kind, reporter], at) => at === 0 || rows[at - 1]![0] !== kind || toHex(rows[at - 1]![1]!) !== toHex(reporter!),
  );
  return firsts.map(([kind, reporter, createdAt]) => [kind!, reporter!, createdAt!, createdAt!]);
}

/** From one kind to the next and from one reporter to the next by a step down the index each, past all reports between them, which may be thousands. */
const SHARINGS = `WITH RECURSIVE
  named (kind) AS (
    SELECT (SELECT kind FROM identifier WHERE hash = ? ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT i.kind FROM identifier i WHERE i.hash = ? AND i.kind > named.kind ORDER BY i.kind LIMIT 1) FROM named WHERE named.kind IS NOT NULL
  ),
  sharer (kind, reporter_id) AS (
    SELECT kind, (SELECT i.reporter_id FROM identifier i WHERE i.hash = ? AND i.kind = named.kind ORDER BY i.reporter_id LIMIT 1) FROM named WHERE kind IS NOT NULL
    UNION ALL
    SELECT kind, (SELECT i.reporter_id FROM identifier i WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id > sharer.reporter_id ORDER BY i.reporter_id LIMIT 1)
      FROM sharer WHERE sharer.reporter_id IS NOT NULL
  )
  SELECT kind, reporter_id, (
    SELECT i.created_at FROM identifier i
      WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id = sharer.reporter_id AND i.report_id <> ? ORDER BY i.created_at LIMIT 1
  ) AS first_at, (
    SELECT i.created_at FROM identifier i
      WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id = sharer.reporter_id AND i.report_id <> ?
        AND (i.disputed = 0 OR NOT EXISTS (
          SELECT 1 FROM dispute d WHERE d.report_id = i.report_id AND d.upheld = 1 AND d.decided_at <= ?
            AND NOT EXISTS (SELECT 1 FROM dispute later WHERE later.report_id = d.report_id AND later.opened_at > d.opened_at AND later.opened_at <= ?)
        ))
      ORDER BY i.created_at LIMIT 1
  ) AS right_at FROM sharer WHERE reporter_id IS NOT NULL`;
