import type { ReporterTrust } from '../core/scoring/standings/table.ts';
import type { ReporterStanding, Standings } from './result-parts.ts';

const SHOWN = 50;

/** Returns the standings under the names of the events. `reporters` has the id of each name. */
export function toReporterStandings(
  reporters: ReadonlyMap<string, { readonly reporterId: string }>,
  standings: ReadonlyMap<string, ReporterTrust>,
): ReporterStanding[] {
  return [...reporters].flatMap(([name, { reporterId }]) => {
    const trust = standings.get(reporterId);
    if (trust === undefined) return [];
    const { verified, established, precision, claims, corroborated, lost } = trust;
    return [{ name, verified, established, precision, claims, confirmed: corroborated, lost }];
  });
}

/** Returns the standings with the most claims, and the number of all. */
export function largestOf(standings: readonly ReporterStanding[]): Standings {
  const sorted = [...standings].sort((a, b) => b.claims - a.claims || (a.name < b.name ? -1 : 1));
  return { count: sorted.length, reporters: sorted.slice(0, SHOWN) };
}
