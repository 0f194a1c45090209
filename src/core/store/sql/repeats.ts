import type { Dispute } from '../../domain/dispute.ts';
import type { Identifier } from '../../domain/identifier.ts';
import { damageError } from '../errors.ts';
import type { StoredReport } from '../records.ts';
import { DISPUTE, IDENTIFIER, REPORT } from './catalogue.ts';
import { hex, toBytes, type RowOf } from './columns.ts';
import { eraseDisputeRequests } from './dispute-requests.ts';
import { ask, change, find, put, read } from './rows.ts';
import type { SingleRead, SqlWork } from './statement.ts';
import { pick, shape } from './table.ts';

// A claim that was found wrong stays wrong: a report that repeats it is stored with an upheld dispute of its own. So
// every reader of disputes knows, without a rule of its own, and the operator lifts it by a dispute that is rejected.

const WRONG_COLUMNS = { hash: hex(20), reportId: hex(8) };
const WRONG = shape(WRONG_COLUMNS);
const WRONG_TEXT = `SELECT i.hash, d.report_id FROM dispute d JOIN identifier i ON i.report_id = d.report_id
  WHERE d.reporter_id = ? AND d.upheld = 1`;
const NAMED = pick(IDENTIFIER, 'reportId', 'reporterId', 'kind', 'hash', 'createdAt');
const LIVE = pick(REPORT, 'reportId', 'reporterId', 'removedAt');

/** Who opened and decided the dispute of a repeated claim. */
const ENGINE = 'engine';
const REASON = 'The operator found an earlier report of the same organisation about the same person wrong.';

/** Reads the identifiers of all reports of a reporter that were ever found wrong: few, as a rule none. */
export function findEverWrong({ reporterId, weakKinds }: StoredReport): SingleRead<RowOf<typeof WRONG_COLUMNS>[]> {
  return weakKinds ? ask(WRONG, WRONG_TEXT, toBytes(reporterId)) : find(NAMED, 'reportId', []);
}

/**
 * True if a report repeats a claim that was found wrong: they share an identifier, and the newest decision about these
 * reports says wrong. An identifier of a weak kind alone is no link, unless all of the report's identifiers are shared.
 */
export function* isRepeat(
  { reporterId, identifiers, weakKinds = [] }: StoredReport,
  everWrong: readonly { readonly hash: string; readonly reportId: string }[],
): SqlWork<boolean> {
  const asked = new Map(identifiers.map(({ hash, kind }) => [hash, kind]));
  const near = [...new Set(everWrong.filter(({ hash }) => asked.has(hash)).map(({ reportId }) => reportId))];
  if (near.length === 0) return false;
  const links = (yield* find(NAMED, 'reportId', near)).filter(({ hash }) => asked.has(hash));
  if (links.some((row) => row.reporterId !== reporterId))
    throw damageError('a lookup of the wrong reports of a reporter returned another one: an index is damaged');
  const areAllShared = new Set(links.map(({ hash }) => hash)).size === asked.size;
  // Another name of the kind does not make an identifier weak.
  const isStrong = ({ kind, hash }: Identifier): boolean =>
    !weakKinds.includes(kind) || !weakKinds.includes(asked.get(hash) ?? '');
  const claims = new Set(links.filter((row) => areAllShared || isStrong(row)).map(({ reportId }) => reportId));
  const disputes = yield* find(DISPUTE, 'reportId', [...claims]);
  const decided = disputes.filter(({ decidedAt }) => decidedAt !== null);
  const last = decided.sort((a, b) => (a.decidedAt ?? 0) - (b.decidedAt ?? 0)).at(-1);
  return last?.upheld === true;
}

/** Stores an upheld dispute about a report that repeats a wrong claim. */
export function* putUpheld(reportId: string, reporterId: string, atMs: number): SqlWork<void> {
  yield* put(DISPUTE, [
    {
      reportId,
      reporterId,
      openedAt: atMs,
      openedBy: ENGINE,
      reason: REASON,
      decidedAt: atMs,
      decidedBy: ENGINE,
      upheld: true,
      merged: false,
      answer: null,
      answeredAt: null,
    },
  ]);
}

/**
 * Finds reports wrong that their reporter made about the same person since the dispute was opened: it could have known.
 * Returns their ids. The caller holds the lock of the disputed report.
 */
export function* upholdSince(
  {
    reportId,
    reporterId,
    openedAt,
    identifiers,
  }: Pick<Dispute, 'reportId' | 'reporterId' | 'openedAt'> & { readonly identifiers: readonly Identifier[] },
  decidedAt: number,
): SqlWork<string[]> {
  const found = new Set<string>();
  for (const { hash } of identifiers) {
    const tail = 'WHERE hash = ? AND reporter_id = ? AND created_at >= ? AND disputed = 0';
    const rows = yield* read(NAMED, tail, toBytes(hash), toBytes(reporterId), openedAt);
    if (rows.some((row) => row.hash !== hash || row.reporterId !== reporterId))
      throw damageError('a lookup in the table identifier returned another hash: the table is damaged');
    for (const row of rows) if (row.reportId !== reportId) found.add(row.reportId);
  }
  const upheld: string[] = [];
  for (const repeated of [...found].sort()) {
    yield { lock: [`report/${repeated}`] };
    const [report] = yield* find(LIVE, 'reportId', [repeated]);
    // Another process may have deleted or disputed it meanwhile.
    if (!report || report.removedAt !== null || (yield* find(DISPUTE, 'reportId', [repeated])).length > 0) continue;
    yield* putUpheld(repeated, reporterId, decidedAt);
    yield* eraseDisputeRequests(repeated);
    yield* change(IDENTIFIER, { reportId: repeated, disputed: false }, { disputed: [false, true] });
    upheld.push(repeated);
  }
  return upheld;
}
