import { ReplyTooLargeError, UnexpectedResponseError } from './errors.ts';

/** A reply as the protocol sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Without white space at both ends: many servers add a line break. */
  readonly body: string;
}

/** A reply whose body is bytes. */
export interface ByteReply extends Omit<Reply, 'body'> {
  readonly body: Uint8Array;
}

/**
 * Sends one request and reads its whole reply. Throws {@link ReplyTooLargeError} for a reply of more than `maxBytes`
 * bytes after decompression, {@link UnexpectedResponseError} for a redirect, and the platform's error if there is no
 * connection.
 */
export async function exchange(send: typeof fetch, url: string, init: RequestInit, maxBytes: number): Promise<Reply> {
  const reply = await exchangeBytes(send, url, init, maxBytes);
  return { ...reply, body: new TextDecoder().decode(reply.body).trim() };
}

/** {@link exchange} for a reply that is not text. */
export async function exchangeBytes(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  maxBytes: number,
): Promise<ByteReply> {
  // Do not follow redirects: a redirect may turn the POST into a GET without a body.
  const response = await send(url, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const body = await readBytes(response, maxBytes);
  // A browser hides a redirect behind the status 0.
  if (status === 0 || (status >= 300 && status < 400))
    throw new UnexpectedResponseError(status, new TextDecoder().decode(body));
  return { status, headers, body };
}

/** Stops reading, and closes the connection, as soon as the reply is too large. */
async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  // Not an async iterator, which some browsers lack.
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.byteLength;
      if (length > maxBytes) throw new ReplyTooLargeError(maxBytes);
      parts.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    body.set(part, at);
    at += part.byteLength;
  }
  return body;
}

/** Returns Retry-After in seconds. Ignores the date form, because the clocks of client and server may differ. */
export function retryAfterSeconds({ headers }: Pick<Reply, 'headers'>): number | undefined {
  const value = headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
