import type { Identifier } from '../../domain/identifier.ts';
import type { KeyInfo, Reporter } from '../../domain/reporter.ts';
import type { AddedReport, FoundReport, RemovedReport, Store, StoreCounts } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { CHECK_WORK } from './check.ts';
import { eraseWork } from './erase.ts';
import { MATCH_WORK } from './matches.ts';
import { eraseDisputeReasons, mergeLoss, MODERATION_WORK } from './moderation.ts';
import { PEPPER_WORK } from './pepper.ts';
import { each, insert, lock, sql, type SqlRow, type SqlWork } from './statement.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';

/** The store's methods as work on a SQL database; {@link Store} says what each promises. */
export type StoreWork = {
  [Method in Exclude<keyof Store, 'close' | 'shared' | 'snapshot' | 'erased'>]: (...args: Parameters<Store[Method]>) => SqlWork<Awaited<ReturnType<Store[Method]>>>;
};

/** The methods that write. Each takes and needs nothing but plain data, so it can be journaled by its name and arguments. */
export const WRITES = ['addReporter', 'updateReporter', 'addKey', 'endKey', 'addReport', 'removeReport', 'putLink', 'openDispute', 'decideDispute', 'addProtection', 'endProtection', 'putTrust', 'addPepper', 'finishPepper', 'rehash', 'putRows', 'erase'] as const;

export type WriteName = (typeof WRITES)[number];

/**
 * The one SQL store. Its statements keep to what SQLite and PostgreSQL share, but for the spelling of placeholders.
 *
 * A method that looks and then writes by what it saw first takes a lock on what it looks at, so that on a server, too, nothing comes in between.
 * Reading methods take none: of what they read in several statements each part is true by itself, and no part contradicts another.
 */
export const STORE_WORK: StoreWork = {
  ...MODERATION_WORK,
  ...MATCH_WORK,
  ...TRUST_WORK,
  ...PEPPER_WORK,
  ...TRANSFER_WORK,
  ...CHECK_WORK,
  ...eraseWork((removal) => STORE_WORK.removeReport(removal)),

  *addReporter(reporter) {
    yield* lock(`reporter/${reporter.reporterId}`, `reporter-name/${reporter.name}`);
    if ((yield* sql('SELECT 1 FROM reporter WHERE name = ?', reporter.name)).length > 0) return 'name-taken';
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(reporter.reporterId))).length > 0) return 'taken';
    yield* sql(
      'INSERT INTO reporter (reporter_id, name, verified, suspended, created_at) VALUES (?, ?, ?, ?, ?)',
      toBytes(reporter.reporterId), reporter.name, Number(reporter.verified), Number(reporter.suspended), reporter.createdAt,
    );
    return 'added';
  },

  *updateReporter({ reporterId, suspended }) {
    // Without a lock: no reporter ever goes, and the update is one statement.
    const id = toBytes(reporterId);
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', id)).length === 0) return 'unknown';
    yield* sql('UPDATE reporter SET suspended = ? WHERE reporter_id = ?', Number(suspended), id);
    return 'updated';
  },

  *listReporters() {
    const rows = yield* sql(`SELECT ${REPORTER} FROM reporter ORDER BY created_at, name`);
    return rows.map((row) => toReporter(row));
  },

  *findReporters(reporterIds) {
    const rows = yield* each(`SELECT ${REPORTER} FROM reporter WHERE reporter_id = ?`, reporterIds.map((id) => [toBytes(id)]));
    return rows.flat().map((row) => toReporter(row));
  },

  *addKey(key) {
    yield* lock(`key/${key.keyId}`, `key-digest/${key.digest}`);
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(key.reporterId))).length === 0) return 'unknown-reporter';
    if ((yield* sql('SELECT 1 FROM api_key WHERE digest = ? OR key_id = ?', toBytes(key.digest), toBytes(key.keyId))).length > 0) return 'taken';
    yield* sql(
      'INSERT INTO api_key (digest, key_id, reporter_id, created_at, ends_at) VALUES (?, ?, ?, ?, ?)',
      toBytes(key.digest), toBytes(key.keyId), toBytes(key.reporterId), key.createdAt, key.endsAt,
    );
    return 'added';
  },

  *endKey({ keyId, endsAt }) {
    yield* lock(`key/${keyId}`);
    const id = toBytes(keyId);
    const [row] = yield* sql('SELECT ends_at FROM api_key WHERE key_id = ?', id);
    if (!row) return 'unknown';
    if (row[0] === null || (row[0] as number) > endsAt) yield* sql('UPDATE api_key SET ends_at = ? WHERE key_id = ?', endsAt, id);
    return 'ended';
  },

  *listKeys() {
    const rows = yield* sql(`SELECT ${KEY} FROM api_key ORDER BY created_at, key_id`);
    return rows.map((row) => toKeyInfo(row));
  },

  *findKey(digest) {
    // Two point reads and no join: SQLite 3.54 plans a join with a bound parameter anew at each run.
    const [row] = yield* sql(`SELECT ${KEY}, digest FROM api_key WHERE digest = ?`, toBytes(digest));
    if (!row) return undefined;
    const [reporter] = yield* sql(`SELECT ${REPORTER} FROM reporter WHERE reporter_id = ?`, row[1]!);
    return { key: { ...toKeyInfo(row), digest: toHex(row[4]) }, reporter: toReporter(reporter!) };
  },

  *addReport(report, sameSince): SqlWork<AddedReport> {
    yield* lock(`fingerprint/${report.fingerprint}`, `report/${report.reportId}`);
    const fingerprint = toBytes(report.fingerprint);
    const id = toBytes(report.reportId);
    // One statement, because a server is far away. There is hardly ever more than one of a fingerprint, and ORDER BY would cost SQLite more than all the rest.
    const found = yield* sql(
      'SELECT report_id, nonce, created_at FROM report WHERE fingerprint = ? AND created_at > ? UNION ALL SELECT report_id, NULL, NULL FROM report WHERE report_id = ?',
      fingerprint, sameSince, id,
    );
    const [same] = found.filter(([, nonce]) => nonce !== null).sort((a, b) => Number(b[2]) - Number(a[2]));
    if (same) return { outcome: 'same', reportId: toHex(same[0]), nonce: toHex(same[1]) };
    if (found.length > 0) return { outcome: 'taken' };
    const reporter = toBytes(report.reporterId);
    yield* sql(
      'INSERT INTO report (report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id, reporter, toBytes(report.nonce), fingerprint, report.type, report.severity, report.text, report.createdAt,
    );
    yield* insert(
      'INSERT INTO identifier (hash, report_id, position, kind, reporter_id, type, severity, created_at, generation)',
      report.identifiers.map(({ kind, hash }, position) => [toBytes(hash), id, position, kind, reporter, report.type, report.severity, report.createdAt, report.generation ?? 0]),
    );
    return { outcome: 'added' };
  },

  *removeReport({ reportId, reporterId, removedAt }): SqlWork<RemovedReport> {
    yield* lock(`report/${reportId}`);
    const id = toBytes(reportId);
    const [row] = yield* sql('SELECT reporter_id, removed_at, created_at FROM report WHERE report_id = ?', id);
    if (!row || toHex(row[0]) !== reporterId) return { outcome: 'unknown' };
    if (row[1] !== null) return { outcome: 'already-removed' };
    const rows = yield* sql('SELECT kind, hash FROM identifier WHERE report_id = ? ORDER BY position', id);
    const identifiers = rows.map(([kind, hash]) => ({ kind: kind as string, hash: toHex(hash) }));
    // Whoever links one of these meanwhile waits, and then sees whether somebody still reports it.
    const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
    yield* lock(...hashes.map(hashLock));
    yield* mergeLoss(id, row[0] as Uint8Array, hashes.map((hash) => toBytes(hash)));
    yield* sql('DELETE FROM identifier WHERE report_id = ?', id);
    yield* sql('UPDATE report SET nonce = NULL, fingerprint = NULL, type = NULL, severity = NULL, text = NULL, created_at = NULL, removed_at = ? WHERE report_id = ?', removedAt, id);
    yield* eraseDisputeReasons(id);
    yield* eraseFromLinks(hashes);
    return { outcome: 'removed', createdAt: Number(row[2]), identifiers };
  },

  *findReports(reportIds) {
    const rows = yield* each('SELECT report_id, type, severity, text, created_at, reporter_id FROM report WHERE report_id = ? AND removed_at IS NULL', reportIds.map((id) => [toBytes(id)]));
    const live = rows.flat().map((row) => ({ row, reporterId: toHex(row[5]) }));
    const reporterIds = [...new Set(live.map(({ reporterId }) => reporterId))];
    const names = yield* each('SELECT name FROM reporter WHERE reporter_id = ?', reporterIds.map((id) => [toBytes(id)]));
    const nameOf = new Map(reporterIds.map((id, at) => [id, names[at]![0]![0] as string]));
    const found = live.map(({ row: [reportId, type, severity, text, createdAt], reporterId }): FoundReport => ({
      reportId: toHex(reportId), type: type as string, severity: severity as number, text: text as string,
      createdAt: createdAt as number, reporter: nameOf.get(reporterId)!,
    }));
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1));
  },

  *putLink(link, linksPerHash) {
    const linkHash = toBytes(link.linkHash);
    const known = new Set((yield* sql('SELECT hash, kind FROM link_identifier WHERE link_hash = ?', linkHash)).map(([hash, kind]) => `${toHex(hash)} ${kind as string}`));
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
    const full = hashes.filter((hash, at) => Number(found[at]![0]![1]) >= linksPerHash && kept.some((identifier) => identifier.hash === hash && isNew(identifier)));
    for (const hash of full) yield* dropOldestLinks(hash, linksPerHash - 1, linkHash);
    // All of them, for what was known may be gone meanwhile with a link that gave way.
    yield* insert(
      'INSERT INTO link_identifier (link_hash, hash, kind, created_at)',
      kept.map(({ kind, hash }) => [linkHash, toBytes(hash), kind, link.createdAt]),
      ' ON CONFLICT DO NOTHING',
    );
  },

  *findLink(linkHash): SqlWork<Identifier[] | undefined> {
    const rows = yield* sql('SELECT kind, hash FROM link_identifier WHERE link_hash = ?', toBytes(linkHash));
    return rows.length === 0 ? undefined : rows.map(([kind, hash]) => ({ kind: kind as string, hash: toHex(hash) }));
  },

  *count(): SqlWork<StoreCounts> {
    const [row] = yield* sql(`SELECT
      (SELECT count(*) FROM report WHERE removed_at IS NULL), (SELECT count(*) FROM report WHERE removed_at IS NOT NULL),
      (SELECT count(*) FROM identifier), (SELECT count(DISTINCT link_hash) FROM link_identifier), (SELECT count(*) FROM reporter)`);
    const [reports, removed, identifiers, links, reporters] = row!.map(Number) as [number, number, number, number, number];
    return { reports, removed, identifiers, links, reporters };
  },
};

/** Held by who takes a hash out of links or puts it into one. */
const hashLock = (hash: string): string => `hash/${hash}`;

/** Takes the identifiers that nobody reports any more out of every link; a link without any is gone. */
function* eraseFromLinks(hashes: readonly string[]): SqlWork<void> {
  const found = yield* each('SELECT 1 FROM identifier WHERE hash = ? LIMIT 1', hashes.map((hash) => [toBytes(hash)]));
  for (const [at, hash] of hashes.entries()) {
    if (found[at]!.length === 0) yield* sql('DELETE FROM link_identifier WHERE hash = ?', toBytes(hash));
  }
}

/** Makes room: of the other links that hold this hash the oldest ones go, whole, until `keep` are left. */
function* dropOldestLinks(hash: string, keep: number, except: Uint8Array): SqlWork<void> {
  const bytes = toBytes(hash);
  // Counted now: making room for another hash may have made room for this one.
  const [row] = yield* sql('SELECT count(*) FROM link_identifier WHERE hash = ? AND link_hash <> ?', bytes, except);
  const surplus = Number(row![0]) - keep;
  if (surplus <= 0) return;
  const oldest = yield* sql('SELECT link_hash FROM link_identifier WHERE hash = ? AND link_hash <> ? ORDER BY created_at, link_hash LIMIT ?', bytes, except, surplus);
  for (const [linkHash] of oldest) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', linkHash!);
}

const REPORTER = 'reporter_id, name, verified, suspended, created_at';
const KEY = 'key_id, reporter_id, created_at, ends_at';

function toReporter(row: SqlRow): Reporter {
  return {
    reporterId: toHex(row[0]), name: row[1] as string, verified: row[2] === 1,
    suspended: row[3] === 1, createdAt: Number(row[4]),
  };
}

function toKeyInfo(row: SqlRow): KeyInfo {
  return { keyId: toHex(row[0]), reporterId: toHex(row[1]), createdAt: Number(row[2]), endsAt: row[3] === null ? null : Number(row[3]) };
}

