import { StoreDamagedError, type ErasedReport } from '../store.ts';
import { toBytes, toHex } from './bytes.ts';
import { eraseReport, type NamedReport } from './removal.ts';
import { find, PAST_INDEXES } from './rows.ts';
import { EVERYBODY, seenBy, sql, type SqlWork } from './statement.ts';
import type { StoreWork } from './work.ts';

/** Erasure of a person. */
export const ERASE_WORK: Pick<StoreWork, 'erase'> = {
  *erase({ hashes, erasedAt }) {
    const reports: ErasedReport[] = [];
    const counted = { links: 0, protections: 0 };
    for (const hash of hashes) {
      const bytes = toBytes(hash);
      const named = yield* reportsOf(bytes);
      // Before the reports: with the last of them a link loses this hash and would not be found by it.
      counted.links += yield* eraseLinks(bytes);
      for (const report of named) {
        const erased = yield* eraseReport(report, erasedAt);
        if (erased) reports.push(erased);
      }
      yield* proveGone(bytes, named);
      const [row] = yield* sql('SELECT count(*) FROM protection WHERE hash = ?', bytes);
      counted.protections += Number(row![0]);
      if (Number(row![0]) > 0) yield* sql('DELETE FROM protection WHERE hash = ?', bytes);
    }
    if (reports.length > 0) yield* seenBy(EVERYBODY);
    return { reports, ...counted };
  },
};

/** The reports that name a hash, in the order of their ids. Proved: one that led to another report would leave its own behind, and the receipt would say that nothing is. */
function* reportsOf(hash: Uint8Array): SqlWork<NamedReport[]> {
  const [rows] = yield* find('identifier', [hash]);
  const named = new Map(
    rows!.map(([, reporter, createdAt, report]) => [
      toHex(report),
      { reportId: toHex(report), reporterId: toHex(reporter), createdAt: Number(createdAt) },
    ]),
  );
  return [...named.values()].sort((a, b) => (a.reportId < b.reportId ? -1 : 1));
}

/** Erases what is left of reports that are gone. Throws StoreDamagedError when it stays: then nothing was erased, and nobody is told that it was. */
function* proveGone(hash: Uint8Array, erased: readonly NamedReport[]): SqlWork<void> {
  const ids = new Set(erased.map(({ reportId }) => reportId));
  const left = function* (): SqlWork<NamedReport[]> {
    return (yield* reportsOf(hash)).filter(({ reportId }) => ids.has(reportId));
  };
  const orphans = yield* left();
  for (const { reportId } of orphans) yield* sql(`DELETE FROM identifier WHERE ${PAST_INDEXES}`, toBytes(reportId));
  if (orphans.length > 0 && (yield* left()).length > 0)
    throw new StoreDamagedError(
      'an identifier of a report is still there after the report was erased: an index is damaged',
    );
}

/** Whole links: the name of a link is an image of its set, and this hash was in it. */
function* eraseLinks(hash: Uint8Array): SqlWork<number> {
  const links = yield* sql('SELECT DISTINCT link_hash FROM link_identifier WHERE hash = ?', hash);
  for (const [linkHash] of links) yield* sql('DELETE FROM link_identifier WHERE link_hash = ?', linkHash!);
  return links.length;
}
