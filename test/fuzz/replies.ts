/** One reply on a connection. */
export interface Reply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Replies {
  /** Whole replies, without 1xx. */
  readonly replies: readonly Reply[];
  /** What is wrong with the bytes; absent if they are whole replies. */
  readonly problem?: 'malformed' | 'incomplete';
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) [A-Za-z ]+$/;
const HEADER = /^([A-Za-z0-9-]+): ([\t\x20-\x7e]*)$/;
const MAX_HEAD_BYTES = 16_384;
/** Headers that the service sends once. */
const NEVER_TWICE = new Set(['content-length', 'transfer-encoding', 'content-type', 'x-report-id', 'connection']);

/**
 * Reads all bytes that a client received on one connection as replies of HTTP/1.1, strictly. A reply without a length
 * has no body: the service sends those to HEAD and with 304.
 */
export function readReplies(received: string): Replies {
  const replies: Reply[] = [];
  let at = 0;
  while (at < received.length) {
    const end = received.indexOf('\r\n\r\n', at);
    if (end === -1) {
      const start = received.slice(at, at + 9);
      const isStart = received.length - at <= MAX_HEAD_BYTES && 'HTTP/1.1 '.startsWith(start);
      return { replies, problem: isStart ? 'incomplete' : 'malformed' };
    }
    const [first = '', ...lines] = received.slice(at, end).split('\r\n');
    const status = Number(STATUS_LINE.exec(first)?.[1]);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name = '', value = ''] = HEADER.exec(line) ?? [];
      const known = name.toLowerCase();
      if (name === '' || (headers.has(known) && NEVER_TWICE.has(known))) return { replies, problem: 'malformed' };
      headers.set(known, value);
    }
    if (Number.isNaN(status)) return { replies, problem: 'malformed' };
    at = end + 4;
    if (status < 200) continue;
    const body = readBody(received, at, headers);
    if (typeof body === 'string') return { replies, problem: body as 'malformed' | 'incomplete' };
    replies.push({ status, headers, body: body.text });
    at = body.end;
  }
  return { replies };
}

function readBody(
  received: string,
  from: number,
  headers: ReadonlyMap<string, string>,
): { readonly text: string; readonly end: number } | 'malformed' | 'incomplete' {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (length !== undefined) {
    if (coding !== undefined || !/^\d+$/.test(length)) return 'malformed';
    const end = from + Number(length);
    return end > received.length ? 'incomplete' : { text: received.slice(from, end), end };
  }
  if (coding === undefined) return { text: '', end: from };
  if (coding !== 'chunked') return 'malformed';
  let text = '';
  for (let at = from; ;) {
    const line = received.indexOf('\r\n', at);
    if (line === -1) return 'incomplete';
    const size = received.slice(at, line);
    if (!/^[0-9a-f]+$/i.test(size)) return 'malformed';
    const bytes = parseInt(size, 16);
    const end = line + 2 + bytes;
    if (received.length < end + 2) return 'incomplete';
    if (received.slice(end, end + 2) !== '\r\n') return 'malformed';
    if (bytes === 0) return { text, end: end + 2 };
    text += received.slice(line + 2, end);
    at = end + 2;
  }
}
