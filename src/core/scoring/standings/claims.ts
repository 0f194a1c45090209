import { groupBy } from '../../domain/group-by.ts';
import type { TrustPairs } from './pairs.ts';

/** The claims of all reporters, by number. */
export interface TrustClaims {
  readonly count: number;
  /**
   * As how many claims this one counts: at least 1. Joined reports count as often as they name different identifiers of
   * one kind, but at most once each: the reporter chooses what they share.
   */
  readonly size: Int32Array;
  /** Of claims of several reports, the pairs of the kind of which they name the most identifiers. */
  readonly widest: ReadonlyMap<number, readonly number[]>;
  /** Reporter number. */
  readonly reporter: Int32Array;
  /** Time of the claim's first report (ms, UTC). */
  readonly firstAt: Float64Array;
  /** 1 if a dispute about one of its reports was upheld. */
  readonly lost: Uint8Array;
  /** Claim number, by pair number. */
  readonly ofPair: Int32Array;
  /** Pairs by claim number. The pairs of claim c are `items[start[c]]` to `items[start[c + 1] - 1]`. */
  readonly pairs: { readonly start: Int32Array; readonly items: Int32Array };
}

export function findClaims({ reports, report, weight }: TrustPairs): TrustClaims {
  const { root, reporter, createdAt, upheld } = reports;
  const claimOf = new Int32Array(root.length);
  const roots: number[] = [];
  // The root is the first report of a claim, so the claim gets its number before the claim's other reports are reached.
  root.forEach((first, at) => (claimOf[at] = first === at ? roots.push(at) - 1 : claimOf[first]!));
  const firstAt = new Float64Array(roots.length).fill(Infinity);
  const lost = new Uint8Array(roots.length);
  const size = new Int32Array(roots.length);
  const widest = new Map<number, readonly number[]>();
  claimOf.forEach((claim, at) => {
    firstAt[claim] = Math.min(firstAt[claim]!, createdAt[at]!);
    if (upheld[at]) lost[claim] = 1;
    size[claim]!++;
  });
  const ofPair = Int32Array.from(report, (of) => claimOf[of]!);
  const pairs = arrange(ofPair, roots.length);
  size.forEach((reported, claim) => {
    if (reported === 1) return;
    // The weight tells kinds apart.
    const kinds = groupBy(pairsOf(pairs, claim), (pair) => weight[pair]!);
    const most = [...kinds].sort(([w, a], [v, b]) => b.length - a.length || v - w)[0]![1];
    widest.set(claim, most);
    size[claim] = Math.min(reported, most.length);
  });
  return {
    count: roots.length,
    reporter: Int32Array.from(roots, (at) => reporter[at]!),
    firstAt,
    lost,
    size,
    widest,
    ofPair,
    pairs,
  };
}

/** Returns the pairs of a claim. */
export function pairsOf({ start, items }: TrustClaims['pairs'], claim: number): Int32Array {
  return items.subarray(start[claim], start[claim + 1]);
}

/**
 * Returns 1 for each claim that another reporter preceded on a shared identifier, and 0 for all others. Only pairs with
 * `counts(pair)` can precede. Wrong reports cannot precede.
 */
export function findPreceded(pairs: TrustPairs, claims: TrustClaims, counts: (pair: number) => boolean): Uint8Array {
  const { firstOfHash, confirmsFrom, firstAt } = pairs;
  const preceded = new Uint8Array(claims.count);
  for (let hash = 0; hash + 1 < firstOfHash.length; hash++) {
    let first = Infinity;
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      if (counts(pair)) first = Math.min(first, confirmsFrom[pair]!);
    }
    // A pair cannot precede itself, because its `firstAt` is at most its `confirmsFrom`.
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      if (first < firstAt[pair]!) preceded[claims.ofPair[pair]!] = 1;
    }
  }
  return preceded;
}

/** Returns the positions of each group, in ascending order. */
function arrange(groups: Int32Array, count: number): TrustClaims['pairs'] {
  const start = new Int32Array(count + 1);
  for (const group of groups) start[group + 1]!++;
  for (let group = 0; group < count; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const items = new Int32Array(groups.length);
  groups.forEach((group, at) => (items[next[group]!++] = at));
  return { start, items };
}
