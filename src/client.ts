/**
 * A typed client for any service that speaks the protocol.
 *
 * @module redflag/client
 */
export { createClient, type CallOptions, type Client, type ClientOptions, type KeyCheck } from './client/client.ts';
export type { ClientQueryResult, SentReport } from './client/dialects.ts';
export { ReplyTooLargeError, ServiceError, UnexpectedResponseError } from './client/errors.ts';
export type { Identifier } from './domain/identifier.ts';
export type { PublicReport, ReportDraft } from './domain/report.ts';
export type { QueryResult } from './domain/verdict.ts';
export type { Dialect } from './protocol/dialect.ts';
