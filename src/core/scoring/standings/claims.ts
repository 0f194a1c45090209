import { groupBy } from '../../domain/lists.ts';
import type { TrustPairs } from './pairs.ts';

/** The claims of all reporters, by number. */
export interface TrustClaims {
  /**
   * As how many claims this one counts: at least 1. Joined reports count as often as they name further identifiers of
   * one kind: the reporter chooses what they share.
   */
  readonly size: readonly number[];
  /** Of claims of several reports, by kind: the pairs that each report names first. */
  readonly named: ReadonlyMap<number, readonly PairsByReport[]>;
  /** Reporter number. */
  readonly reporter: readonly number[];
  /** Time of the claim's first report (ms, UTC). */
  readonly firstAt: readonly number[];
  /** True if a dispute about one of its reports was upheld. */
  readonly lost: readonly boolean[];
  /** Claim number, by pair number. */
  readonly ofPair: readonly number[];
  /** Pairs by claim number. The pairs of claim c are `items[start[c]]` to `items[start[c + 1] - 1]`. */
  readonly pairs: { readonly start: Int32Array; readonly items: Int32Array };
}

type PairsByReport = readonly (readonly number[])[];

export function findClaims({ reports, report, weight }: TrustPairs): TrustClaims {
  const { root, reporter, createdAt, upheld } = reports;
  const claimOf: number[] = [];
  const roots: number[] = [];
  // The root is the first report of a claim, so the claim gets its number before the claim's other reports are reached.
  root.forEach((first, at) => claimOf.push(first === at ? roots.push(at) - 1 : claimOf[first]!));
  const firstAt = roots.map(() => Infinity);
  const lost = roots.map(() => false);
  const size = roots.map(() => 0);
  const named = new Map<number, readonly PairsByReport[]>();
  claimOf.forEach((claim, at) => {
    firstAt[claim] = Math.min(firstAt[claim]!, createdAt[at]!);
    lost[claim] ||= upheld[at]!;
    size[claim]!++;
  });
  const ofPair = report.map((of) => claimOf[of]!);
  const pairs = arrange(ofPair, roots.length);
  size.forEach((reported, claim) => {
    if (reported === 1) return;
    // The weight tells the kinds apart that have one of their own: a reporter may invent the others.
    const kinds = [...groupBy(pairsOf(pairs, claim), (pair) => weight[pair]!).values()];
    const ofKinds = kinds.map((ofKind) => [...groupBy(ofKind, (pair) => report[pair]!).values()]);
    named.set(claim, ofKinds);
    size[claim] = mostOfKind(ofKinds, () => 1);
  });
  return { reporter: roots.map((at) => reporter[at]!), firstAt, lost, size, named, ofPair, pairs };
}

/** Returns the pairs of a claim. */
export function pairsOf({ start, items }: TrustClaims['pairs'], claim: number): Int32Array {
  return items.subarray(start[claim], start[claim + 1]);
}

/**
 * Returns as how many claims each one was preceded: 1 if another reporter preceded it on any shared identifier; of
 * joined reports, the number of such identifiers of one kind. Only pairs with `counts(pair)` can precede. Wrong reports
 * cannot precede.
 */
export function countPreceded(pairs: TrustPairs, claims: TrustClaims, counts: (pair: number) => boolean): number[] {
  const { firstOfHash, confirmsFrom, firstAt } = pairs;
  const precededPairs = firstAt.map(() => 0);
  const preceded = claims.size.map(() => 0);
  for (let hash = 0; hash + 1 < firstOfHash.length; hash++) {
    let first = Infinity;
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      if (counts(pair)) first = Math.min(first, confirmsFrom[pair]!);
    }
    // A pair cannot precede itself, because its `firstAt` is at most its `confirmsFrom`.
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      if (first < firstAt[pair]!) preceded[claims.ofPair[pair]!] = precededPairs[pair] = 1;
    }
  }
  for (const [claim, kinds] of claims.named)
    preceded[claim] = mostOfKind(kinds, (named) => Math.max(...named.map((pair) => precededPairs[pair]!)));
  return preceded;
}

/** Returns the largest sum over the reports that name a pair of one kind first. */
export function mostOfKind(kinds: readonly PairsByReport[], valueOf: (named: readonly number[]) => number): number {
  return Math.max(...kinds.map((reports) => reports.reduce((sum, named) => sum + valueOf(named), 0)));
}

/** Returns the positions of each group, in ascending order. */
function arrange(groups: readonly number[], count: number): TrustClaims['pairs'] {
  const start = new Int32Array(count + 1);
  for (const group of groups) start[group + 1]!++;
  for (let group = 0; group < count; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const items = new Int32Array(groups.length);
  groups.forEach((group, at) => (items[next[group]!++] = at));
  return { start, items };
}
