import { pairsOf, type TrustClaims } from './claims.ts';
import type { TrustPairs } from './pairs.ts';
import type { ReporterTrust } from './table.ts';

/**
 * Returns a function for the chance that others confirm a claim: `1 − Π (1 − W · min(1, p))`. The product runs over the
 * other established reporters that share an identifier with the claim. W is the weight of the strongest shared
 * identifier. `standings` are by reporter number.
 *
 * For a claim that counts several times, returns how many are confirmed: each identifier of its widest kind by itself,
 * because others can confirm the one that joins them all.
 */
export function createConfirmation(
  pairs: TrustPairs,
  claims: TrustClaims,
  standings: readonly ReporterTrust[],
): (claim: number) => number {
  const { start, items } = findSpeakers(pairs, standings);
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
      unconfirmed *= 1 - best[other]! * Math.min(1, standings[other]!.precision);
      best[other] = 0;
    }
    return 1 - unconfirmed;
  };
  return (claim) => {
    const own = claims.reporter[claim]!;
    const once = confirm(pairsOf(claims.pairs, claim), own);
    let each = 0;
    for (const pair of claims.widest.get(claim) ?? []) each += confirm([pair], own);
    return Math.max(once, Math.min(claims.size[claim]!, each));
  };
}

/**
 * Returns, by hash, the pairs whose reporter is established and can confirm. Most keys of an attacker have no such
 * pair.
 */
function findSpeakers(pairs: TrustPairs, standings: readonly ReporterTrust[]): { start: number[]; items: number[] } {
  const start: number[] = [];
  const items: number[] = [];
  let pair = 0;
  for (const first of pairs.firstOfHash) {
    for (; pair < first; pair++) {
      if (pairs.confirmsFrom[pair]! < Infinity && standings[pairs.reporter[pair]!]!.established) items.push(pair);
    }
    start.push(items.length);
  }
  return { start, items };
}
