import { disputeStateAt, type Dispute } from '../domain/dispute.ts';
import type { Store, StoredIdentifier } from '../store/store.ts';

/**
 * How many claims each reporter has lost at a moment, by the disputes about its reports; reporters that lost none are left out.
 * Wrong reports that share an identifier, or share one with a wrong report that does, are about one person and cost one claim. One that is deleted has no identifiers any
 * more: it stands for itself, or for nothing when it was noted at its deletion that another one stands for it. A report of which nothing `teaches` costs nothing.
 */
export async function countLosses(
  store: Store,
  disputes: readonly Dispute[],
  atMs: number,
  teaches: (identifier: StoredIdentifier) => Promise<boolean> | boolean,
): Promise<ReadonlyMap<string, number>> {
  const byReport = new Map<string, Dispute[]>();
  for (const dispute of disputes) byReport.set(dispute.reportId, [...(byReport.get(dispute.reportId) ?? []), dispute]);
  const wrong = [...byReport]
    .filter(([, ofReport]) => disputeStateAt(ofReport, atMs) === 'upheld')
    .map(([reportId, [first]]) => ({ reportId, reporterId: first!.reporterId, merged: first!.merged }));
  const identifiers = new Map<string, StoredIdentifier[]>();
  for (const identifier of await store.findIdentifiers(wrong.map(({ reportId }) => reportId))) {
    identifiers.set(identifier.reportId, [...(identifiers.get(identifier.reportId) ?? []), identifier]);
  }

  const claims = new Map<string, Set<string>[]>();
  for (const { reportId, reporterId, merged } of wrong) {
    const named = identifiers.get(reportId);
    if (named === undefined && merged) continue;
    const ofReporter = claims.get(reporterId) ?? [];
    claims.set(reporterId, ofReporter);
    const claim = new Set<string>(named === undefined ? [reportId] : []);
    for (const identifier of named ?? []) if (await teaches(identifier)) claim.add(identifier.hash);
    if (claim.size === 0) continue;
    for (const other of ofReporter.filter((known) => [...claim].some((hash) => known.has(hash)))) {
      for (const hash of other) claim.add(hash);
      ofReporter.splice(ofReporter.indexOf(other), 1);
    }
    ofReporter.push(claim);
  }
  return new Map([...claims].map(([reporterId, lost]) => [reporterId, lost.length]));
}
