import type { Service } from '../engine/service.ts';
import type { AnswerOptions } from './answer-options.ts';
import { createAnswer } from './answer.ts';
import { BodyBytes } from './body.ts';
import { bareAddress } from './client-address.ts';

/** Most bytes of an unread body that are read and discarded, as Node does. */
const DISCARD_BYTES = 65_536;

/** Facts that a Request lacks. */
export interface FetchClient {
  /** The client's address. Clients without an address share the limits of the viewer and of keys that do not work. */
  readonly address?: string | null | undefined;
  /**
   * The parsed body, if other code has already read the request: text, bytes, URLSearchParams, FormData or an object of
   * strings.
   */
  readonly body?: unknown;
}

/**
 * Returns the service as a fetch handler, for runtimes with Request and Response. The handler never rejects. If other
 * code has read the body, pass it as `client.body`; otherwise the reply is 400. Throws TypeError or RangeError for a
 * wrong option.
 *
 * The handler leaves the body of the request unread if `client.body` is passed, and for a path that is not the
 * service's. Otherwise it may consume the body.
 */
export function createFetchHandler(
  service: Service,
  options: AnswerOptions = {},
): (request: Request, client?: FetchClient) => Promise<Response> {
  const answer = createAnswer(service, options);
  return async (request, client) => {
    // A server may build a Request's URL from an invalid Host header. The reply is then 404.
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const reply = await answer({
      method: request.method,
      path: url?.pathname ?? '',
      query: url?.search.slice(1) ?? '',
      header: (name) => request.headers.get(name) ?? undefined,
      client: typeof client?.address === 'string' ? bareAddress(client.address) : undefined,
      body: (limitBytes) => readBody(request, limitBytes),
      parsedBody: client?.body,
    });
    // With an unread body, workerd closes the connection before the client has the reply. After a 404, the caller may
    // need the body: a form of the service gets 404 only after its body was read.
    const isDone = reply.status !== 404 && client?.body === undefined;
    if (isDone && request.body !== null && !request.bodyUsed)
      void readBody(request, DISCARD_BYTES).catch(() => undefined);
    // Use null for an empty body: a Response with status 304 throws for any other body. The type of the reply names no
    // ArrayBuffer, because TypeScript before 5.7 does not know `Uint8Array<ArrayBuffer>`.
    return new Response(reply.body === '' ? null : (reply.body as string | Uint8Array<ArrayBuffer>), {
      status: reply.status,
      headers: reply.headers,
    });
  };
}

/** Reads the body and stops at the limit, so an endless upload is harmless. Rejects if the body was already read. */
async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | 'too-large'> {
  if (request.bodyUsed) throw new TypeError('"request" expected an unread body, got one that was read');
  if (Number(request.headers.get('content-length')) > limitBytes) return 'too-large';
  if (request.body === null) return new Uint8Array();

  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const body = new BodyBytes(limitBytes);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return body.whole();
    if (body.add(value)) continue;
    // Do not wait: the source may take any time to stop.
    void reader.cancel().catch(() => undefined);
    return 'too-large';
  }
}
