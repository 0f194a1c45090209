export type { Service } from './engine/service.ts';
export type { AnswerAction, AnswerEvent } from './http/answer-event.ts';
export type { AnswerOptions } from './http/answer-options.ts';
export { createAnswer } from './http/answer.ts';
export type { HttpReply, HttpRequest } from './http/exchange.ts';
export type { LogEvent } from './http/failure.ts';
export { createFetchHandler, type FetchClient } from './http/fetch.ts';
export type { RequestIds } from './http/request-id.ts';
