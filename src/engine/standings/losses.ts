import { disputeStateAt, type Dispute } from '../../domain/dispute.ts';
import type { StoredIdentifier } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';

/**
 * Returns the number of claims that each reporter has lost to disputes at `atMs` (ms, UTC). Leaves out reporters
 * without a loss.
 *
 * If wrong reports of one reporter share an identifier, directly or through other wrong reports, they cost one claim. A
 * deleted report has no identifiers. It costs a claim of its own, unless its deletion `merged` it into another report.
 * A report without an identifier that `counts` costs nothing.
 */
export async function countLosses(
  store: Store,
  disputes: readonly Dispute[],
  atMs: number,
  counts: (identifier: StoredIdentifier) => Promise<boolean> | boolean,
): Promise<ReadonlyMap<string, number>> {
  const wrong = [...groupBy(disputes, ({ reportId }) => reportId).values()].flatMap((ofReport) =>
    disputeStateAt(ofReport, atMs) === 'upheld' ? ofReport.slice(0, 1) : [],
  );
  const stored = await store.findIdentifiers(wrong.map(({ reportId }) => reportId));
  const identifiers = groupBy(stored, ({ reportId }) => reportId);

  const claims = new Map<string, Set<string>[]>();
  for (const { reportId, reporterId, merged } of wrong) {
    const named = identifiers.get(reportId);
    if (named === undefined && merged) continue;
    const claim = new Set<string>(named === undefined ? [reportId] : []);
    for (const identifier of named ?? []) if (await counts(identifier)) claim.add(identifier.hash);
    if (claim.size === 0) continue;
    const apart: Set<string>[] = [];
    for (const other of claims.get(reporterId) ?? []) {
      if (![...claim].some((hash) => other.has(hash))) apart.push(other);
      else for (const hash of other) claim.add(hash);
    }
    claims.set(reporterId, [...apart, claim]);
  }
  return new Map([...claims].map(([reporterId, lost]) => [reporterId, lost.length]));
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
