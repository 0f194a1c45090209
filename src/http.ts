/**
 * The service over HTTP: as a fetch handler, or as a function over plain records.
 *
 * @module redflag/http
 */
export type { Service, ServiceRules } from './engine/service.ts';
export type { AnswerAction, AnswerEvent } from './http/answer-event.ts';
export type { AnswerOptions, BesidePart } from './http/answer-options.ts';
export { createAnswer } from './http/answer.ts';
export type { Answer, AnswerLoad, HttpReply, HttpRequest } from './http/exchange.ts';
export type { LogEvent } from './http/failure.ts';
export { createFetchHandler, type FetchClient } from './http/fetch.ts';
export { createOpenApi, type OpenApiDocument, type OpenApiOptions } from './http/openapi.ts';
export type { FormRules, JsonSchema } from './http/openapi-schemas.ts';
export type { Page, Pages } from './http/pages.ts';
export type { RequestIds } from './http/request-id.ts';
export type { Dialect } from './protocol/dialect.ts';
