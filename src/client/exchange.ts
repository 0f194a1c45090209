import { ReplyTooLargeError, UnexpectedResponseError } from './errors.ts';

/** A reply as the protocol sees it. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Without white space at both ends: many servers add a line break. */
  readonly body: string;
}

/**
 * Sends one request and reads its whole reply. Throws {@link ReplyTooLargeError} for a reply of more than `mostBytes`
 * bytes after decompression, {@link UnexpectedResponseError} for a redirect, and the platform's error if there is no
 * connection.
 */
export async function exchange(send: typeof fetch, url: string, init: RequestInit, mostBytes: number): Promise<Reply> {
  // Do not follow redirects: a redirect may turn the POST into a GET without a body.
  const response = await send(url, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const body = await readText(response, mostBytes);
  // A browser hides a redirect behind the status 0.
  if (status === 0 || (status >= 300 && status < 400)) throw new UnexpectedResponseError(status, body);
  return { status, headers, body: body.trim() };
}

/** Stops reading, and closes the connection, as soon as the text is too large. */
async function readText(response: Response, mostBytes: number): Promise<string> {
  // Not an async iterator, which some browsers lack.
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      if (bytes > mostBytes) throw new ReplyTooLargeError(mostBytes);
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

/** Returns Retry-After in seconds. Ignores the date form, because the clocks of client and server may differ. */
export function retryAfterSeconds({ headers }: Reply): number | undefined {
  const value = headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
