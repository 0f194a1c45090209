import type { Standing } from './evidence.ts';

/** That a reporter has reported an identifier. */
export interface Sharing {
  readonly reporterId: string;
  readonly hash: string;
  readonly kind: string;
}

/**
 * For each reporter among them the chance that the established others confirm what it says of this person:
 * `1 − Π (1 − W · min(1, p))`, each other reporter once, at the strongest identifier that both have; of two kinds the weaker weight counts.
 */
export function corroborationsOf(sharings: readonly Sharing[], standingOf: (reporterId: string) => Standing, weightOf: (kind: string) => number): Map<string, number> {
  const weights = new Map<string, Map<string, number>>();
  for (const { reporterId, hash, kind } of sharings) {
    let own = weights.get(reporterId);
    if (own === undefined) weights.set(reporterId, (own = new Map()));
    own.set(hash, Math.max(own.get(hash) ?? 0, weightOf(kind)));
  }
  // In the order of their ids: a product of floats depends on its order.
  const speaking = [...weights].filter(([reporterId]) => standingOf(reporterId).established).sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map([...weights].map(([reporterId, own]) => {
    let unconfirmed = 1;
    for (const [other, theirs] of speaking) {
      if (other === reporterId) continue;
      let shared = 0;
      for (const [hash, weight] of own) shared = Math.max(shared, Math.min(weight, theirs.get(hash) ?? 0));
      unconfirmed *= 1 - shared * Math.min(1, standingOf(other).precision);
    }
    return [reporterId, 1 - unconfirmed];
  }));
}
