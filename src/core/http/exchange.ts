import type { RefusalReason } from '../domain/refusal.ts';

/** The input of the answer function. Each adapter creates this plain record from its platform's request. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** Path of the client's request, including `basePath`, without the query. */
  readonly path: string;
  /** The text after the first `?`; empty if there is none. */
  readonly query: string;
  /** Returns the value of a header by its lowercase name; undefined if it is missing. */
  header(name: string): string | undefined;
  /** The client's address, if known (protocol 8, our choice). */
  readonly client?: string | undefined;
  /** The id that a declared proxy gave the request, if any; see the option `requestIds`. */
  readonly requestId?: string | undefined;
  /**
   * Returns the whole body. If the body is longer than `limitBytes`, returns `too-large` early. Rejects if the body is
   * incomplete. Called at most once.
   */
  body(limitBytes: number): Promise<Uint8Array | 'too-large'>;
  /** The body that a framework's parser produced, if any. If present, `body` is not called. */
  readonly parsedBody?: unknown;
}

/**
 * The output of the answer function, which each adapter sends on its platform. Header names have their usual spelling.
 */
export interface HttpReply {
  /** HTTP status, 200 to 503. */
  readonly status: number;
  /** By name, in the case in which they are sent. Each has one value. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or the bytes of a long view in UTF-8. Empty text for HEAD requests and status 304. */
  readonly body: string | Uint8Array;
}

/** What waits in the service over HTTP now, for metrics. */
export interface AnswerLoad {
  /** Forms that the service is answering. At most `formsAtOnce`; further ones are refused. */
  readonly forms: number;
  /** Long views and pages that wait to be sent. At most 64; further ones are refused. */
  readonly views: number;
}

/** The service over HTTP, as a function. */
export interface Answer {
  /** Never rejects. */
  (request: HttpRequest): Promise<HttpReply>;
  /** Returns what waits in the service now. */
  load(): AnswerLoad;
}

export const ANSWER_ACTIONS: readonly AnswerAction[] = ['query', 'report', 'delete', 'viewer', 'other'];

/**
 * What a request asks for. `other` is everything outside protocol 4, and a form that is refused before its action is
 * read.
 */
export type AnswerAction = 'query' | 'report' | 'delete' | 'viewer' | 'other';

/** One answered request, for metrics and logs. Holds no submitted value. */
export interface AnswerEvent {
  /** What the request asks for. */
  readonly action: AnswerAction;
  /** `ok`, or the reason of the refusal. `unavailable`, `overloaded` and `internal` are failures of the service. */
  readonly outcome: 'ok' | RefusalReason;
  /** HTTP status of the reply. */
  readonly status: number;
  /** Milliseconds from the request's headers to its reply, without the time to send the reply. */
  readonly ms: number;
  /** The id in the reply's header X-Request-Id, if it has one. */
  readonly requestId?: string;
}

/** Outcomes for which the service is to blame, not the request. */
export const FAILURES = ['internal', 'unavailable', 'overloaded'] as const satisfies readonly RefusalReason[];

export function isFailure(outcome: AnswerEvent['outcome']): boolean {
  return outcome !== 'ok' && (FAILURES as readonly string[]).includes(outcome);
}

/**
 * Returns headers with more headers after them. Not a spread: V8 takes ten times as long for a spread that adds
 * properties (Node 20).
 */
export function withHeaders(headers: HttpReply['headers'], more: HttpReply['headers']): Record<string, string> {
  return Object.assign({}, headers, more);
}
