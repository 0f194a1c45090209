/** A judged query, as an operator with a threshold would have seen it. */
export interface JudgedQuery {
  /** 1: a person to be warned of. */
  readonly label: 0 | 1;
  /** As shown, 0 to 100, or on any other scale that the thresholds share. */
  readonly points: number;
  /** Kinds of identifier that it matched with, in any order; none without a match. */
  readonly kinds: readonly string[];
}

/** What blocking at `points >= threshold` would have done. A share of nothing is undefined. */
export interface ThresholdCost {
  /** `all` queries, or those that matched with this kind, perhaps among others. */
  readonly kind: 'all' | (string & {});
  readonly threshold: number;
  readonly blocked: number;
  readonly blockedOnes: number;
  readonly blockedZeros: number;
  /** Of the kind in all, blocked or not. */
  readonly ones: number;
  readonly zeros: number;
  /** Share of ones among the blocked. */
  readonly precision: number | undefined;
  /** Share of the ones that are blocked. */
  readonly recall: number | undefined;
  /** Share of the zeros that are blocked: honest people turned away. */
  readonly falsePositiveRate: number | undefined;
}

/**
 * A row for each kind and threshold: `all` first, then kinds by code unit, and thresholds rising within each; a threshold given twice is one row.
 * @throws RangeError that names a threshold or points that are not finite.
 */
export function costOfThresholds(
  judged: readonly JudgedQuery[],
  thresholds: readonly number[],
): readonly ThresholdCost[] {
  for (const [at, threshold] of thresholds.entries()) {
    if (!Number.isFinite(threshold))
      throw new RangeError(`"thresholds[${at}]" expected a finite number, got ${threshold}`);
  }
  const byKind = new Map<string, JudgedQuery[]>();
  for (const [at, query] of judged.entries()) {
    if (!Number.isFinite(query.points))
      throw new RangeError(`"judged[${at}].points" expected a finite number, got ${query.points}`);
    // A Set: two matching addresses are one query all the same.
    for (const kind of new Set(query.kinds)) {
      const queries = byKind.get(kind);
      if (queries === undefined) byKind.set(kind, [query]);
      else queries.push(query);
    }
  }
  const rising = [...new Set(thresholds)].sort((a, b) => a - b);
  // `all` stands apart from the map: a caller may name a kind so.
  const groups = [['all', judged] as const, ...[...byKind].sort(([a], [b]) => (a < b ? -1 : 1))];
  return groups.flatMap(([kind, queries]) => rising.map((threshold) => costOf(kind, queries, threshold)));
}

function costOf(kind: string, queries: readonly JudgedQuery[], threshold: number): ThresholdCost {
  let ones = 0;
  let blocked = 0;
  let blockedOnes = 0;
  for (const { label, points } of queries) {
    ones += label;
    if (points < threshold) continue;
    blocked += 1;
    blockedOnes += label;
  }
  const zeros = queries.length - ones;
  const blockedZeros = blocked - blockedOnes;
  return {
    kind,
    threshold,
    blocked,
    blockedOnes,
    blockedZeros,
    ones,
    zeros,
    precision: share(blockedOnes, blocked),
    recall: share(blockedOnes, ones),
    falsePositiveRate: share(blockedZeros, zeros),
  };
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
