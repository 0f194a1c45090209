/** A request of the protocol and its reply, as they are on the wire. */
export interface Exchange {
  readonly action: 'report' | 'delete' | 'query';
  /** Public name of the reporter that asks. */
  readonly reporter: string;
  readonly url: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly contentType: string;
  /** Body of the request. */
  readonly sent: string;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** Body of the reply. */
  readonly received: string;
  /** Milliseconds until the reply. */
  readonly ms: number;
}

/** Passes a form to a fetch handler of the service, and returns both messages. */
export async function send(
  handle: (request: Request) => Promise<Response>,
  { action, reporter, url, fields }: Pick<Exchange, 'action' | 'reporter' | 'url' | 'fields'>,
): Promise<Exchange> {
  const request = new Request(url, { method: 'POST', body: new URLSearchParams(fields.map(([...pair]) => pair)) });
  const sent = await request.clone().text();
  const startMs = performance.now();
  const reply = await handle(request);
  const received = await reply.text();
  return {
    action,
    reporter,
    url,
    fields,
    contentType: request.headers.get('content-type') ?? '',
    sent,
    status: reply.status,
    headers: [...reply.headers],
    received,
    ms: performance.now() - startMs,
  };
}

/** Returns a header of the reply; names are in lower case. */
export function headerOf({ headers }: Exchange, name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1];
}

/** Returns the request as a client writes it to its connection. */
export function formatRequest({ url, contentType, sent }: Exchange): string {
  const { host, pathname } = new URL(url);
  const bytes = new TextEncoder().encode(sent).length;
  return `POST ${pathname} HTTP/1.1\nHost: ${host}\nContent-Type: ${contentType}\nContent-Length: ${bytes}\n\n${sent}`;
}

/** Statuses of replies to forms, with their reason phrases (RFC 9110). */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Returns the reply as the service writes it, without the headers of its connection and its clock. */
export function formatReply({ status, headers, received }: Exchange): string {
  const length = ['content-length', String(new TextEncoder().encode(received).length)] as const;
  const lines = [...headers, length].map(([name, value]) => `${toTitle(name)}: ${value}\n`);
  return `HTTP/1.1 ${status} ${REASONS[status] ?? ''}\n${lines.join('')}\n${received}`;
}

/** Returns a command for a shell that sends the same request. */
export function formatCurl({ url, fields }: Exchange): string {
  const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [`curl -s ${quote(url)}`, ...fields.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)}`)]
    .join(' \\\n')
    .trim();
}

function toTitle(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());
}
