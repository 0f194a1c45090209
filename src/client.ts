export {
  createClient,
  type CallOptions,
  type Client,
  type ClientOptions,
  type ClientQueryResult,
  type SentReport,
} from './client/client.ts';
export { ServiceError, UnexpectedResponseError } from './client/errors.ts';
export type { Identifier } from './domain/identifier.ts';
export type { PublicReport, ReportDraft } from './domain/report.ts';
export type { QueryResult } from './domain/verdict.ts';
