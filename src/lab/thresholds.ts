import { labelError, requireFinite, requireList, requireObject } from './options.ts';

/** A judged query, as shown to an operator. */
export interface JudgedQuery {
  /** 1 for a person to warn about. */
  readonly label: 0 | 1;
  /** Points as shown, 0 to 100, or on another scale. Thresholds have the same scale. */
  readonly points: number;
  /** Kinds of the identifiers that matched, in any order; empty without a match. */
  readonly kinds: readonly string[];
}

/**
 * The effect of blocking at `points >= threshold`. Positives have label 1, negatives 0. If the denominator of a share
 * is 0, the share is undefined.
 */
export interface ThresholdCost {
  /** `all` queries, or those that matched with this kind, alone or with others. */
  readonly kind: 'all' | (string & {});
  /** Queries with at least this number of points are blocked. */
  readonly threshold: number;
  /** Number of blocked queries. */
  readonly blocked: number;
  /** Blocked queries with label 1. */
  readonly blockedOnes: number;
  /** Blocked queries with label 0. */
  readonly blockedZeros: number;
  /** Queries of the kind, blocked or not. */
  readonly ones: number;
  /** Queries of the kind with label 0, blocked or not. */
  readonly zeros: number;
  /** Share of the blocked queries that have label 1; undefined if none is blocked. */
  readonly precision: number | undefined;
  /** Share of the ones that are blocked; undefined without ones. */
  readonly recall: number | undefined;
  /** Share of the zeros (honest people) that are blocked. */
  readonly falsePositiveRate: number | undefined;
}

/**
 * Returns a row for each kind and threshold. `all` comes first, then kinds by code unit. Thresholds rise within a kind.
 * Equal thresholds make one row.
 *
 * @throws RangeError for a label other than 0 and 1, and for a threshold or points that are not finite. TypeError for
 * values of another type. The message contains the value's position.
 */
export function costOfThresholds(
  judged: readonly JudgedQuery[],
  thresholds: readonly number[],
): readonly ThresholdCost[] {
  requireList('judged', judged);
  requireList('thresholds', thresholds);
  for (const [at, threshold] of thresholds.entries()) requireFinite(`thresholds[${at}]`, threshold);
  const byKind = new Map<string, JudgedQuery[]>();
  for (const [at, query] of judged.entries()) {
    requireObject(`judged[${at}]`, query);
    const { label, points, kinds } = query;
    if (label !== 0 && label !== 1) throw labelError(`judged[${at}].label`, label);
    requireFinite(`judged[${at}].points`, points);
    requireList(`judged[${at}].kinds`, kinds);
    // A set: two matching addresses of one kind are still one query.
    for (const kind of new Set(kinds)) {
      const queries = byKind.get(kind);
      if (queries === undefined) byKind.set(kind, [query]);
      else queries.push(query);
    }
  }
  const rising = [...new Set(thresholds)].sort((a, b) => a - b);
  // `all` is not in the map, because a kind may have this name.
  const groups: (readonly [string, readonly JudgedQuery[]])[] = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  groups.unshift(['all', judged]);
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
