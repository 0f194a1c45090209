import type { Identifier } from '../../domain/identifier.ts';
import type { KeyInfo, Reporter } from '../../domain/reporter.ts';
import type { AddedReport, FoundReport, Match, RemovedReport, Store, StoreCounts } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { CHECK_WORK } from './check.ts';
import { eraseWork } from './erase.ts';
import { eraseDisputeReasons, MODERATION_WORK } from './moderation.ts';
import { sql, type SqlRow, type SqlWork } from './statement.ts';
import { PEPPER_WORK } from './pepper.ts';
import { TRANSFER_WORK } from './transfer.ts';
import { TRUST_WORK } from './trust.ts';

/** The store's methods as work on a SQL database; {@link Store} says what each promises. */
export type StoreWork = {
  [Method in Exclude<keyof Store, 'close' | 'shared' | 'snapshot' | 'erased'>]: (...args: Parameters<Store[Method]>) => SqlWork<Awaited<ReturnType<Store[Method]>>>;
};

/** The methods that write. Each takes and needs nothing but plain data, so it can be journaled by its name and arguments. */
export const WRITES = ['addReporter', 'updateReporter', 'addKey', 'endKey', 'addReport', 'removeReport', 'putLink', 'openDispute', 'decideDispute', 'addProtection', 'endProtection', 'putTrust', 'addPepper', 'finishPepper', 'rehash', 'putRows', 'erase'] as const;

export type WriteName = (typeof WRITES)[number];

/** The one SQL store. Its statements keep to what SQLite and PostgreSQL share, but for the spelling of placeholders. */
export const STORE_WORK: StoreWork = {
  ...MODERATION_WORK,
  ...TRUST_WORK,
  ...PEPPER_WORK,
  ...TRANSFER_WORK,
  ...CHECK_WORK,
  ...eraseWork((removal) => STORE_WORK.removeReport(removal)),

  *addReporter(reporter) {
    if ((yield* sql('SELECT 1 FROM reporter WHERE name = ?', reporter.name)).length > 0) return 'name-taken';
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(reporter.reporterId))).length > 0) return 'taken';
    yield* sql(
      'INSERT INTO reporter (reporter_id, name, verified, suspended, created_at) VALUES (?, ?, ?, ?, ?)',
      toBytes(reporter.reporterId), reporter.name, Number(reporter.verified), Number(reporter.suspended), reporter.createdAt,
    );
    return 'added';
  },

  *updateReporter({ reporterId, suspended }) {
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
    const found: Reporter[] = [];
    for (const id of reporterIds) {
      const [row] = yield* sql(`SELECT ${REPORTER} FROM reporter WHERE reporter_id = ?`, toBytes(id));
      if (row) found.push(toReporter(row));
    }
    return found;
  },

  *addKey(key) {
    if ((yield* sql('SELECT 1 FROM reporter WHERE reporter_id = ?', toBytes(key.reporterId))).length === 0) return 'unknown-reporter';
    if ((yield* sql('SELECT 1 FROM api_key WHERE digest = ? OR key_id = ?', toBytes(key.digest), toBytes(key.keyId))).length > 0) return 'taken';
    yield* sql(
      'INSERT INTO api_key (digest, key_id, reporter_id, created_at, ends_at) VALUES (?, ?, ?, ?, ?)',
      toBytes(key.digest), toBytes(key.keyId), toBytes(key.reporterId), key.createdAt, key.endsAt,
    );
    return 'added';
  },

  *endKey({ keyId, endsAt }) {
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
    const fingerprint = toBytes(report.fingerprint);
    const [same] = yield* sql('SELECT report_id, nonce FROM report WHERE fingerprint = ? AND created_at > ? ORDER BY created_at DESC LIMIT 1', fingerprint, sameSince);
    if (same) return { outcome: 'same', reportId: toHex(same[0]), nonce: toHex(same[1]) };
    const id = toBytes(report.reportId);
    if ((yield* sql('SELECT 1 FROM report WHERE report_id = ?', id)).length > 0) return { outcome: 'taken' };
    const reporter = toBytes(report.reporterId);
    yield* sql(
      'INSERT INTO report (report_id, reporter_id, nonce, fingerprint, type, severity, text, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      id, reporter, toBytes(report.nonce), fingerprint, report.type, report.severity, report.text, report.createdAt,
    );
    for (const [position, { kind, hash }] of report.identifiers.entries()) {
      yield* sql(
        'INSERT INTO identifier (hash, report_id, position, kind, reporter_id, type, severity, created_at, generation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
        toBytes(hash), id, position, kind, reporter, report.type, report.severity, report.createdAt, report.generation ?? 0,
      );
    }
    return { outcome: 'added' };
  },

  *removeReport({ reportId, reporterId, removedAt }): SqlWork<RemovedReport> {
    const id = toBytes(reportId);
    const [row] = yield* sql('SELECT reporter_id, removed_at, created_at FROM report WHERE report_id = ?', id);
    if (!row || toHex(row[0]) !== reporterId) return { outcome: 'unknown' };
    if (row[1] !== null) return { outcome: 'already-removed' };
    const identifiers = yield* sql('SELECT kind, hash FROM identifier WHERE report_id = ? ORDER BY position', id);
    yield* sql('DELETE FROM identifier WHERE report_id = ?', id);
    yield* sql('UPDATE report SET nonce = NULL, fingerprint = NULL, type = NULL, severity = NULL, text = NULL, created_at = NULL, removed_at = ? WHERE report_id = ?', removedAt, id);
    yield* eraseDisputeReasons(id);
    yield* eraseFromLinks(identifiers.map(([, hash]) => hash as Uint8Array));
    return { outcome: 'removed', createdAt: Number(row[2]), identifiers: identifiers.map(([kind, hash]) => ({ kind: kind as string, hash: toHex(hash) })) };
  },

  *findMatches(hashes) {
    const matches: Match[] = [];
    for (const hash of hashes) {
      const rows = yield* sql('SELECT kind, report_id, reporter_id, type, severity, created_at, disputed FROM identifier WHERE hash = ?', toBytes(hash));
      for (const [kind, report, reporter, type, severity, createdAt, disputed] of rows) {
        matches.push({
          hash, kind: kind as string, reportId: toHex(report), reporterId: toHex(reporter),
          type: type as string, severity: severity as number, createdAt: createdAt as number, disputed: disputed === 1,
        });
      }
    }
    return matches;
  },

  *findReports(reportIds) {
    const found: FoundReport[] = [];
    for (const reportId of reportIds) {
      const [row] = yield* sql('SELECT type, severity, text, created_at, reporter_id FROM report WHERE report_id = ? AND removed_at IS NULL', toBytes(reportId));
      if (!row) continue;
      const [reporter] = yield* sql('SELECT name FROM reporter WHERE reporter_id = ?', row[4]!);
      found.push({
        reportId, type: row[0] as string, severity: row[1] as number, text: row[2] as string,
        createdAt: row[3] as number, reporter: reporter![0] as string,
      });
    }
    return found.sort((a, b) => b.createdAt - a.createdAt || (a.reportId < b.reportId ? -1 : 1));
  },

  *putLink(link, linksPerHash) {
    const linkHash = toBytes(link.linkHash);
    const known = new Set((yield* sql('SELECT hash, kind FROM link_identifier WHERE link_hash = ?', linkHash)).map(([hash, kind]) => `${toHex(hash)} ${kind as string}`));
    for (const { kind, hash } of link.identifiers) {
      if (known.has(`${hash} ${kind}`)) continue;
      const bytes = toBytes(hash);
      yield* dropOldestLinks(bytes, linksPerHash - 1);
      yield* sql('INSERT INTO link_identifier (link_hash, hash, kind, created_at) VALUES (?, ?, ?, ?)', linkHash, bytes, kind, link.createdAt);
    }
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

/** Takes the identifiers that nobody reports any more out of every link; a link without any is gone. */
function* eraseFromLinks(hashes: readonly Uint8Array[]): SqlWork<void> {
  for (const hash of hashes) {
    if ((yield* sql('SELECT 1 FROM identifier WHERE hash = ? LIMIT 1', hash)).length === 0) yield* sql('DELETE FROM link_identifier WHERE hash = ?', hash);
  }
}

/** Makes room: of the links that hold this hash the oldest ones go, whole, until `keep` are left. */
function* dropOldestLinks(hash: Uint8Array, keep: number): SqlWork<void> {
  const [row] = yield* sql('SELECT count(*) FROM link_identifier WHERE hash = ?', hash);
  const surplus = Number(row![0]) - keep;
  if (surplus <= 0) return;
  const oldest = yield* sql('SELECT link_hash FROM link_identifier WHERE hash = ? ORDER BY created_at LIMIT ?', hash, surplus);
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

