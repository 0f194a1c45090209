import { disputeStateAt, type Dispute } from '../domain/dispute.ts';
import type { TrustRules } from '../scoring/trust.ts';
import type { Store, StoredIdentifier } from '../store/store.ts';

/**
 * How many claims a reporter has lost since an epoch, by the disputes about its reports; below 0 when it was given some back.
 * Upheld reports that share a strong identifier are one claim: two reports of one person cost once. A report that is deleted has no identifiers any more, and stands for itself.
 */
export async function lossesSince(
  { store, rules, teaches }: { readonly store: Store; readonly rules: TrustRules; readonly teaches: (identifier: StoredIdentifier) => Promise<boolean> | boolean },
  disputes: readonly Dispute[], epochAt: number, atMs: number,
): Promise<number> {
  const reportIds = [...new Set(disputes.map(({ reportId }) => reportId))];
  const upheldAt = (at: number): string[] => reportIds.filter((id) => disputeStateAt(disputes.filter(({ reportId }) => reportId === id), at) === 'upheld');
  const [now, before] = [upheldAt(atMs), upheldAt(epochAt)];
  if (now.length === before.length && now.every((id) => before.includes(id))) return 0;
  const hashes = new Map<string, string[]>();
  for (const identifier of await store.findIdentifiers([...new Set([...now, ...before])])) {
    if (!rules.isStrong(identifier.kind) || !(await teaches(identifier))) continue;
    hashes.set(identifier.reportId, [...(hashes.get(identifier.reportId) ?? []), identifier.hash]);
  }
  return countClaims(now, hashes) - countClaims(before, hashes);
}

/** Reports that share a hash, or share one with a report that does, are one. */
function countClaims(reportIds: readonly string[], hashesOf: ReadonlyMap<string, readonly string[]>): number {
  const claims: Set<string>[] = [];
  for (const reportId of reportIds) {
    const claim = new Set(hashesOf.get(reportId) ?? [reportId]);
    const met = claims.filter((other) => [...claim].some((hash) => other.has(hash)));
    for (const other of met) {
      for (const hash of other) claim.add(hash);
      claims.splice(claims.indexOf(other), 1);
    }
    claims.push(claim);
  }
  return claims.length;
}
