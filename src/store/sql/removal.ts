import type { Identifier } from '../../domain/identifier.ts';
import { StoreDamagedError, type ErasedReport, type RemovedReport, type Store } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { rowSum } from './checksum.ts';
import { eraseDisputeReasons, mergeLoss } from './moderation.ts';
import { find, identifiersOf, isSound, toIdentifiers } from './rows.ts';
import { each, lock, seenBy, sql, type SqlWork } from './statement.ts';

/** A report that goes, whose, and when. */
interface Removal {
  readonly reportId: string;
  readonly reporterId: string;
  readonly removedAt: number;
}

/** Deletes a report for its reporter, whose answer comes from its rows: each of them has to be the right one. */
export function* removeReport(removal: Parameters<Store['removeReport']>[0]): SqlWork<RemovedReport> {
  yield* lock(`report/${removal.reportId}`);
  const id = toBytes(removal.reportId);
  const [row] = (yield* find('report', [id]))[0]!;
  if (!row || toHex(row[0]) !== removal.reporterId) return { outcome: 'unknown' };
  if (row[7] !== null) return { outcome: 'already-removed' };
  const identifiers = toIdentifiers(yield* identifiersOf(id));
  yield* takeOut(removal, identifiers, 'report_id = ?');
  return { outcome: 'removed', createdAt: Number(row[6]), identifiers };
}

/**
 * Deletes a report to erase a person, which is right whatever has become of its rows: `createdAt` and whose it is says a proved row of an identifier. Undefined when it was deleted
 * meanwhile. Throws StoreDamagedError when it cannot be found, and would stay.
 */
export function* eraseReport(removal: Removal, createdAt: number): SqlWork<ErasedReport | undefined> {
  const { reportId, reporterId } = removal;
  yield* lock(`report/${reportId}`);
  const id = toBytes(reportId);
  const proved = yield* provedIdentifiers(id, reporterId);
  if (proved === 'deleted') return undefined;
  const identifiers = proved ?? (yield* scannedIdentifiers(id));
  yield* takeOut(removal, identifiers, proved ? 'report_id = ?' : SCANNED);
  return { reportId, reporterId, createdAt, identifiers };
}

/** What a report names, if all that its indexes lead to is as it was written. */
function* provedIdentifiers(id: Uint8Array, reporterId: string): SqlWork<Identifier[] | 'deleted' | undefined> {
  try {
    const [row] = (yield* find('report', [id]))[0]!;
    if (!row || toHex(row[0]) !== reporterId) return undefined;
    return row[7] === null ? toIdentifiers(yield* identifiersOf(id)) : 'deleted';
  } catch (error) {
    if (error instanceof StoreDamagedError) return undefined;
    throw error;
  }
}

/** What it names by its rows, wherever they are. What cannot be proved goes with it, and is in no receipt. */
function* scannedIdentifiers(id: Uint8Array): SqlWork<Identifier[]> {
  if ((yield* sql(`SELECT nonce FROM report WHERE ${SCANNED}`, id)).length !== 1) throw new StoreDamagedError('a report that an identifier refers to cannot be found');
  const rows = yield* sql(`SELECT ${IDENTIFIER.columns} FROM identifier WHERE ${SCANNED} ORDER BY position`, id);
  return toIdentifiers(rows.filter((row) => isSound('identifier', row)));
}

/** A report's rows past every index, of which one may lead elsewhere: a column in a function is sought by none, and none has the severity, so the table itself is read. */
const SCANNED = 'coalesce(report_id, report_id) = ? AND coalesce(severity, 0) IS NOT NULL';

const IDENTIFIER = rowSum('identifier');
const REPORT = rowSum('report');

function* takeOut({ reportId, reporterId, removedAt }: Removal, identifiers: readonly Identifier[], where: string): SqlWork<void> {
  const [id, reporter] = [toBytes(reportId), toBytes(reporterId)];
  // Whoever links one of these meanwhile waits, and then sees whether somebody still reports it.
  const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
  yield* lock(...hashes.map(hashLock));
  yield* mergeLoss(id, reporter, hashes.map((hash) => toBytes(hash)));
  yield* sql(`DELETE FROM identifier WHERE ${where}`, id);
  yield* sql(
    `UPDATE report SET reporter_id = ?, nonce = NULL, fingerprint = NULL, type = NULL, severity = NULL, text = NULL, created_at = NULL, removed_at = ?, checksum = ? WHERE ${where}`,
    reporter, removedAt, REPORT.of([id, reporter, null, null, null, null, null, null, removedAt]), id,
  );
  yield* eraseDisputeReasons(id);
  yield* eraseFromLinks(hashes);
  yield* seenBy(reporterId);
}

/** Held by who takes a hash out of links or puts it into one. */
export const hashLock = (hash: string): string => `hash/${hash}`;

/** Takes the identifiers that nobody reports any more out of every link; a link without any is gone. */
function* eraseFromLinks(hashes: readonly string[]): SqlWork<void> {
  const found = yield* each('SELECT 1 FROM identifier WHERE hash = ? LIMIT 1', hashes.map((hash) => [toBytes(hash)]));
  for (const [at, hash] of hashes.entries()) {
    if (found[at]!.length === 0) yield* sql('DELETE FROM link_identifier WHERE hash = ?', toBytes(hash));
  }
}
