import { DAY_MS } from '../../core/domain/day.ts';
import type { ReportHistory, Voice } from './gather.ts';
import { ACCUSATION_RULES } from './rules.ts';

/** Which reporters almost always report the same persons. */
export interface Bonds {
  /**
   * Returns the voices of those who have a bond with another one of them, if one of the two accuses on the day and they
   * are not both verified. Only what was reported before the day makes a bond. Yields after each comparison of two
   * reporters.
   */
  among(voices: readonly Voice[], dayAt: number): Generator<void, Voice[]>;
}

/** Most voices of one hash that are compared in pairs, the newest. More of them in a day are a burst anyway. */
export const MAX_COMPARED_VOICES = 40;

/** `claimsOf` returns the number of claims of a reporter (number) until the end of the search. */
export function createBonds(
  history: ReportHistory,
  isVerified: readonly boolean[],
  claimsOf: (reporter: number) => number,
): Bonds {
  const { at } = history.shared;
  let index: Index | undefined;
  const known = new Map<string, boolean>();

  /** Returns the number of claims that `a` shares with `b`. Reports of one time are one claim. */
  const countCommon = (a: number, b: number, beforeAt: number): number => {
    const { start, places, hashOf } = (index ??= indexVoices(history));
    const times = new Set<number>();
    // Both lists are in the order of hashes.
    let theirs = start[b]!;
    for (let own = start[a]!; own < start[a + 1]!; own++) {
      const place = places[own]!;
      while (theirs < start[b + 1]! && hashOf[places[theirs]!]! < hashOf[place]!) theirs++;
      const other = theirs < start[b + 1]! ? places[theirs]! : undefined;
      if (other === undefined) break;
      if (hashOf[other] === hashOf[place] && at[place]! < beforeAt && at[other]! < beforeAt) times.add(at[place]!);
    }
    return times.size;
  };

  const dependsOn = (a: number, b: number, dayAt: number): boolean => {
    const { commonClaims, commonShare } = ACCUSATION_RULES;
    const before = claimsOf(a) - history.countReports(a, dayAt, dayAt + 8 * DAY_MS);
    const common = countCommon(a, b, dayAt);
    return common >= commonClaims && common >= commonShare * before;
  };

  function* areBound(a: number, b: number, dayAt: number): Generator<void, boolean> {
    const pair = `${Math.min(a, b)} ${Math.max(a, b)} ${dayAt}`;
    let bound = known.get(pair);
    if (bound === undefined) {
      known.set(pair, (bound = dependsOn(a, b, dayAt) && dependsOn(b, a, dayAt)));
      yield;
    }
    return bound;
  }

  return {
    *among(voices, dayAt) {
      const compared = voices.slice(-MAX_COMPARED_VOICES).filter(({ reporter }) => {
        // Most new keys have too few claims.
        return claimsOf(reporter) >= ACCUSATION_RULES.commonClaims;
      });
      const bound = new Set<Voice>();
      for (const [n, one] of compared.entries()) {
        for (const other of compared.slice(n + 1)) {
          if (isVerified[one.reporter] && isVerified[other.reporter]) continue;
          if (other.at < dayAt || !(yield* areBound(one.reporter, other.reporter, dayAt))) continue;
          bound.add(one);
          bound.add(other);
        }
      }
      return [...bound];
    },
  };
}

interface Index {
  /** Places in `shared`: those of reporter r are `places[start[r]]` to `places[start[r + 1] - 1]`. */
  readonly start: Int32Array;
  readonly places: Int32Array;
  /** Hash number by place. */
  readonly hashOf: Int32Array;
}

function indexVoices({ shared: { reporter, end }, reporters }: ReportHistory): Index {
  const start = new Int32Array(reporters.length + 1);
  for (const one of reporter) start[one + 1]!++;
  for (let one = 0; one < reporters.length; one++) start[one + 1]! += start[one]!;
  const next = start.slice();
  const places = new Int32Array(reporter.length);
  const hashOf = new Int32Array(reporter.length);
  let hash = 0;
  for (const [place, one] of reporter.entries()) {
    while (place >= end[hash]!) hash++;
    hashOf[place] = hash;
    places[next[one]!++] = place;
  }
  return { start, places, hashOf };
}
