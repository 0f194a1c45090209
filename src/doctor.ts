/**
 * `redflag/doctor`: finds out why a client's hashes are wrong. A separate door, so programs that only hash do not load
 * it.
 *
 * @module redflag/doctor
 */
import { choose } from './hash/choose.ts';
import { createDiagnoseHash, type DiagnoseHash } from './identifiers/diagnose.ts';

/**
 * Returns the fewest mistakes that explain a client's wrong hash. Compares the hash with those that common mistakes
 * produce. See {@link DiagnoseHash} and {@link HashDiagnosis}.
 */
export const diagnoseHash: DiagnoseHash = /* @__PURE__ */ createDiagnoseHash(choose);

export { IdentifierError, type IdentifierProblem } from './identifiers/normalise.ts';
export type { DiagnoseHash, DiagnosisOptions, HashDiagnosis } from './identifiers/diagnose.ts';
export type { Mistake, MistakeCode } from './identifiers/doctor/mistakes.ts';
