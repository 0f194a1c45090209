import type { TrustPairs } from './pairs.ts';

/** The claims of all reporters, by number. */
export interface TrustClaims {
  readonly count: number;
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

export function findClaims({ reports, report }: TrustPairs): TrustClaims {
  const { root, reporter, createdAt, upheld } = reports;
  const claimOf = new Int32Array(root.length);
  const roots: number[] = [];
  // The root is the first report of a claim, so the claim gets its number before the claim's other reports are reached.
  root.forEach((first, at) => (claimOf[at] = first === at ? roots.push(at) - 1 : claimOf[first]!));
  const firstAt = new Float64Array(roots.length).fill(Infinity);
  const lost = new Uint8Array(roots.length);
  claimOf.forEach((claim, at) => {
    firstAt[claim] = Math.min(firstAt[claim]!, createdAt[at]!);
    if (upheld[at]) lost[claim] = 1;
  });
  const ofPair = Int32Array.from(report, (of) => claimOf[of]!);
  return {
    count: roots.length,
    reporter: Int32Array.from(roots, (at) => reporter[at]!),
    firstAt,
    lost,
    ofPair,
    pairs: groupBy(ofPair, roots.length),
  };
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
function groupBy(groups: Int32Array, count: number): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(count + 1);
  for (const group of groups) start[group + 1]!++;
  for (let group = 0; group < count; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const items = new Int32Array(groups.length);
  groups.forEach((group, at) => (items[next[group]!++] = at));
  return { start, items };
}
