/** `redflag/doctor`: which mistake a client made when its hashes are wrong. A door of its own: clients that hash need none of it. */
import { choose } from './hash/choose.ts';
import { createDiagnoseHash, type DiagnoseHash } from './identifiers/diagnose.ts';

/**
 * Which mistake a client made: compares the hash that it sent with those that the usual mistakes lead to, and names the
 * fewest that explain it. See {@link DiagnoseHash} and {@link HashDiagnosis}.
 */
export const diagnoseHash: DiagnoseHash = /* @__PURE__ */ createDiagnoseHash(choose);

export { IdentifierError, type IdentifierProblem } from './identifiers/identifier-error.ts';
export type { DiagnoseHash, DiagnosisOptions, HashDiagnosis } from './identifiers/diagnose.ts';
export type { Mistake, MistakeCode } from './identifiers/doctor/mistakes.ts';
