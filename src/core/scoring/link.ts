import type { KindConstants, LinkClaimConstants } from './constants.ts';
import type { EvidenceReport } from './evidence.ts';

/** Returns d: the factor of a match after `ageDays`. It falls from 1 to 0. */
export function decayOf({ halfLifeDays }: KindConstants, ageDays: number): number {
  return 2 ** (-Math.max(0, ageDays) / halfLifeDays);
}

/**
 * Weights by kind and age. Each is computed once, because a query may match thousands of reports of few kinds and ages.
 */
export interface LinkTable {
  /** Returns W. */
  weightOf(kind: string): number;
  /** Returns W·d: the chance that a match of this age is the same person. */
  fadedWeightOf(kind: string, ageDays: number): number;
}

/** Weights are remembered for whole days up to this age, about eleven years. */
const DAYS_REMEMBERED = 4000;

export function createLinkTable(constants: LinkClaimConstants): LinkTable {
  const rowOf = (of: KindConstants) => ({ of, byAge: Array.from<number | undefined>({ length: DAYS_REMEMBERED + 1 }) });
  // Only listed kinds have their own row, because clients can send any number of other kinds.
  const rows = new Map(Object.entries(constants.kinds).map(([kind, of]) => [kind, rowOf(of)]));
  const otherRow = rowOf(constants.otherKinds);
  return {
    weightOf: (kind) => (rows.get(kind) ?? otherRow).of.weight,
    fadedWeightOf(kind, ageDays) {
      const { of, byAge } = rows.get(kind) ?? otherRow;
      // Other numbers would be names of properties, which are slow to look up.
      if (!Number.isInteger(ageDays) || ageDays < 0 || ageDays > DAYS_REMEMBERED)
        return of.weight * decayOf(of, ageDays);
      return (byAge[ageDays] ??= of.weight * decayOf(of, ageDays));
    },
  };
}

/**
 * Returns m: the chance that a report is about the queried person. The half-life of each identifier is
 * `slowingOf(hash)` times as long as that of its kind.
 */
export function linkOf(
  { shared, ageDays }: Pick<EvidenceReport, 'shared' | 'ageDays'>,
  table: LinkTable,
  slowingOf: (hash: string) => number = () => 1,
): number {
  const weights: number[] = [];
  for (const { hash, kind } of shared) weights.push(table.fadedWeightOf(kind, ageDays / slowingOf(hash)));
  return anyOf(weights);
}

/** The identifiers that match, each once, with the weight of its strongest matching kind. */
export type Reach = Map<string, number>;

/** Adds the identifiers of a report. */
export function addReach(reach: Reach, { shared }: EvidenceReport, table: LinkTable): void {
  for (const { hash, kind } of shared) {
    const weight = table.weightOf(kind);
    const known = reach.get(hash);
    if (known === undefined || weight > known) reach.set(hash, weight);
  }
}

/** The chance that at least one matching identifier is the person's: of all reports, and of two groups. */
export interface Reaches {
  /** V. */
  readonly all: number;
  /** V_v: identifiers that verified reporters reported. What others report does not make their matches stronger. */
  readonly verified: number;
  /** V_u: identifiers that the others reported. */
  readonly unverified: number;
}

/** Returns the three chances. Usually only one group has reports. */
export function reachesOf(ofVerified: Reach, ofUnverified: Reach): Reaches {
  const verified = reachOf(ofVerified);
  const unverified = reachOf(ofUnverified);
  if (ofVerified.size === 0 || ofUnverified.size === 0) return { all: verified + unverified, verified, unverified };
  const all = new Map(ofVerified);
  for (const [hash, weight] of ofUnverified) all.set(hash, Math.max(weight, all.get(hash) ?? 0));
  return { all: reachOf(all), verified, unverified };
}

/** Returns V: the chance that at least one of these identifiers is the person's. */
export function reachOf(reach: Reach): number {
  return anyOf([...reach.values()]);
}

/**
 * Returns 1 − Π (1 − chance). Sorts the chances, because float products depend on the order and the order of
 * identifiers must not matter.
 */
function anyOf(chances: number[]): number {
  if (chances.length > 1) chances.sort((a, b) => a - b);
  let any = 0;
  // Not 1 − Π: it would round tiny chances away.
  for (const chance of chances) any += chance * (1 - any);
  return any;
}
