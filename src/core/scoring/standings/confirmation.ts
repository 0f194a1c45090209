import { mostOfKind, pairsOf, type TrustClaims } from './claims.ts';
import type { TrustPairs } from './pairs.ts';
import type { ReporterTrust } from './table.ts';

/**
 * Returns a function for the chance that others confirm a claim: `1 − Π (1 − W · p)`. The product runs over the other
 * reporters that speak and share an identifier with the claim. W is the weight of the strongest shared identifier.
 * `standings` and `speaks` are by reporter number.
 *
 * For a claim that counts several times, returns how many are confirmed: of one kind, what each report names first,
 * because others can confirm the one that joins them all.
 */
export function createConfirmation(
  pairs: TrustPairs,
  claims: TrustClaims,
  standings: readonly ReporterTrust[],
  speaks: readonly boolean[],
): (claim: number) => number {
  const { start, items } = findSpeakers(pairs, speaks);
  // W by reporter number for the current claim. Reset to 0 after each claim.
  const best = new Float64Array(pairs.reporters.length);
  const confirm = (named: Iterable<number>, own: number): number => {
    const met: number[] = [];
    for (const pair of named) {
      const hash = pairs.hash[pair]!;
      for (let s = start[hash]!; s < start[hash + 1]!; s++) {
        const theirs = items[s]!;
        const other = pairs.reporter[theirs]!;
        if (other === own) continue;
        if (best[other] === 0) met.push(other);
        best[other] = Math.max(best[other]!, Math.min(pairs.weight[pair]!, pairs.weight[theirs]!));
      }
    }
    let unconfirmed = 1;
    // Multiply in the order of ids: the last digit of a product depends on the order.
    for (const other of met.sort((a, b) => (pairs.reporters[a]! < pairs.reporters[b]! ? -1 : 1))) {
      unconfirmed *= 1 - best[other]! * standings[other]!.precision;
      best[other] = 0;
    }
    return 1 - unconfirmed;
  };
  return (claim) => {
    const own = claims.reporter[claim]!;
    const once = confirm(pairsOf(claims.pairs, claim), own);
    const kinds = claims.named.get(claim);
    return kinds
      ? Math.max(
          once,
          mostOfKind(kinds, (named) => confirm(named, own)),
        )
      : once;
  };
}

/**
 * Returns, by hash, the pairs whose reporter speaks and can confirm. Most keys of an attacker have no such pair.
 */
function findSpeakers(pairs: TrustPairs, speaks: readonly boolean[]): { start: number[]; items: number[] } {
  const start: number[] = [];
  const items: number[] = [];
  let pair = 0;
  for (const first of pairs.firstOfHash) {
    for (; pair < first; pair++) {
      if (pairs.confirmsFrom[pair]! < Infinity && speaks[pairs.reporter[pair]!]!) items.push(pair);
    }
    start.push(items.length);
  }
  return { start, items };
}
