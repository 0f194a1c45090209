/**
 * The port of a store, for who writes another one, and copies between stores: export, import, migration.
 *
 * @module redflag/store
 */
export type { Webhook, WebhookProgress } from './core/domain/webhook.ts';
export type {
  AddReportResult,
  CaseAnswer,
  DisputeRequestRemoval,
  FoundAlike,
  ReporterChange,
  FactsRequest,
  KeyRequest,
  NewestRequest,
  TokensRequest,
  NewIdentifier,
  DatedReport,
  KeyWithReporter,
  HashMove,
  IdentifierPosition,
  KeyGenerations,
  KeyUsage,
  HashHistory,
  LinkIdentifier,
  MatchedIdentifier,
  NewCaseMessage,
  RefusalOfRequests,
  NewDisputeRequest,
  NewKey,
  NewReporter,
  OldHash,
  RemoveReportResult,
  StoreCounts,
  StoredElementKey,
  StoredFacts,
  StoredIdentifier,
  StoredKey,
  StoredLink,
  StoredPepper,
  StoredReport,
  StoredSharing,
  StoredSignIn,
  StoredTrust,
  SpendRequest,
  TokensResult,
  DayUsage,
} from './core/store/records.ts';
export type {
  StoreReporters,
  Lease,
  SharedStore,
  DisputeRequestStore,
  SignInStore,
  Store,
  WebhookStore,
} from './core/store/store.ts';
export type {
  EraseResult,
  ErasedReport,
  StoredColumn,
  StoredRow,
  StoredTable,
  StoreProblem,
  StoreSnapshot,
  StoreUpkeep,
} from './core/store/upkeep.ts';
export type {
  SqlAnswer,
  SqlLock,
  SqlPause,
  SqlReads,
  SqlRow,
  SqlSeenBy,
  SqlStatement,
  SqlStep,
  SqlValue,
  SqlWork,
} from './core/store/sql/statement.ts';
export { copyRows, type CopiedRows, type TargetKeys } from './stores/transfer/copy-rows.ts';
export { readExport } from './stores/transfer/read-export.ts';
export { readSnapshot, type RowSource, type SourceHead, type SourceRow } from './stores/transfer/row-source.ts';
export { ExportError, TransferError, type TransferProblem } from './stores/transfer/transfer-errors.ts';
export { writeExport } from './stores/transfer/write-export.ts';
