/**
 * The service over HTTP: as a fetch handler, or as a function over plain records.
 *
 * @module redflag/http
 */
export type { Service, ServiceRules } from './core/engine/service.ts';
export type { AnswerAction, AnswerEvent } from './core/http/exchange.ts';
export type { AnswerOptions, BesidePart } from './core/http/answer-options.ts';
export { createAnswer } from './core/http/answer.ts';
export type { Answer, AnswerLoad, HttpReply, HttpRequest } from './core/http/exchange.ts';
export type { LogEvent } from './core/http/failure.ts';
export { createFetchHandler, type FetchClient } from './core/http/fetch.ts';
export { createOpenApi, type OpenApiDocument, type OpenApiOptions } from './core/http/openapi.ts';
export type { FormRules, JsonSchema } from './core/http/openapi-schemas.ts';
export type { Page, Pages } from './core/http/pages.ts';
export type { RequestIds } from './core/http/request-id.ts';
export type { Dialect } from './core/protocol/dialect.ts';
