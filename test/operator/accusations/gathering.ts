import { DAY_MS } from '../../../src/core/domain/day.ts';
import { findAccusations, type AccusationFinding } from '../../../src/operator/accusations/find.ts';
import { createAccusationGatherer } from '../../../src/operator/accusations/gather.ts';
import type { Sighting } from '../../../src/core/scoring/standings/pairs.ts';

/** Start of the searched day. */
export const DAY_AT = Date.UTC(2026, 5, 1);
/** An hour of the searched day, or with a negative day of a day before it. */
export const at = (day: number, hour = 12): number => DAY_AT + day * DAY_MS + hour * 3_600_000;

/** A report of the tests: reporter, time and the persons that it names. */
export interface Told {
  readonly id: string;
  readonly by: string;
  readonly at: number;
  readonly about: readonly string[];
  readonly upheld?: boolean;
}

export interface Searched {
  readonly verified?: readonly string[];
  /** Claims by reporter. Default: `claimsOf` the reports. */
  readonly claims?: Readonly<Record<string, number>>;
  readonly days?: { readonly fromAt: number; readonly untilAt: number };
}

/** Number of claims of each reporter: of its reports about nobody whom it had reported before. */
export function claimsOf(reports: readonly Told[]): Record<string, number> {
  const claims: Record<string, number> = {};
  const named = new Set<string>();
  const inOrder = [...reports].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  for (const { by, about } of inOrder) {
    if (!about.some((person) => named.has(`${by} ${person}`))) claims[by] = (claims[by] ?? 0) + 1;
    for (const person of about) named.add(`${by} ${person}`);
  }
  return claims;
}

/** Searches reports, in the order of the given hashes. */
export function search(
  reports: readonly Told[],
  { verified = [], claims = {}, days = { fromAt: DAY_AT, untilAt: DAY_AT + DAY_MS } }: Searched = {},
): AccusationFinding[] {
  const ofHash = new Map<string, Sighting[]>();
  for (const { id, by, about, upheld = false, at: createdAt } of reports)
    for (const hash of about) {
      const list = ofHash.get(hash) ?? [];
      ofHash.set(hash, list);
      list.push({ hash, kind: 'email', reportId: id, reporterId: by, createdAt, upheld });
    }
  const gatherer = createAccusationGatherer(days);
  for (const sightings of ofHash.values()) for (const sighting of sightings) gatherer.add(sighting);
  const all = { ...claimsOf(reports), ...claims };
  const known = new Map(
    [...new Set(reports.map(({ by }) => by))].map((by) => [
      by,
      { verified: verified.includes(by), established: verified.includes(by), claims: all[by] ?? 0 },
    ]),
  );
  const work = findAccusations(gatherer.finish(), known, days);
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** Reports of one reporter, one for each person, at one time. */
export const accuse = (by: string, when: number, persons: readonly string[]): Told[] =>
  persons.map((person) => ({ id: `${by} ${when} ${person}`, by, at: when, about: [person] }));

export const persons = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}${n}`);
