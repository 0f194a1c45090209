import type { Match } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { each, sql, type SqlRow, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

const MATCH = 'kind, report_id, reporter_id, type, severity, created_at, disputed';
/** The order of rows of one hash: the rest of the table's key. */
const ORDER = 'kind, reporter_id, created_at, report_id, position';
/** Rows of one hash that are read in one turn: ten milliseconds or so. */
const PAGE = 2_000;

/** What matches a query. */
export const MATCH_WORK: Pick<StoreWork, 'findMatches'> = {
  *findMatches(hashes) {
    const found = yield* each(`SELECT ${MATCH} FROM identifier WHERE hash = ?`, hashes.map((hash) => [toBytes(hash)]));
    return found.flatMap((rows, at) => rows.map((row) => toMatch(hashes[at]!, row)));
  },
};

/**
 * The same on an engine that runs work at once: of a hash with very many reports a page a turn, and others get theirs in between. What is stored or deleted
 * meanwhile is in the answer or is not; all else is, once.
 */
export async function matchesInTurns(hashes: readonly string[], run: <T>(work: SqlWork<T>) => T): Promise<Match[]> {
  const matches: Match[] = [];
  for (const [at, rows] of run(beginnings(hashes)).entries()) {
    const hash = hashes[at]!;
    if (rows.length <= PAGE) {
      for (const row of rows) matches.push(toMatch(hash, row));
      continue;
    }
    for (let page = run(pageAfter(hash, undefined)); page.length > 0; page = page.length < PAGE ? [] : run(pageAfter(hash, page.at(-1)))) {
      for (const row of page) matches.push(toMatch(hash, row));
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return matches;
}

/** All rows of each hash, or one more than a page. In no order: to ask for one costs SQLite twenty times the read, and nearly always these are all. */
function* beginnings(hashes: readonly string[]): SqlWork<readonly (readonly SqlRow[])[]> {
  return yield* each(`SELECT ${MATCH} FROM identifier WHERE hash = ? LIMIT ${PAGE + 1}`, hashes.map((hash) => [toBytes(hash)]));
}

function* pageAfter(hash: string, last: SqlRow | undefined): SqlWork<readonly SqlRow[]> {
  const [bytes, select] = [toBytes(hash), `SELECT ${MATCH}, position FROM identifier WHERE hash = ?`];
  if (last === undefined) return yield* sql(`${select} ORDER BY ${ORDER} LIMIT ${PAGE}`, bytes);
  const [kind, report, reporter, , , createdAt, , position] = last;
  return yield* sql(`${select} AND (${ORDER}) > (?, ?, ?, ?, ?) ORDER BY ${ORDER} LIMIT ${PAGE}`, bytes, kind!, reporter!, createdAt!, report!, position!);
}

function toMatch(hash: string, [kind, report, reporter, type, severity, createdAt, disputed]: SqlRow): Match {
  return {
    hash, kind: kind as string, reportId: toHex(report), reporterId: toHex(reporter),
    type: type as string, severity: severity as number, createdAt: createdAt as number, disputed: disputed === 1,
  };
}
