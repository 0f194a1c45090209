import type { HttpReply, HttpRequest } from '../../src/core/http/exchange.ts';

/** A plain request for `createAnswer`; what is not given is what an ordinary form post has. */
export function asking(
  changes: Partial<HttpRequest> & {
    readonly text?: string | Uint8Array;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): HttpRequest {
  const { text = '', headers = { 'content-type': 'application/x-www-form-urlencoded' }, ...rest } = changes;
  return {
    method: 'POST',
    path: '/api/',
    query: '',
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    body: async (limitBytes) => {
      const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
      return bytes.length > limitBytes ? 'too-large' : bytes;
    },
    ...rest,
  };
}

/** A request that reads: no body, no content type. */
export function reading(path: string, query = '', headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return asking({ method: 'GET', path, query, headers });
}

/** The body of a reply as text. */
export function textOf({ body }: Pick<HttpReply, 'body'>): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}
