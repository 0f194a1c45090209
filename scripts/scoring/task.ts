// A task is a set of judged queries with all the evidence for them. It is made once and measured with every candidate.
import type { EvidenceReport, Standing } from '../../src/core/scoring/evidence.ts';
import type { ScoringModel } from '../../src/core/scoring/model.ts';
import type { KnownReporter } from '../../src/core/scoring/standings/ledger.ts';
import type { Sighting } from '../../src/core/scoring/standings/pairs.ts';

export interface Task {
  /** Family of worlds, or judging list. */
  readonly group: string;
  /** Number of the world, or the cut day. */
  readonly unit: string;
  readonly epochs: readonly Epoch[];
  /** Attacks on the task's world; empty for lists. */
  readonly attacks: readonly AttackTask[];
}

/** Queries that are answered with the standings of one moment. */
export interface Epoch {
  /** The standings cover all reports before this time (ms, UTC). */
  readonly at: number;
  /** Of live reports, in the order of hashes. */
  readonly sightings: readonly Sighting[];
  readonly known: readonly KnownReporter[];
  readonly queries: readonly Query[];
}

export interface Query {
  readonly label: 0 | 1;
  /** True for a positive that its judge listed only after the cut day. */
  readonly later: boolean;
  readonly reports: readonly EvidenceReport[];
}

export interface AttackTask {
  /** As in `parseAttack`, e.g. `sybil:100`. */
  readonly name: string;
  readonly epoch: Epoch;
}

/** A model that is measured. Candidates with equal `standings` have the same rules for standings. */
export interface Candidate {
  readonly name: string;
  readonly model: ScoringModel;
  readonly standings: string;
}

export interface Answer extends Query {
  readonly points: number;
  readonly chance: number | undefined;
}

/** Remembers standings, because candidates that differ only in how reports are weighed have the same. */
export type TableCache = Map<string, ReadonlyMap<string, Standing>>;

/** Returns the standings with which a model answers the queries of an epoch. */
export function standingsAt(
  { model, standings: rules }: Candidate,
  epoch: Epoch,
  cache: TableCache,
): ReadonlyMap<string, Standing> {
  if (model.trust === undefined)
    return new Map(epoch.known.map(({ reporterId, verified }) => [reporterId, model.standingOf({ verified })]));
  const name = `${rules} ${epoch.at}`;
  let standings = cache.get(name);
  if (standings === undefined) {
    const ledger = model.trust.createLedger(epoch.at);
    for (const sighting of epoch.sightings) ledger.add(sighting);
    const table = ledger.table(epoch.known);
    let step = table.next();
    while (!step.done) step = table.next();
    standings = step.value.reporters;
    cache.set(name, standings);
  }
  return standings;
}

/** Returns the answers of a model to the queries of an epoch. */
export function answersOf(candidate: Candidate, epoch: Epoch, cache: TableCache): Answer[] {
  const { model } = candidate;
  const standings = standingsAt(candidate, epoch, cache);
  const known = new Map<readonly EvidenceReport[], { points: number; chance: number | undefined }>();
  return epoch.queries.map((query) => {
    let measure = known.get(query.reports);
    if (measure === undefined) {
      measure = model.measure({ reports: query.reports, standings });
      known.set(query.reports, measure);
    }
    return { ...query, points: measure.points, chance: measure.chance };
  });
}
