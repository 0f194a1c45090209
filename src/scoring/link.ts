import { kindConstants, type KindConstants, type LinkClaimConstants } from './constants.ts';
import type { EvidenceReport } from './evidence.ts';

/** d: what is left of a match after `ageDays`, 1 when it is fresh, the kind's floor in the end. */
export function decayOf({ floor, halfLifeDays }: KindConstants, ageDays: number): number {
  return floor + (1 - floor) * 2 ** (-Math.max(0, ageDays) / halfLifeDays);
}

/** m: the chance that a report is about the person asked for. */
export function linkOf(report: EvidenceReport, constants: LinkClaimConstants): number {
  let unlinked = 1;
  for (const weight of fadedWeights(report, constants)) unlinked *= 1 - weight;
  return 1 - unlinked;
}

/** W · d of each match, in the order of size: sums and products of floats depend on their order, and the order of identifiers must not matter. */
export function fadedWeights({ shared, ageDays }: EvidenceReport, constants: LinkClaimConstants): number[] {
  return shared.map(({ kind }) => {
    const k = kindConstants(constants, kind);
    return k.weight * decayOf(k, ageDays);
  }).sort((a, b) => a - b);
}

/** V: the chance that any matching identifier links at all, each identifier once, at the strongest kind it matched with. */
export function reachOf(reports: readonly EvidenceReport[], constants: LinkClaimConstants): number {
  const weights = new Map<string, number>();
  for (const report of reports) {
    for (const { hash, kind } of report.shared) {
      weights.set(hash, Math.max(weights.get(hash) ?? 0, kindConstants(constants, kind).weight));
    }
  }
  let unlinked = 1;
  // In the order of size, here too.
  for (const weight of [...weights.values()].sort((a, b) => a - b)) unlinked *= 1 - weight;
  return 1 - unlinked;
}
