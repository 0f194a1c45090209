import type { TrustPairs } from './trust-pairs.ts';

/** The claims of all reporters, numbered. */
export interface TrustClaims {
  readonly count: number;
  /** By claim: whose it is, when it was first made, 1 when a report of it was upheld as wrong. */
  readonly reporter: Int32Array;
  readonly firstAt: Float64Array;
  readonly lost: Uint8Array;
  /** By pair: the claim that it is in. */
  readonly ofPair: Int32Array;
  /** Pairs by claim: those of claim c are `items[start[c] … start[c + 1]]`. */
  readonly pairs: { readonly start: Int32Array; readonly items: Int32Array };
}

export function findClaims({ reports, report }: TrustPairs): TrustClaims {
  const { root, reporter, createdAt, upheld } = reports;
  const claimOf = new Int32Array(root.length);
  const roots: number[] = [];
  // A root is the first of its reports, so it has its number before they ask for it.
  for (let at = 0; at < root.length; at++) claimOf[at] = root[at] === at ? roots.push(at) - 1 : claimOf[root[at]!]!;
  const firstAt = new Float64Array(roots.length).fill(Infinity);
  const lost = new Uint8Array(roots.length);
  for (let at = 0; at < root.length; at++) {
    const claim = claimOf[at]!;
    firstAt[claim] = Math.min(firstAt[claim]!, createdAt[at]!);
    if (upheld[at]) lost[claim] = 1;
  }
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

/** 1 for each claim that another reporter had one identifier of before it had, by a pair that counts. What was upheld as wrong precedes nothing. */
export function findPreceded(pairs: TrustPairs, claims: TrustClaims, counts: (pair: number) => boolean): Uint8Array {
  const { firstOfHash, confirmsFrom, firstAt } = pairs;
  const preceded = new Uint8Array(claims.count);
  for (let hash = 0; hash + 1 < firstOfHash.length; hash++) {
    let first = Infinity;
    let second = Infinity;
    let firstPair = -1;
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      const at = counts(pair) ? confirmsFrom[pair]! : Infinity;
      if (at < first) {
        second = first;
        first = at;
        firstPair = pair;
      } else second = Math.min(second, at);
    }
    for (let pair = firstOfHash[hash]!; pair < firstOfHash[hash + 1]!; pair++) {
      if ((pair === firstPair ? second : first) < firstAt[pair]!) preceded[claims.ofPair[pair]!] = 1;
    }
  }
  return preceded;
}

/** Positions by group, in their order. */
function groupBy(groups: Int32Array, count: number): { start: Int32Array; items: Int32Array } {
  const start = new Int32Array(count + 1);
  for (const group of groups) start[group + 1]!++;
  for (let group = 0; group < count; group++) start[group + 1]! += start[group]!;
  const next = start.slice();
  const items = new Int32Array(groups.length);
  groups.forEach((group, at) => (items[next[group]!++] = at));
  return { start, items };
}
