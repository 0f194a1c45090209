/**
 * `redflag/doctor`: finds out why a client's hashes are wrong. A separate door, so programs that only hash do not load
 * it.
 *
 * @module redflag/doctor
 */
import { choose } from './core/hash/choose.ts';
import { createDiagnoseHash, type DiagnoseHash } from './lab/doctor/diagnose.ts';

/**
 * Returns the fewest mistakes that explain a client's wrong hash. Compares the hash with those that common mistakes
 * produce. See {@link DiagnoseHash} and {@link HashDiagnosis}.
 */
export const diagnoseHash: DiagnoseHash = /* @__PURE__ */ createDiagnoseHash(choose);

export { IdentifierError, type IdentifierProblem } from './core/identifiers/normalise.ts';
export type { DiagnoseHash, DiagnosisOptions, HashDiagnosis } from './lab/doctor/diagnose.ts';
export type { Mistake, MistakeCode } from './lab/doctor/mistakes.ts';
