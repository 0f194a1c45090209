import type { Evidence, Standing } from '../core/scoring/evidence.ts';
import type { ScoringModel } from '../core/scoring/model.ts';

/** Steps of a published precision: exact ones would show the record of each reporter to all others. */
const STEPS = 16;

/** Returns the step of a precision, 0 to 15. */
export function stepOf(precision: number): number {
  return Math.min(STEPS - 1, Math.floor(precision * STEPS));
}

/** Returns the precision of a step: the middle of all that have it. It is at most 1/32 off. */
export function precisionOf(step: number): number {
  return (step + 0.5) / STEPS;
}

/**
 * Returns the model with each precision rounded to its step. Clients know no other one, so a service with a sealed
 * look-up must score with it: both then get the same numbers.
 */
export function inSteps<Model extends ScoringModel>(model: Model): Model {
  const round = ({ reports, standings }: Evidence): Evidence => ({ reports, standings: roundAll(standings) });
  const { begin, explain } = model;
  return {
    ...model,
    measure: (evidence) => model.measure(round(evidence)),
    score: (evidence) => model.score(round(evidence)),
    ...(begin && { begin: (standings) => begin(roundAll(standings)) }),
    ...(explain && { explain: (evidence) => explain(round(evidence)) }),
  };
}

function roundAll(standings: ReadonlyMap<string, Standing>): ReadonlyMap<string, Standing> {
  return new Map(
    Array.from(standings, ([reporterId, standing]) => [
      reporterId,
      { ...standing, precision: precisionOf(stepOf(standing.precision)) },
    ]),
  );
}
