import type { Match } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { proveSorted } from './order.ts';
import { find } from './rows.ts';
import type { SqlRow, SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** The order of rows of one hash: the rest of the table's key. */
const ORDER = 'kind, reporter_id, created_at, report_id, position';
const orderOf = (row: SqlRow): SqlRow => row.slice(0, 5);
/** Rows of one hash that are read in one turn: ten milliseconds or so. */
const PAGE = 2_000;

/** What matches a query. */
export const MATCH_WORK: Pick<StoreWork, 'findMatches'> = {
  *findMatches(hashes) {
    const found = yield* find(
      'identifier',
      hashes.map((hash) => toBytes(hash)),
    );
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
    for (
      let page = run(pageAfter(hash, undefined));
      page.length > 0;
      page = page.length < PAGE ? [] : run(pageAfter(hash, page.at(-1)))
    ) {
      for (const row of page) matches.push(toMatch(hash, row));
      await new Promise((resolve) => setTimeout(resolve));
    }
  }
  return matches;
}

/** All rows of each hash, or one more than a page. In no order: to ask for one costs SQLite twenty times the read, and nearly always these are all. */
function* beginnings(hashes: readonly string[]): SqlWork<readonly (readonly SqlRow[])[]> {
  return yield* find(
    'identifier',
    hashes.map((hash) => toBytes(hash)),
    ` LIMIT ${PAGE + 1}`,
  );
}

function* pageAfter(hash: string, last: SqlRow | undefined): SqlWork<readonly SqlRow[]> {
  const after = last && orderOf(last);
  const tail = `${after ? ` AND (${ORDER}) > (?, ?, ?, ?, ?)` : ''} ORDER BY ${ORDER} LIMIT ${PAGE}`;
  const [page] = yield* find('identifier', [toBytes(hash)], tail, ...(after ?? []));
  proveSorted(
    'identifier',
    page!.map((row) => orderOf(row)),
    after,
  );
  return page!;
}

function toMatch(hash: string, [kind, reporter, createdAt, report, , type, severity, disputed]: SqlRow): Match {
  return {
    hash,
    kind: kind as string,
    reportId: toHex(report),
    reporterId: toHex(reporter),
    type: type as string,
    severity: severity as number,
    createdAt: createdAt as number,
    disputed: disputed === 1,
  };
}
