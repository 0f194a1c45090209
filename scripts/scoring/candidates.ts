// The models that are measured. The first one is the present model: all differences are to it.
import { readFileSync } from 'node:fs';
import { createOneVoiceModel, createReportCountModel } from '../../src/lab/comparisons.ts';
import { configureLinkClaim } from '../../src/core/scoring/configure.ts';
import { createLinkClaimModel } from '../../src/core/scoring/link-claim-model.ts';
import type { Candidate } from './task.ts';

export const PRESENT = 'present';

/**
 * Returns the present model, the models to compare it with, and those of a file: an object of names and changed
 * constants, e.g. `{ "slow domains": { "kinds": { "domain": { "halfLifeDays": 730 } } } }`.
 */
export function readCandidates(file: string | undefined): Candidate[] {
  const changes = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
  return [
    candidateOf(PRESENT, {}),
    { name: 'one voice', model: createOneVoiceModel(), standings: 'none' },
    { name: 'counting', model: createReportCountModel(), standings: 'none' },
    ...Object.entries(changes).map(([name, constants]) => candidateOf(name, constants)),
  ];
}

function candidateOf(name: string, changes: unknown): Candidate {
  const constants = configureLinkClaim(changes);
  const { kinds, otherKinds, precision, trust } = constants;
  // How identifiers fade does not affect standings.
  const weights = [...Object.entries(kinds), ['other', otherKinds] as const].map(([kind, { weight }]) => [
    kind,
    weight,
  ]);
  return { name, model: createLinkClaimModel(constants), standings: JSON.stringify([weights, precision, trust]) };
}
