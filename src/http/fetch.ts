import type { Service } from '../engine/service.ts';
import type { AnswerOptions } from './answer-options.ts';
import { createAnswer } from './answer.ts';
import { createBoundedBytes, declaresTooMuch } from './bounded-bytes.ts';

/** What the handler cannot know from a Request. */
export interface FetchClient {
  /** The client's address, from whoever knows it; without it the viewer's limit counts all clients as one (spec 8). */
  readonly address?: string | undefined;
  /** The parsed body, when something read the request's stream before: text, bytes, URLSearchParams, FormData or an object of texts. */
  readonly body?: unknown;
}

/**
 * The service as a fetch handler, for every runtime that speaks Request and Response. It answers whatever it is given and never rejects; a body
 * that was read before and not handed over as `client.body` is answered 400. Throws TypeError for options that cannot hold.
 */
export function createFetchHandler(
  service: Service,
  options: AnswerOptions = {},
): (request: Request, client?: FetchClient) => Promise<Response> {
  const answer = createAnswer(service, options);
  return async (request, client) => {
    // A server may build a Request from a Host header that is no host; such an address leads nowhere.
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const reply = await answer({
      method: request.method,
      path: url?.pathname ?? '',
      query: url?.search.slice(1) ?? '',
      header: (name) => request.headers.get(name) ?? undefined,
      client: client?.address,
      body: (limitBytes) => readBody(request, limitBytes),
      parsedBody: client?.body,
    });
    // Null rather than empty: a Response of status 304 must not have a body.
    return new Response(reply.body === '' ? null : reply.body, { status: reply.status, headers: reply.headers });
  };
}

/** Reads the stream and stops at the limit, so that an endless upload costs no more than a long one. Rejects when the body was read before. */
async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | 'too-large'> {
  if (request.bodyUsed) throw new TypeError('"request" expected a body that was not read, got one that was');
  if (declaresTooMuch(request.headers.get('content-length'), limitBytes)) return 'too-large';
  if (request.body === null) return new Uint8Array();

  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const collected = createBoundedBytes(limitBytes);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return collected.bytes();
    if (!collected.add(value)) {
      // Not awaited: how long a source takes to stop is its own affair.
      void reader.cancel().catch(() => undefined);
      return 'too-large';
    }
  }
}
