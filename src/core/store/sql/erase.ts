import { SHA256 } from '../../crypto/crypto.ts';
import { damageError } from '../errors.ts';
import type { ErasedReport } from '../upkeep.ts';
import { record } from './audit.ts';
import { CLAIM, IDENTIFIER, REPORT } from './catalogue.ts';
import { hex, toBytes } from './columns.ts';
import { isHeldWrong } from './claims.ts';
import { emptyCases, eraseCases, soundHashes, unlinkCases } from './person-cases.ts';
import { eraseReport, hold, PAST_INDEXES, putRest, type ClaimRow, type HashRest, type NamedReport } from './removal.ts';
import { ask, countOf, find, read, readSound } from './rows.ts';
import { EVERYBODY, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { pick, shape } from './table.ts';

const REPORT_ID = shape({ reportId: hex(8) });
const LINK_HASH = shape({ linkHash: hex(20) });
const MADE = pick(REPORT, 'reportId', 'reporterId', 'createdAt');
const OWNED = pick(IDENTIFIER, 'reportId', 'reporterId', 'createdAt');
const WITH_HASH = pick(IDENTIFIER, 'hash', 'reportId', 'reporterId', 'createdAt');

/** Erases everything about a person's hashes. */
export const ERASE_WORK = {
  *erase({ hashes, erasedAt, ofReporter, claimRules = 0, nonce = '', reportsAtOnce = Infinity }, note) {
    const all = new Set(hashes);
    // In a wrong report, an erased hash leaves one that means nothing: the report goes on to cost what it did.
    const nameOf = (at: number): string => SHA256.digest(`erased ${nonce} ${at}`).slice(0, 40);
    const names = new Map([...all].map((hash, at) => [hash, claimRules < 5 ? undefined : nameOf(at)]));
    const restOf = claimRules < 3 ? undefined : (hash: string) => (names.has(hash) ? names.get(hash) : hash);
    const reports: ErasedReport[] = [];
    // What erased reports named, by id. The lock of cases is taken after all other locks.
    const hashesOf = new Map<string, readonly string[]>();
    const by = { erasedAt, claimRules, restOf, hashesOf };
    const counted = { links: 0, protections: 0 };
    let more = false;
    let kept = 0;
    // Erase the links first: erasing the last report of a hash removes the hash from its links, which then cannot be
    // found.
    for (const hash of hashes) counted.links += yield* eraseLinks(hash);
    for (const hash of hashes) {
      more =
        reports.length >= reportsAtOnce || (yield* eraseNamed(reports, yield* firstNamed(hash, reportsAtOnce), by));
      if (more) break;
      const bytes = toBytes(hash);
      const named = yield* reportsOf(hash);
      yield* eraseNamed(reports, named, by);
      yield* requireErased(hash, named);
      const rests = restOf ? yield* findRests(hash) : [];
      // What persons wrote about them could describe the person.
      for (const reportId of yield* claimedCases('hash', bytes)) hashesOf.set(reportId, yield* soundHashes(reportId));
      yield* sql('DELETE FROM dispute_request WHERE report_id IN (SELECT report_id FROM claim WHERE hash = ?)', bytes);
      yield* sql(
        'DELETE FROM claim WHERE hash = ? OR report_id IN (SELECT report_id FROM claim WHERE hash = ?)',
        bytes,
        bytes,
      );
      if (restOf) for (const rest of rests) yield* putRest(rest, restOf);
      counted.protections += yield* countOf('protection WHERE hash = ?', bytes);
      yield* sql('DELETE FROM protection WHERE hash = ?', bytes);
    }
    yield* eraseCases(hashesOf, all, claimRules);
    if (ofReporter) {
      const ofCases: string[] = [];
      const reporter = toBytes(ofReporter.reporterId);
      yield* sql(
        'DELETE FROM dispute_request WHERE report_id IN (SELECT report_id FROM claim WHERE reporter_id = ?)',
        reporter,
      );
      ofCases.push(...(yield* claimedCases('reporter_id', reporter)));
      // Requests and cases about deleted reports keep their claims.
      if (claimRules >= 6) kept = yield* countOf('claim WHERE reporter_id = ?', reporter);
      yield* sql('DELETE FROM claim WHERE reporter_id = ?', reporter);
      for (const report of yield* firstOf(ofReporter, erasedAt)) {
        ofCases.push(report.reportId);
        const erased = yield* eraseReport(report, erasedAt, claimRules);
        if (erased) reports.push(erased);
      }
      if (claimRules >= 4) yield* unlinkCases(ofCases);
      else for (const reportId of ofCases) yield* emptyCases(reportId);
    }
    if (reports.length > 0) yield { seenBy: [EVERYBODY] };
    if (!ofReporter) yield* record(note, { action: 'erased', amount: reports.length });
    else if (reports.length + kept > 0)
      yield* record(note, { action: 'erased', reporterId: ofReporter.reporterId, amount: reports.length });
    return { reports, ...counted, ...(more && { more: true }) };
  },
} satisfies Partial<StoreWork>;

interface Erasing {
  readonly erasedAt: number;
  readonly claimRules: number;
  readonly restOf: HashRest | undefined;
  readonly hashesOf: Map<string, readonly string[]>;
}

/** Erases reports, and adds those that were live to `erased`, and all to `hashesOf`. True if one was live. */
function* eraseNamed(
  erased: ErasedReport[],
  named: readonly NamedReport[],
  { erasedAt, claimRules, restOf, hashesOf }: Erasing,
): SqlWork<boolean> {
  const before = erased.length;
  for (const report of named) {
    const one = yield* eraseReport(report, erasedAt, claimRules, restOf);
    hashesOf.set(report.reportId, one?.identifiers.map(({ hash }) => hash) ?? []);
    if (one) erased.push(one);
  }
  return erased.length > before;
}

/**
 * Returns the sound rows of each claim that has this hash and that people hold wrong: it goes on to protect the person.
 */
function* findRests(hash: string): SqlWork<ClaimRow[][]> {
  const rests: ClaimRow[][] = [];
  const kept = yield* ask(REPORT_ID, 'SELECT DISTINCT report_id FROM claim WHERE hash = ?', toBytes(hash));
  for (const { reportId } of kept) {
    yield { lock: [`report/${reportId}`] };
    if (!(yield* isHeldWrong(reportId))) continue;
    const rows = yield* hold(() => readSound(CLAIM, 'WHERE report_id = ? ORDER BY position', toBytes(reportId)));
    rests.push(rows);
  }
  return rests;
}

/** Returns the oldest live reports of a reporter that were made up to a moment. */
function* firstOf(
  { reporterId, reports }: { readonly reporterId: string; readonly reports: number },
  atMs: number,
): SqlWork<NamedReport[]> {
  const tail = 'WHERE reporter_id = ? AND created_at <= ? ORDER BY created_at LIMIT ?';
  const rows = yield* read(MADE, tail, toBytes(reporterId), atMs, reports);
  if (rows.some((row) => row.reporterId !== reporterId || row.createdAt === null))
    throw damageError('a lookup of the reports of a reporter returned another one: an index is damaged');
  return rows.map(({ reportId, createdAt }) => ({ reportId, reporterId, createdAt: createdAt ?? 0 }));
}

/** Returns so many reports that name a hash if more rows have it. Otherwise returns none. */
function* firstNamed(hash: string, most: number): SqlWork<NamedReport[]> {
  if (most === Infinity) return [];
  const rows = yield* read(WITH_HASH, 'WHERE hash = ? LIMIT ?', toBytes(hash), most + 1);
  if (rows.some((row) => row.hash !== hash))
    throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
  if (rows.length <= most) return [];
  const named = new Map<string, NamedReport>();
  for (const { reportId, reporterId, createdAt } of rows.slice(0, most))
    named.set(reportId, { reportId, reporterId, createdAt });
  return [...named.values()];
}

/**
 * Returns the reports that name a hash, by id. Each row is verified: a damaged row could lead to another report. The
 * right report would then stay, although the receipt says that nothing is left.
 */
function* reportsOf(hash: string): SqlWork<NamedReport[]> {
  const named = new Map((yield* find(OWNED, 'hash', [hash])).map((report) => [report.reportId, report]));
  return [...named.values()].sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
}

/** Returns the ids of claims with cases, locked, without reading other columns: they may be damaged. */
function* claimedCases(column: 'hash' | 'reporter_id', value: Uint8Array): SqlWork<string[]> {
  const rows = yield* ask(
    REPORT_ID,
    `SELECT DISTINCT report_id FROM claim WHERE ${column} = ? AND report_id IN (SELECT report_id FROM person_case)`,
    value,
  );
  const reportIds = rows.map(({ reportId }) => reportId);
  yield { lock: reportIds.map((reportId) => `report/${reportId}`) };
  return reportIds;
}

/** Deletes what is left of erased reports. If that fails, throws StoreDamagedError, and nothing is erased. */
function* requireErased(hash: string, erased: readonly NamedReport[]): SqlWork<void> {
  const ids = new Set(erased.map(({ reportId }) => reportId));
  const left = function* (): SqlWork<NamedReport[]> {
    return (yield* reportsOf(hash)).filter(({ reportId }) => ids.has(reportId));
  };
  const orphans = yield* left();
  for (const { reportId } of orphans) yield* sql(`DELETE FROM identifier WHERE ${PAST_INDEXES}`, toBytes(reportId));
  if (orphans.length > 0 && (yield* left()).length > 0)
    throw damageError('an identifier of an erased report remains: an index of the table identifier is damaged');
}

/** Deletes each link that contains this hash, as a whole: its name is derived from its set of hashes. */
function* eraseLinks(hash: string): SqlWork<number> {
  const links = yield* ask(LINK_HASH, 'SELECT DISTINCT link_hash FROM link_identifier WHERE hash = ?', toBytes(hash));
  for (const { linkHash } of links) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', toBytes(linkHash));
  return links.length;
}
