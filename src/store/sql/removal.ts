import type { Identifier } from '../../domain/identifier.ts';
import { StoreDamagedError, type ErasedReport, type RemovedReport, type Store } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { rowSum } from './checksum.ts';
import { eraseDisputeReasons, mergeLoss } from './moderation.ts';
import { find, identifiersOf, isSound, PAST_INDEXES, present, toIdentifiers } from './rows.ts';
import { each, lock, seenBy, sql, type SqlRow, type SqlWork } from './statement.ts';

const IDENTIFIER = rowSum('identifier');
const REPORT = rowSum('report');

/** Deletes a report for its reporter, whose answer comes from its rows: each of them has to be the right one. */
export function* removeReport({
  reportId,
  reporterId,
  removedAt,
}: Parameters<Store['removeReport']>[0]): SqlWork<RemovedReport> {
  yield* lock(`report/${reportId}`);
  const id = toBytes(reportId);
  const [row] = (yield* find('report', [id]))[0]!;
  if (!row || toHex(row[0]) !== reporterId) return { outcome: 'unknown' };
  if (row[7] !== null) return { outcome: 'already-removed' };
  const identifiers = yield* hold(() => identifiersOf(id));
  yield* removeRows({ id, reporterId, removedAt, identifiers, where: 'report_id = ?' });
  return { outcome: 'removed', createdAt: Number(row[6]), identifiers };
}

/** A report as a proved row of one of its identifiers says that it is. */
export interface NamedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
}

/**
 * Deletes a report to erase a person, which is right whatever has become of its rows. Undefined when there is no such report: it was deleted meanwhile, or only some of its
 * identifiers are left.
 */
export function* eraseReport(
  { reportId, reporterId, createdAt }: NamedReport,
  removedAt: number,
): SqlWork<ErasedReport | undefined> {
  yield* lock(`report/${reportId}`);
  const id = toBytes(reportId);
  const proved = yield* findProved(id, reporterId);
  const found = proved === undefined ? yield* findPastIndexes(id, reporterId) : proved;
  if (found === 'none') return undefined;
  yield* removeRows({ id, reporterId, removedAt, ...found });
  return { reportId, reporterId, createdAt, identifiers: found.identifiers };
}

/** What a report names, its hashes held, and by which condition its rows are found. */
interface Found {
  readonly identifiers: Identifier[];
  readonly where: string;
}

/** A live report by its indexes; undefined when something that they lead to is not what was written. */
function* findProved(id: Uint8Array, reporterId: string): SqlWork<Found | 'none' | undefined> {
  try {
    const [row] = (yield* find('report', [id]))[0]!;
    if (!row || toHex(row[0]) !== reporterId) return undefined;
    return row[7] === null ? { identifiers: yield* hold(() => identifiersOf(id)), where: 'report_id = ?' } : 'none';
  } catch (error) {
    // Of a read above: what a statement itself fails with is not thrown in here.
    if (error instanceof StoreDamagedError) return undefined;
    throw error;
  }
}

/** A report by its rows, wherever they are, and as whose its identifiers say that it is. What cannot be proved of them goes, too, and is in no receipt. */
function* findPastIndexes(id: Uint8Array, reporterId: string): SqlWork<Found | 'none'> {
  const [row] = yield* sql(`SELECT reporter_id FROM report WHERE ${PAST_INDEXES}`, id);
  if (!row) return 'none';
  const reporter = toBytes(reporterId);
  if (!(row[0] instanceof Uint8Array) || toHex(row[0]) !== reporterId) {
    present('reporter', (yield* find('reporter', [reporter]))[0]![0]);
    yield* sql(`UPDATE report SET reporter_id = ? WHERE ${PAST_INDEXES}`, reporter, id);
  }
  const identifiers = yield* hold(function* () {
    const rows = yield* sql(`SELECT ${IDENTIFIER.columns} FROM identifier WHERE ${PAST_INDEXES} ORDER BY position`, id);
    return rows.filter((found) => isSound('identifier', found));
  });
  return { identifiers, where: PAST_INDEXES };
}

/**
 * What a report names, with its hashes held: whoever links one of them meanwhile waits, and then sees whether somebody still reports it. Until they are held a
 * pepper's rotation may give them others, so they are read again until they are the ones that are held.
 */
function* hold(readRows: () => SqlWork<readonly SqlRow[]>): SqlWork<Identifier[]> {
  const held = new Set<string>();
  for (;;) {
    const identifiers = toIdentifiers(yield* readRows());
    const missing = new Set(identifiers.map(({ hash }) => hash).filter((hash) => !held.has(hash)));
    if (missing.size === 0) return identifiers;
    yield* lock(...[...missing].map(hashLock));
    for (const hash of missing) held.add(hash);
  }
}

interface Removal extends Found {
  readonly id: Uint8Array;
  readonly reporterId: string;
  readonly removedAt: number;
}

/** Leaves of a report that it was there, whose, and when it went. */
function* removeRows({ id, reporterId, removedAt, identifiers, where }: Removal): SqlWork<void> {
  const reporter = toBytes(reporterId);
  const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
  yield* mergeLoss(
    id,
    reporter,
    hashes.map((hash) => toBytes(hash)),
  );
  yield* sql(`DELETE FROM identifier WHERE ${where}`, id);
  yield* sql(
    `UPDATE report SET nonce = NULL, fingerprint = NULL, type = NULL, severity = NULL, text = NULL, created_at = NULL, removed_at = ?, checksum = ? WHERE ${where}`,
    removedAt,
    REPORT.of([id, reporter, null, null, null, null, null, null, removedAt]),
    id,
  );
  yield* eraseDisputeReasons(id);
  yield* eraseFromLinks(hashes);
  yield* seenBy(reporterId);
}

/** Held by who takes a hash out of links, puts it into one, or gives it another pepper. */
export const hashLock = (hash: string): string => `hash/${hash}`;

/** Takes the identifiers that nobody reports any more out of every link; a link without any is gone. */
function* eraseFromLinks(hashes: readonly string[]): SqlWork<void> {
  const found = yield* each(
    'SELECT 1 FROM identifier WHERE hash = ? LIMIT 1',
    hashes.map((hash) => [toBytes(hash)]),
  );
  for (const [at, hash] of hashes.entries()) {
    if (found[at]!.length === 0) yield* sql('DELETE FROM link_identifier WHERE hash = ?', toBytes(hash));
  }
}
