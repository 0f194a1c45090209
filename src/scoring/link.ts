import type { KindConstants, LinkClaimConstants } from './constants.ts';
import type { EvidenceReport } from './evidence.ts';

/** d: what is left of a match after `ageDays`, 1 when it is fresh, the kind's floor in the end. */
export function decayOf({ floor, halfLifeDays }: KindConstants, ageDays: number): number {
  return floor + (1 - floor) * 2 ** (-Math.max(0, ageDays) / halfLifeDays);
}

/** What every report asks of the constants, worked out once: a query may match thousands of reports of a few kinds and ages. */
export interface LinkTable {
  /** W. */
  weightOf(kind: string): number;
  /** W·d: the chance that a match of this age links. */
  fadedWeightOf(kind: string, ageDays: number): number;
}

/** Ages up to this many whole days are remembered, some ten years. */
const DAYS_REMEMBERED = 4000;

export function createLinkTable(constants: LinkClaimConstants): LinkTable {
  const rowOf = (of: KindConstants) => ({ of, byAge: Array.from<number | undefined>({ length: DAYS_REMEMBERED + 1 }) });
  // Only kinds that have constants of their own: callers may name any others, and they are one row.
  const rows = new Map(Object.entries(constants.kinds).map(([kind, of]) => [kind, rowOf(of)]));
  const otherRow = rowOf(constants.otherKinds);
  return {
    weightOf: (kind) => (rows.get(kind) ?? otherRow).of.weight,
    fadedWeightOf(kind, ageDays) {
      const { of, byAge } = rows.get(kind) ?? otherRow;
      const known = byAge[ageDays];
      if (known !== undefined) return known;
      const faded = of.weight * decayOf(of, ageDays);
      if (Number.isInteger(ageDays) && ageDays >= 0 && ageDays <= DAYS_REMEMBERED) byAge[ageDays] = faded;
      return faded;
    },
  };
}

/** m: the chance that a report is about the person asked for. */
export function linkOf(report: EvidenceReport, table: LinkTable): number {
  let unlinked = 1;
  for (const weight of fadedWeights(report, table)) unlinked *= 1 - weight;
  return 1 - unlinked;
}

/** W · d of each match, in the order of size: sums and products of floats depend on their order, and the order of identifiers must not matter. */
export function fadedWeights({ shared, ageDays }: EvidenceReport, table: LinkTable): readonly number[] {
  const weights = shared.map(({ kind }) => table.fadedWeightOf(kind, ageDays));
  return weights.length === 1 ? weights : weights.sort((a, b) => a - b);
}

/** V: the chance that any matching identifier links at all, each identifier once, at the strongest kind it matched with. */
export function reachOf(reports: readonly EvidenceReport[], table: LinkTable): number {
  const weights = new Map<string, number>();
  for (const report of reports) {
    for (const { hash, kind } of report.shared) {
      const weight = table.weightOf(kind);
      const known = weights.get(hash);
      if (known === undefined || weight > known) weights.set(hash, weight);
    }
  }
  let unlinked = 1;
  // In the order of size, here too.
  for (const weight of [...weights.values()].sort((a, b) => a - b)) unlinked *= 1 - weight;
  return 1 - unlinked;
}
