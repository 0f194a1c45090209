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

  const claims = new Map<string, WrongClaims>();
  for (const { reportId, reporterId, merged } of wrong) {
    const named = identifiers.get(reportId);
    if (named === undefined && merged) continue;
    const shared = named === undefined ? [reportId] : [];
    for (const identifier of named ?? []) if (await counts(identifier)) shared.push(identifier.hash);
    if (shared.length === 0) continue;
    const ofReporter = claims.get(reporterId) ?? { parents: new Map<string, string>(), count: 0 };
    claims.set(reporterId, ofReporter);
    connect(ofReporter, shared);
  }
  return new Map([...claims].map(([reporterId, { count }]) => [reporterId, count]));
}

/** The wrong claims of one reporter, as disjoint sets of hashes: a reporter may have very many wrong reports. */
interface WrongClaims {
  /** Another hash of the same claim; the hash itself if it stands for the claim. */
  readonly parents: Map<string, string>;
  count: number;
}

/** Makes these hashes one claim, together with all claims that have one of them. */
function connect(claims: WrongClaims, hashes: readonly string[]): void {
  const { parents } = claims;
  let root: string | undefined;
  for (const hash of hashes) {
    const found = rootOf(parents, hash);
    if (found === undefined) {
      parents.set(hash, root ?? hash);
      if (root === undefined) claims.count++;
    } else if (root !== undefined && found !== root) {
      parents.set(found, root);
      claims.count--;
    }
    root ??= found ?? hash;
  }
}

function rootOf(parents: Map<string, string>, hash: string): string | undefined {
  let at = hash;
  for (let parent = parents.get(at); parent !== at; parent = parents.get(at)) {
    if (parent === undefined) return undefined;
    // Shorten the way for later searches.
    parents.set(at, parents.get(parent) ?? parent);
    at = parent;
  }
  return at;
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
