import type { Identifier } from '../../domain/identifier.ts';
import type { KeyInfo, Reporter } from '../../domain/reporter.ts';
import { StoreDamagedError, type AddedReport, type FoundReport, type Store, type StoreCounts } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { CHECK_WORK } from './check.ts';
import { CHECKSUM_CHANGED, difference } from './checksum.ts';
import { ERASE_WORK } from './erase.ts';
import { MATCH_WORK } from './matches.ts';
import { MODERATION_WORK } from './moderation.ts';
import { PEPPER_WORK } from './pepper.ts';
import { hashLock, removeReport } from './removal.ts';
import { find, findBy, present, put, read, toIdentifiers } from './rows.ts';
import { each, lock, seenBy, sql, type SqlRow, type SqlWork } from './statement.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';

/** The store's methods as work on a SQL database; {@link Store} says what each promises. */
export type StoreWork = {
  [Method in Exclude<keyof Store, 'close' | 'shared' | 'snapshot' | 'erased'>]: (
    ...args: Parameters<Store[Method]>
  ) => SqlWork<Awaited<ReturnType<Store[Method]>>>;
};

/** The methods that write. Each takes and needs nothing but plain data, so it can be journaled by its name and arguments. */
export const WRITES = [
  'addReporter',
  'updateReporter',
  'addKey',
  'endKey',
  'addReport',
  'removeReport',
  'putLink',
  'openDispute',
  'decideDispute',
  'addProtection',
  'endProtection',
  'putTrust',
  'addPepper',
  'finishPepper',
  'rehash',
  'putRows',
  'erase',
] as const;

export type WriteName = (typeof WRITES)[number];

/**
 * The one SQL store. Its statements keep to what SQLite and PostgreSQL share, but for the spelling of placeholders.
 *
 * A method that looks and then writes by what it saw first takes a lock on what it looks at, so that on a server, too, nothing comes in between.
 * Reading methods take none: of what they read in several statements each part is true by itself, and no part contradicts another.
 *
 * Rows are written and read through `rows.ts`, with their checksum. What an UPDATE changes it tells the checksum.
 */
export const STORE_WORK: StoreWork = {
  ...MODERATION_WORK,
  ...MATCH_WORK,
  ...TRUST_WORK,
  ...PEPPER_WORK,
  ...TRANSFER_WORK,
  ...CHECK_WORK,
  ...ERASE_WORK,

  *addReporter(reporter) {
    yield* lock(`reporter/${reporter.reporterId}`, `reporter-name/${reporter.name}`);
    if ((yield* sql('SELECT 1 FROM reporter WHERE name = ?', reporter.name)).length > 0) return 'name-taken';
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(reporter.reporterId))).length > 0)
      return 'taken';
    yield* put('reporter', [
      [
        toBytes(reporter.reporterId),
        reporter.name,
        Number(reporter.verified),
        Number(reporter.suspended),
        reporter.createdAt,
      ],
    ]);
    return 'added';
  },

  *updateReporter({ reporterId, suspended }) {
    yield* lock(`reporter/${reporterId}`);
    const id = toBytes(reporterId);
    const [row] = (yield* find('reporter', [id]))[0]!;
    if (!row) return 'unknown';
    const change = difference('reporter', { suspended: [row[2]!, Number(suspended)] });
    yield* sql(
      `UPDATE reporter SET suspended = ?, ${CHECKSUM_CHANGED} WHERE reporter_id = ?`,
      Number(suspended),
      change,
      id,
    );
    return 'updated';
  },

  *listReporters() {
    const rows = yield* read('reporter', 'ORDER BY created_at, name');
    return rows.map(([id, ...row]) => toReporter(toHex(id), row));
  },

  *findReporters(reporterIds) {
    const found = yield* find(
      'reporter',
      reporterIds.map((id) => toBytes(id)),
    );
    return found.flatMap((rows, at) => rows.map((row) => toReporter(reporterIds[at]!, row)));
  },

  *addKey(key) {
    yield* lock(`key/${key.keyId}`, `key-digest/${key.digest}`);
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(key.reporterId))).length === 0)
      return 'unknown-reporter';
    if (
      (yield* sql('SELECT 1 FROM api_key WHERE digest = ? OR key_id = ?', toBytes(key.digest), toBytes(key.keyId)))
        .length > 0
    )
      return 'taken';
    yield* put('api_key', [
      [toBytes(key.digest), toBytes(key.keyId), toBytes(key.reporterId), key.createdAt, key.endsAt],
    ]);
    return 'added';
  },

  *endKey({ keyId, endsAt }) {
    yield* lock(`key/${keyId}`);
    const id = toBytes(keyId);
    const [row] = (yield* findBy('api_key', 'key_id', [id]))[0]!;
    if (!row) return 'unknown';
    const before = row[3] as number | null;
    if (before === null || before > endsAt) {
      yield* sql(
        `UPDATE api_key SET ends_at = ?, ${CHECKSUM_CHANGED} WHERE key_id = ?`,
        endsAt,
        difference('api_key', { ends_at: [before, endsAt] }),
        id,
      );
    }
    return 'ended';
  },

  *listKeys() {
    const rows = yield* read('api_key', 'ORDER BY created_at, key_id');
    return rows.map(([, ...row]) => toKeyInfo(row));
  },

  *findKey(digest) {
    // Two point reads and no join: SQLite 3.54 plans a join with a bound parameter anew at each run.
    const [row] = (yield* find('api_key', [toBytes(digest)]))[0]!;
    if (!row) return undefined;
    const key = toKeyInfo(row);
    const [reporter] = (yield* find('reporter', [row[1] as Uint8Array]))[0]!;
    return { key: { ...key, digest }, reporter: toReporter(key.reporterId, present('reporter', reporter)) };
  },

  *addReport(report, sameSince): SqlWork<AddedReport> {
    yield* lock(`fingerprint/${report.fingerprint}`, `report/${report.reportId}`);
    const fingerprint = toBytes(report.fingerprint);
    const id = toBytes(report.reportId);
    // One statement, because a server is far away. There is hardly ever more than one of a fingerprint, and ORDER BY would cost SQLite more than all the rest.
    const found = yield* sql(
      'SELECT report_id, created_at FROM report WHERE fingerprint = ? AND created_at > ? UNION ALL SELECT report_id, NULL FROM report WHERE report_id = ?',
      fingerprint,
      sameSince,
      id,
    );
    const [same] = found.filter(([, createdAt]) => createdAt !== null).sort((a, b) => Number(b[1]) - Number(a[1]));
    const [before] = same ? (yield* find('report', [same[0] as Uint8Array]))[0]! : [];
    // Unless another process has deleted it meanwhile.
    if (same && present('report', before)[7] === null) {
      // The nonce shows the deletion code again: it has to be that of the report with this fingerprint.
      if (toHex(before![2]) !== report.fingerprint)
        throw new StoreDamagedError('an index of report leads to a row of another fingerprint');
      return { outcome: 'same', reportId: toHex(same[0]), nonce: toHex(before![1]) };
    }
    if (found.some(([, createdAt]) => createdAt === null)) return { outcome: 'taken' };
    const reporter = toBytes(report.reporterId);
    yield* put('report', [
      [
        id,
        reporter,
        toBytes(report.nonce),
        fingerprint,
        report.type,
        report.severity,
        report.text,
        report.createdAt,
        null,
      ],
    ]);
    yield* put(
      'identifier',
      report.identifiers.map(({ kind, hash }, position) => [
        toBytes(hash),
        kind,
        reporter,
        report.createdAt,
        id,
        position,
        report.type,
        report.severity,
        0,
        report.generation ?? 0,
      ]),
    );
    yield* seenBy(report.reporterId);
    return { outcome: 'added' };
  },

  removeReport,

  *findReports(reportIds) {
    const rows = yield* find(
      'report',
      reportIds.map((id) => toBytes(id)),
    );
    // Whether one is live its row says, and so its checksum.
    const live = rows.flatMap((found, at) =>
      found
        .filter((row) => row[7] === null)
        .map((row) => ({ row, reportId: reportIds[at]!, reporterId: toHex(row[0]) })),
    );
    const reporterIds = [...new Set(live.map(({ reporterId }) => reporterId))];
    const reporters = yield* find(
      'reporter',
      reporterIds.map((id) => toBytes(id)),
    );
    const nameOf = new Map(reporterIds.map((id, at) => [id, present('reporter', reporters[at]![0])[0] as string]));
    const found = live.map(({ row: [, , , type, severity, text, createdAt], reportId, reporterId }): FoundReport => ({
      reportId,
      type: type as string,
      severity: severity as number,
      text: text as string,
      createdAt: createdAt as number,
      reporter: nameOf.get(reporterId)!,
    }));
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1));
  },

  *putLink(link, linksPerHash) {
    const linkHash = toBytes(link.linkHash);
    const known = new Set(
      (yield* sql('SELECT hash, kind FROM link_identifier WHERE link_hash = ?', linkHash)).map(
        ([hash, kind]) => `${toHex(hash)} ${kind as string}`,
      ),
    );
    const isNew = ({ kind, hash }: Identifier): boolean => !known.has(`${hash} ${kind}`);
    // Most queries have been asked before: nothing is written, nobody is waited for.
    if (!link.identifiers.some(isNew)) return;
    const hashes = [...new Set(link.identifiers.map(({ hash }) => hash))];
    yield* lock(...hashes.map(hashLock));
    const found = yield* each(
      'SELECT (SELECT 1 FROM identifier i WHERE i.hash = ? LIMIT 1), (SELECT count(*) FROM link_identifier l WHERE l.hash = ? AND l.link_hash <> ?)',
      hashes.map((hash) => [toBytes(hash), toBytes(hash), linkHash]),
    );
    // A report may have been removed since it matched; what nobody reports any more must not come back.
    const reported = new Set(hashes.filter((_, at) => found[at]![0]![0] !== null));
    const kept = link.identifiers.filter(({ hash }) => reported.has(hash));
    const full = hashes.filter(
      (hash, at) =>
        Number(found[at]![0]![1]) >= linksPerHash &&
        kept.some((identifier) => identifier.hash === hash && isNew(identifier)),
    );
    for (const hash of full) yield* dropOldestLinks(hash, linksPerHash - 1, linkHash);
    // All of them, for what was known may be gone meanwhile with a link that gave way.
    yield* put(
      'link_identifier',
      kept.map(({ kind, hash }) => [linkHash, toBytes(hash), kind, link.createdAt]),
      ' ON CONFLICT DO NOTHING',
    );
  },

  *findLink(linkHash): SqlWork<Identifier[] | undefined> {
    const [rows] = yield* find('link_identifier', [toBytes(linkHash)]);
    return rows!.length === 0 ? undefined : toIdentifiers(rows!);
  },

  *count(): SqlWork<StoreCounts> {
    const [row] = yield* sql(`SELECT
      (SELECT count(*) FROM report WHERE removed_at IS NULL), (SELECT count(*) FROM report WHERE removed_at IS NOT NULL),
      (SELECT count(*) FROM identifier), (SELECT count(DISTINCT link_hash) FROM link_identifier), (SELECT count(*) FROM reporter)`);
    const [reports, removed, identifiers, links, reporters] = row!.map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    return { reports, removed, identifiers, links, reporters };
  },
};

/** Makes room: of the other links that hold this hash the oldest ones go, whole, until `keep` are left. */
function* dropOldestLinks(hash: string, keep: number, except: Uint8Array): SqlWork<void> {
  const bytes = toBytes(hash);
  // Counted now: making room for another hash may have made room for this one.
  const [row] = yield* sql('SELECT count(*) FROM link_identifier WHERE hash = ? AND link_hash <> ?', bytes, except);
  const surplus = Number(row![0]) - keep;
  if (surplus <= 0) return;
  const oldest = yield* sql(
    'SELECT link_hash FROM link_identifier WHERE hash = ? AND link_hash <> ? ORDER BY created_at, link_hash LIMIT ?',
    bytes,
    except,
    surplus,
  );
  for (const [linkHash] of oldest) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', linkHash!);
}

/** A row without its first column, which is the id. */
function toReporter(reporterId: string, [name, verified, suspended, createdAt]: SqlRow): Reporter {
  return {
    reporterId,
    name: name as string,
    verified: verified === 1,
    suspended: suspended === 1,
    createdAt: Number(createdAt),
  };
}

/** A row without its first column, which is the digest. */
function toKeyInfo([keyId, reporterId, createdAt, endsAt]: SqlRow): KeyInfo {
  return {
    keyId: toHex(keyId),
    reporterId: toHex(reporterId),
    createdAt: Number(createdAt),
    endsAt: endsAt === null ? null : Number(endsAt),
  };
}
