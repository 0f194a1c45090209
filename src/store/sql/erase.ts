import type { ErasedReport } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { find } from './rows.ts';
import { EVERYBODY, seenBy, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Erasure of a person; a report goes the way that `removeReport` knows. */
export function eraseWork(removeReport: StoreWork['removeReport']): Pick<StoreWork, 'erase'> {
  return {
    *erase({ hashes, erasedAt }) {
      const reports: ErasedReport[] = [];
      const counted = { links: 0, protections: 0 };
      for (const hash of hashes) {
        const bytes = toBytes(hash);
        // Proved: one that led to another report would leave its own behind, and the receipt would say that nothing is.
        const [rows] = yield* find('identifier', [bytes]);
        const named = new Map(rows!.map((row) => [toHex(row[3]), toHex(row[1])]));
        // Before the reports: with the last of them a link loses this hash and would not be found by it.
        counted.links += yield* eraseLinks(bytes);
        for (const [reportId, reporterId] of [...named].sort(([a], [b]) => (a < b ? -1 : 1))) {
          const removed = yield* removeReport({ reportId, reporterId, removedAt: erasedAt });
          if (removed.outcome === 'removed') reports.push({ reportId, reporterId, createdAt: removed.createdAt, identifiers: removed.identifiers });
        }
        const [row] = yield* sql('SELECT count(*) FROM protection WHERE hash = ?', bytes);
        counted.protections += Number(row![0]);
        if (Number(row![0]) > 0) yield* sql('DELETE FROM protection WHERE hash = ?', bytes);
      }
      if (reports.length > 0) yield* seenBy(EVERYBODY);
      return { reports, ...counted };
    },
  };
}

/** Whole links: the name of a link is an image of its set, and this hash was in it. */
function* eraseLinks(hash: Uint8Array): SqlWork<number> {
  const links = yield* sql('SELECT DISTINCT link_hash FROM link_identifier WHERE hash = ?', hash);
  for (const [linkHash] of links) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', linkHash!);
  return links.length;
}
