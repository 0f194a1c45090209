import { damageError } from '../errors.ts';
import { NOTHING_LEARNT, UNFINISHED_COPY, type StoredSharing, type StoredTrust } from '../records.ts';
import { IDENTIFIER, REPORT, TRUST_EPOCH, TRUST_RECORD } from './catalogue.ts';
import { hex, orNull, TEXT, toBytes, WHOLE } from './columns.ts';
import { readPage } from './pages.ts';
import { askPairs, pairColumns } from './pairs.ts';
import { KINDS_OF_HASH } from './repeats.ts';
import { findFewSharings } from './reports.ts';
import { askEach, countOf, find, put, read } from './rows.ts';
import { sql, type SqlValue, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick, pickMany, shape } from './table.ts';

/** An identifier and its place in the order of the table. */
export const IN_ORDER = pickMany(
  IDENTIFIER,
  ['hash', 'kind', 'reporterId', 'createdAt', 'reportId', 'position', 'disputed'],
  (hash, kind, reporterId, createdAt, reportId, position, disputed) => {
    return { hash, kind, reporterId, createdAt, reportId, position, disputed };
  },
);
const DATED = pick(REPORT, 'reportId', 'reporterId', 'createdAt');
const REMOVED = pick(REPORT, 'reportId', 'removedAt');
const EPOCH_WITH_RECORDS = `SELECT ${pairColumns(TRUST_EPOCH, TRUST_RECORD)}
  FROM trust_epoch LEFT JOIN trust_record ON 1 = 1 ORDER BY trust_record.reporter_id`;
const EPOCH = pick(TRUST_EPOCH, 'rules', 'epochAt', 'learntAt');

/** Reads the data from which standings are learnt. Stores and reads learnt standings. */
export const TRUST_WORK = {
  readIdentifiers: (after, limit, withoutKinds = []) =>
    readPage(IN_ORDER, {
      by: ['hash', 'kind', 'reporterId', 'createdAt', 'reportId', 'position'],
      after,
      limit,
      where: withoutKinds.map(() => 'kind <> ?'),
      values: withoutKinds,
    }),

  findIdentifiers: (reportIds) => find(IN_ORDER, 'reportId', reportIds),

  *findSharings(hashes, exceptReportId, atMs) {
    // Almost every hash has few reports and no disputes. Only the others need the slower index lookups.
    const many: number[] = [];
    const sharings: StoredSharing[][] = [];
    for (const few of yield* findFewSharings(hashes, exceptReportId)) {
      if (!few) many.push(sharings.length);
      sharings.push(few ?? []);
    }
    const searched = yield* askEach(
      SHARING,
      SHARINGS,
      many.map((at): SqlValue[] => {
        const key = toBytes(hashes[at] ?? '');
        // No report has an empty id.
        const except = toBytes(exceptReportId ?? '');
        return [key, key, key, key, key, except, key, except, atMs];
      }),
    );
    for (const [at, rows] of searched.entries())
      for (const { firstAt, ...row } of rows)
        if (firstAt !== null) sharings[many[at] ?? 0]?.push({ hash: hashes[many[at] ?? 0] ?? '', ...row, firstAt });
    return sharings.flat();
  },

  *putTrust({ sums, records, ...epoch }) {
    yield { lock: ['trust'] };
    const { rules } = epoch;
    const [now] = yield* read(EPOCH);
    if (now?.rules === UNFINISHED_COPY && rules !== UNFINISHED_COPY && rules !== NOTHING_LEARNT) return;
    yield* sql('DELETE FROM trust_epoch');
    yield* sql('DELETE FROM trust_record');
    if (rules === NOTHING_LEARNT) return;
    const { learntAt }: { readonly learntAt?: number } = epoch;
    // Older journals lack `learntAt`. Nothing reads the columns `claims` and `preceded` any more.
    yield* put(TRUST_EPOCH, [{ ...epoch, ...sums, claims: 0, preceded: 0, learntAt: learntAt ?? 0 }]);
    yield* put(TRUST_RECORD, records);
  },

  *findTrust(): SqlWork<StoredTrust | undefined> {
    // One statement: on a server, the records of one epoch must not be combined with the sums of another.
    const rows = yield* askPairs({ left: TRUST_EPOCH, right: TRUST_RECORD }, EPOCH_WITH_RECORDS);
    const [first] = rows;
    if (!first) return undefined;
    const { rules, epochAt, learntAt, establishedClaims, establishedCorroborated } = first.left;
    const sums = { establishedClaims, establishedCorroborated };
    return { rules, epochAt, learntAt, sums, records: rows.flatMap(({ right }) => (right ? [right] : [])) };
  },

  *findTrustEpoch() {
    const [epoch] = yield* read(EPOCH);
    return epoch;
  },

  *readReports({ from, after, limit }) {
    const rows = yield* readPage(DATED, {
      where: ['created_at >= ?'],
      // An index range, also for a planner that does not use the index for the comparison of rows.
      values: [Math.max(from, after?.createdAt ?? from)],
      by: ['createdAt', 'reportId'],
      after: after ?? { createdAt: from - 1, reportId: '' },
      limit,
    });
    return rows.map(({ createdAt, ...report }) => ({ ...report, createdAt: createdAt ?? 0 }));
  },

  *findRemovedAfter(atMs) {
    const rows = yield* read(REMOVED, 'WHERE removed_at > ? ORDER BY report_id', atMs);
    if (!rows.every(({ removedAt }) => removedAt !== null && removedAt > atMs))
      throw damageError('a lookup in the table report returned other rows: an index is damaged');
    return rows.map(({ reportId }) => reportId);
  },

  countRemovedAfter: (atMs) => countOf('report WHERE removed_at > ?', atMs),
} satisfies Partial<StoreWork>;

const SHARING = shape({ kind: TEXT, reporterId: hex(8), firstAt: orNull(WHOLE), rightAt: orNull(WHOLE) });

/**
 * The kinds and reporters of a hash, for a SELECT from `sharer`. Takes the hash four times. One index lookup per kind
 * and per reporter. Cost grows with the number of reporters, not of their reports, which may be thousands.
 */
export const SHARERS = `${KINDS_OF_HASH},
  sharer (kind, reporter_id) AS (
    SELECT kind, (SELECT i.reporter_id FROM identifier i WHERE i.hash = ? AND i.kind = named.kind ORDER BY i.reporter_id LIMIT 1) FROM named WHERE kind IS NOT NULL
    UNION ALL
    SELECT kind, (SELECT i.reporter_id FROM identifier i WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id > sharer.reporter_id ORDER BY i.reporter_id LIMIT 1)
      FROM sharer WHERE sharer.reporter_id IS NOT NULL
  )`;

const SHARINGS = `${SHARERS} SELECT kind, reporter_id, (
    SELECT i.created_at FROM identifier i
      WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id = sharer.reporter_id AND i.report_id <> ? ORDER BY i.created_at LIMIT 1
  ) AS first_at, (
    SELECT i.created_at FROM identifier i
      WHERE i.hash = ? AND i.kind = sharer.kind AND i.reporter_id = sharer.reporter_id AND i.report_id <> ?
        AND (i.disputed = 0 OR coalesce((
          SELECT d.upheld FROM dispute d
            WHERE d.report_id = i.report_id AND d.decided_at <= ? ORDER BY d.opened_at DESC LIMIT 1
        ), 0) = 0)
      ORDER BY i.created_at LIMIT 1
  ) AS right_at FROM sharer WHERE reporter_id IS NOT NULL`;
