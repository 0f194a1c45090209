import { ENGINE } from '../../domain/audit.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { damageError, StoreDamagedError } from '../errors.ts';
import type { ErasedReport } from '../upkeep.ts';
import { CLAIM, DISPUTE, ELEMENT, EMPTIED, IDENTIFIER, REPORT, REPORTER } from './catalogue.ts';
import { orNull, TEXT, toBytes, WHOLE, type RowOf } from './columns.ts';
import { hasWaitingRequest, isHeldWrong, isInCase } from './claims.ts';
import { eraseDisputeRequests } from './dispute-requests.ts';
import { emptyCases } from './person-cases.ts';
import {
  ask,
  askEach,
  change,
  countOf,
  exists,
  find,
  missingRowError,
  overwrite,
  put,
  read,
  readSound,
} from './rows.ts';
import { hashLock, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from '../store.ts';
import { lookupWith, pick, shape } from './table.ts';

/** Only what people find wrong costs a claim. */
const BY_PEOPLE = `decided_by <> '${ENGINE}'`;
const FOUND = shape({ found: WHOLE });
const SAID = shape({ openedAt: WHOLE, reason: TEXT, answer: orNull(TEXT), answeredAt: orNull(WHOLE) });
const SAID_TEXT = `SELECT opened_at, reason, answer, answered_at FROM dispute
  WHERE report_id = ? AND (reason <> '' OR answer IS NOT NULL)`;
const KIND_AND_HASH = pick(IDENTIFIER, 'kind', 'hash');
const BY_POSITION = lookupWith(IDENTIFIER, 'reportId', 'ORDER BY position');

/**
 * Finds rows of `report` or `identifier` by report id with a full table scan: a damaged index may lead elsewhere. The
 * database cannot use an index instead, because none serves this expression and none contains `severity`.
 */
export const PAST_INDEXES = 'CASE WHEN report_id = ? THEN coalesce(severity, 0) END IS NOT NULL';

/**
 * Returns a report's identifiers in their order. The caller holds the report's lock. Call this before you change
 * identifiers by the same index, because a damaged index may lead elsewhere. Throws StoreDamagedError for a damaged
 * row, and if the index lacks some identifiers. If only the last identifiers are missing, this is not detected.
 */
export function* identifiersOf(reportId: string): SqlWork<IdentifierRow[]> {
  const rows = yield* find(BY_POSITION, 'reportId', [reportId]);
  // Positions count from 0. While a copy fills a store, some may be missing, but then the table lacks them too.
  if (rows.length === 0 || rows.some(({ position }, at) => position !== at)) {
    if ((yield* countOf(`identifier WHERE ${PAST_INDEXES}`, toBytes(reportId))) !== rows.length)
      throw damageError('identifiers of a report are missing: an index of the table identifier is damaged');
  }
  return rows;
}

/** Deletes a report for its reporter. The answer repeats data of its rows, so every row is verified. */
export const removeReport: StoreWork['removeReport'] = function* (removal) {
  const { reportId, reporterId, removedAt, keepsClaim, claimRules } = removal;
  yield { lock: [`report/${reportId}`] };
  // An unknown id and another reporter's report must take the same time. So read and verify one row in both cases: the
  // next one if there is none with the id.
  const [report] = yield* read(REPORT, 'WHERE report_id >= ? ORDER BY report_id LIMIT 1', toBytes(reportId));
  if (report?.reportId !== reportId || report.reporterId !== reporterId) return { outcome: 'unknown' };
  if (report.removedAt !== null) {
    // As in `addReport`: an answer to a retry must be as durable as the first one.
    yield { seenBy: [reporterId] };
    return { outcome: 'already-removed' };
  }
  const rows = yield* hold(() => identifiersOf(reportId));
  const isWaitedFor = claimRules !== undefined && (yield* hasWaitingRequest(reportId));
  const hasRules = (claimRules ?? 0) >= 4;
  const isKept = isWaitedFor || (hasRules && (yield* isInCase(reportId)));
  if (isKept || (keepsClaim && (yield* isWrong(reportId, rows)))) yield* put(CLAIM, rows);
  const identifiers = toNamed(rows);
  yield* removeRows({ reportId, reporterId, removedAt, claimRules, identifiers, where: 'report_id = ?' });
  // The requests wait for the operator, who can still open a dispute.
  if (!isWaitedFor) yield* eraseDisputeRequests(reportId);
  if (!hasRules) yield* emptyCases(reportId);
  return { outcome: 'removed', createdAt: report.createdAt ?? 0, identifiers };
};

/** True if a person found a report wrong, or its dispute is open. */
function* isWrong(reportId: string, rows: readonly { readonly disputed: boolean }[]): SqlWork<boolean> {
  return rows.some(({ disputed }) => disputed) && (yield* isHeldWrong(reportId));
}

const toNamed = (rows: readonly Identifier[]): Identifier[] => rows.map(({ kind, hash }) => ({ kind, hash }));

/** A report as described by a verified row of one of its identifiers. */
export interface NamedReport {
  readonly reportId: string;
  readonly reporterId: string;
  readonly createdAt: number;
}

export type ClaimRow = RowOf<(typeof CLAIM)['columns']>;

const NO_ELEMENT = Object.fromEntries(Object.keys(ELEMENT).map((name) => [name, null])) as Record<
  keyof typeof ELEMENT,
  null
>;

/** Returns what an erasure leaves of a hash: the hash, a random one that means nothing, or undefined for nothing. */
export type HashRest = (hash: string) => string | undefined;

/** Keeps what an erasure leaves of a claim. It has no position 0, so it is not complete. */
export function* putRest(rows: readonly ClaimRow[], restOf: HashRest): SqlWork<void> {
  const rests: ClaimRow[] = [];
  for (const row of rows) {
    const hash = restOf(row.hash);
    if (hash === undefined) continue;
    const kept = hash === row.hash ? row : { ...row, hash, ...NO_ELEMENT };
    rests.push({ ...kept, position: rests.length + 1 });
  }
  yield* put(CLAIM, rests);
}

/**
 * Deletes a report to erase a person, even if its rows are damaged. Undefined if there is no such report: it was
 * deleted meanwhile, or only some of its identifiers are left. If `restOf` is given, keeps what it leaves of a
 * wrong report, unless it is damaged. The caller then ends its cases.
 */
export function* eraseReport(
  report: NamedReport,
  removedAt: number,
  claimRules: number,
  restOf?: HashRest,
): SqlWork<ErasedReport | undefined> {
  yield { lock: [`report/${report.reportId}`] };
  const found = (yield* findByIndex(report)) ?? (yield* findPastIndexes(report));
  if (found === 'none') return undefined;
  const { rows = [] } = found;
  if (restOf && (yield* isWrong(report.reportId, rows))) yield* putRest(rows, restOf);
  yield* removeRows({ ...report, removedAt, claimRules, ...found });
  yield* eraseDisputeRequests(report.reportId);
  return { ...report, identifiers: found.identifiers };
}

/** A report's identifiers, whose hashes are locked, and the condition that finds its rows. */
interface Found {
  readonly identifiers: Identifier[];
  readonly where: string;
  /** Undefined if a row or an index is damaged. */
  readonly rows?: IdentifierRow[];
}

type IdentifierRow = RowOf<(typeof IDENTIFIER)['columns']>;

/** Finds a live report by its indexes. Undefined if they lead to damaged or wrong rows. */
function* findByIndex({ reportId, reporterId }: NamedReport): SqlWork<Found | 'none' | undefined> {
  try {
    const [report] = yield* find(REPORT, 'reportId', [reportId]);
    if (!report || report.reporterId !== reporterId) return undefined;
    if (report.removedAt !== null) return 'none';
    const rows = yield* hold(() => identifiersOf(reportId));
    return { identifiers: toNamed(rows), where: 'report_id = ?', rows };
  } catch (error) {
    // Only the reads above throw here. An error of a statement does not pass through this function.
    if (error instanceof StoreDamagedError) return undefined;
    throw error;
  }
}

/** Finds a report with a full table scan. Damaged identifiers are deleted too, but not listed in the receipt. */
function* findPastIndexes({ reportId, reporterId }: NamedReport): SqlWork<Found | 'none'> {
  const id = toBytes(reportId);
  if (!(yield* exists(`report WHERE ${PAST_INDEXES}`, id))) return 'none';
  const owner = toBytes(reporterId);
  if (!(yield* exists(`report WHERE ${PAST_INDEXES} AND reporter_id = ?`, id, owner))) {
    const [reporter] = yield* find(REPORTER, 'reporterId', [reporterId]);
    if (!reporter) throw missingRowError(REPORTER);
    // SQLite changes no row whose entry in an index it cannot find. The entry has the reporter that was written.
    yield* sql('DROP INDEX report_reporter');
    yield* sql('CREATE INDEX report_reporter ON report (reporter_id, created_at) WHERE created_at IS NOT NULL');
    yield* sql(`UPDATE report SET reporter_id = ? WHERE ${PAST_INDEXES}`, owner, id);
  }
  const identifiers = yield* hold(() => readSound(KIND_AND_HASH, `WHERE ${PAST_INDEXES} ORDER BY position`, id));
  return { identifiers, where: PAST_INDEXES };
}

/**
 * Returns a report's identifiers with their hashes locked. Work that links one of these hashes then waits, and later
 * sees whether another report has it. A move to another pepper may change hashes before they are locked. So the
 * identifiers are read again until all their hashes are locked.
 */
export function* hold<T extends Identifier>(readIdentifiers: () => SqlWork<T[]>): SqlWork<T[]> {
  const held = new Set<string>();
  for (;;) {
    const identifiers = yield* readIdentifiers();
    const missing = new Set(identifiers.map(({ hash }) => hash).filter((hash) => !held.has(hash)));
    if (missing.size === 0) return identifiers;
    yield { lock: [...missing].map(hashLock) };
    for (const hash of missing) held.add(hash);
  }
}

interface Removal extends Found {
  readonly reportId: string;
  readonly reporterId: string;
  readonly removedAt: number;
  readonly claimRules: number | undefined;
}

/** The values of a deleted report's columns. */
const EMPTY = Object.fromEntries(EMPTIED.map((name) => [name, null])) as Record<(typeof EMPTIED)[number], null>;
const WRITTEN = [...EMPTIED, 'removedAt'] as const;

/** Removes a report's identifiers and data. Keeps its id, its reporter and the time of removal. */
function* removeRows({ reportId, reporterId, removedAt, claimRules, identifiers, where }: Removal): SqlWork<void> {
  const hashes = [...new Set(identifiers.map(({ hash }) => hash))];
  if ((claimRules ?? 0) < 5) yield* mergeLoss(reportId, reporterId, hashes);
  yield* sql(`DELETE FROM identifier WHERE ${where}`, toBytes(reportId));
  yield* overwrite(REPORT, { reportId, reporterId, ...EMPTY, removedAt }, WRITTEN, where, toBytes(reportId));
  yield* eraseDisputeTexts(reportId);
  yield* eraseFromLinks(hashes);
  yield { seenBy: [reporterId] };
}

/**
 * Marks a report's disputes as merged if another report already counts for the same wrong claim, in an older journal:
 * now a claim keeps what it costs. Both reports have the same reporter, share an identifier and were found wrong;
 * together they cost one claim. Call this before the identifiers of the report are erased.
 */
function* mergeLoss(reportId: string, reporterId: string, hashes: readonly string[]): SqlWork<void> {
  if (!(yield* exists(`dispute WHERE report_id = ? AND upheld = 1 AND ${BY_PEOPLE}`, toBytes(reportId)))) return;
  const others = yield* askEach(
    FOUND,
    `SELECT 1 AS found FROM identifier WHERE hash = ? AND reporter_id = ? AND report_id <> ? AND disputed = 1
      AND EXISTS (SELECT 1 FROM dispute d
        WHERE d.report_id = identifier.report_id AND d.upheld = 1 AND ${BY_PEOPLE}) LIMIT 1`,
    hashes.map((hash) => [toBytes(hash), toBytes(reporterId), toBytes(reportId)]),
  );
  if (others.some((rows) => rows.length > 0))
    yield* change(DISPUTE, { reportId, merged: false }, { merged: [false, true] });
}

/** Erases what was said in a deleted report's disputes: it could describe the person. */
function* eraseDisputeTexts(reportId: string): SqlWork<void> {
  const disputes = yield* ask(SAID, SAID_TEXT, toBytes(reportId));
  for (const { openedAt, reason, answer, answeredAt } of disputes)
    yield* change(
      DISPUTE,
      { reportId, openedAt },
      { reason: [reason, ''], answer: [answer, null], answeredAt: [answeredAt, null] },
    );
}

/** Removes hashes without a live report from every link. A link without hashes no longer exists. */
function* eraseFromLinks(hashes: readonly string[]): SqlWork<void> {
  for (const hash of hashes)
    if (!(yield* exists('identifier WHERE hash = ?', toBytes(hash))))
      yield* sql('DELETE FROM link_identifier WHERE hash = ?', toBytes(hash));
}
