import { StoreDamagedError, type ErasedReport } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { eraseReport } from './removal.ts';
import { find } from './rows.ts';
import { EVERYBODY, seenBy, sql, type SqlRow, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Erasure of a person. */
export const ERASE_WORK: Pick<StoreWork, 'erase'> = {
  *erase({ hashes, erasedAt }) {
    const reports: ErasedReport[] = [];
    const counted = { links: 0, protections: 0 };
    for (const hash of hashes) {
      const bytes = toBytes(hash);
      // Proved: one that led to another report would leave its own behind, and the receipt would say that nothing is.
      const named = yield* reportsOf(bytes);
      // Before the reports: with the last of them a link loses this hash and would not be found by it.
      counted.links += yield* eraseLinks(bytes);
      for (const [reportId, row] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const erased = yield* eraseReport({ reportId, reporterId: toHex(row[1]), removedAt: erasedAt }, Number(row[2]));
        if (erased) reports.push(erased);
      }
      const left = yield* reportsOf(bytes);
      if ([...left.keys()].some((reportId) => named.has(reportId))) throw new StoreDamagedError('an identifier of a report is still there after the report was erased: an index is damaged');
      const [row] = yield* sql('SELECT count(*) FROM protection WHERE hash = ?', bytes);
      counted.protections += Number(row![0]);
      if (Number(row![0]) > 0) yield* sql('DELETE FROM protection WHERE hash = ?', bytes);
    }
    if (reports.length > 0) yield* seenBy(EVERYBODY);
    return { reports, ...counted };
  },
};

/** By the id of each report that names a hash a row of it: kind, reporter_id, created_at and more. */
function* reportsOf(hash: Uint8Array): SqlWork<ReadonlyMap<string, SqlRow>> {
  const [rows] = yield* find('identifier', [hash]);
  return new Map(rows!.map((row) => [toHex(row[3]), row]));
}

/** Whole links: the name of a link is an image of its set, and this hash was in it. */
function* eraseLinks(hash: Uint8Array): SqlWork<number> {
  const links = yield* sql('SELECT DISTINCT link_hash FROM link_identifier WHERE hash = ?', hash);
  for (const [linkHash] of links) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', linkHash!);
  return links.length;
}
