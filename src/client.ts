/**
 * A typed client for any service that speaks the protocol.
 *
 * @module redflag/client
 */
export {
  createClient,
  type CallOptions,
  type Client,
  type ClientOptions,
  type KeyCheck,
} from './core/client/client.ts';
export type { ClientQueryResult, SentReport } from './core/client/dialects.ts';
export { ReplyTooLargeError, ServiceError, UnexpectedResponseError } from './core/client/errors.ts';
export type { Identifier } from './core/domain/identifier.ts';
export type { PublicReport, ReportDraft } from './core/domain/report.ts';
export type { QueryResult } from './core/domain/verdict.ts';
export type { Dialect } from './core/protocol/dialect.ts';
