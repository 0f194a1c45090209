/**
 * What the owner of a service does: reporters and their keys, disputes, the allow-list, erasure, the audit log,
 * sign-ins to the panel, explanations and peppers.
 *
 * @module redflag/operator
 */
export { OUTSIDE_ACTIONS } from './core/domain/audit.ts';
export type {
  AuditAction,
  AuditedAction,
  AuditEntry,
  AuditNote,
  AuditPage,
  AuditVerification,
  DamagedEntry,
} from './core/domain/audit.ts';
export type {
  CaseMessage,
  CaseReport,
  CaseRequest,
  Dispute,
  DisputeDraft,
  DisputeFilter,
  DisputeReceipt,
  DisputeRequest,
  DisputeRequestPlace,
  DisputeState,
  PersonCase,
} from './core/domain/dispute.ts';
export type { Protection } from './core/domain/protection.ts';
export type { LeftOut, PastScore, PublicRecord, RecordVoice, ReporterContact } from './core/domain/public-record.ts';
export type { KeyFilter } from './core/domain/reporter.ts';
export type { SignIn, SignInKind } from './core/domain/reporter.ts';
export type { PepperStatus } from './core/engine/peppers.ts';
export { createAllowList, type AllowList } from './operator/allow-list.ts';
export { createAuditLog, type AuditLog } from './operator/audit-log.ts';
export { createActivity, type Activity, type ActivityMonth } from './operator/activity.ts';
export { createDisputeCases, type CaseRecord, type DisputeCase, type DisputeCases } from './operator/dispute-cases.ts';
export { createDisputes, type AlikeReports, type Disputes } from './operator/disputes.ts';
export { createErasure, type ErasedIdentifiers, type Erasure } from './operator/erasure.ts';
export {
  createExplanations,
  type ExplainedQueryResult,
  type Explanations,
  type ExplainRequest,
  type QueryExplanation,
} from './operator/explain.ts';
export {
  createFindReports,
  type FindReports,
  type FoundReport,
  type FoundReports,
  type ReportSearch,
} from './operator/find-reports.ts';
export type { LookUpResult, ReportingOrganisation, StrongestReport } from './operator/look-up.ts';
export { createOperator, type Operator } from './operator/operator.ts';
export type { CountedDay, ReportOfReporter, ReportPlace } from './operator/own-report-reads.ts';
export {
  createReporterView,
  type OwnReport,
  type OwnReports,
  type ReporterUsage,
  type ReporterView,
} from './operator/own-reports.ts';
export { createPeppering, type Peppering } from './operator/peppers.ts';
export { createPersonCases, type PersonCases, type WrittenCase } from './operator/person-cases.ts';
export { withRecords, type PublicService } from './operator/record.ts';
export { createAdministration, type Administration } from './operator/reporters.ts';
export { createSignIns, type SignIns } from './operator/sign-ins.ts';
export { createStandings, type ReporterStanding, type Standings } from './operator/standings.ts';
